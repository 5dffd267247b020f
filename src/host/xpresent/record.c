/* Contains the main loop of a recording from outside, and its messages. */
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "xpresent/session.h"

/* Time between two checks whether the recorded process still runs. */
#define CHECK_NS (DJ_SECOND_NS / 2)
/* A process is reported if it presents nothing for this time. */
#define SILENCE_NS (3 * DJ_SECOND_NS)

static void handle_events(struct dj_xpresent_session *session)
{
    xcb_generic_event_t *event;
    while ((event = xcb_poll_for_event(session->display.x)) != NULL) {
        dj_xpresent_presents_handle(session, event);
        dj_xpresent_windows_handle(session, event);
        free(event);
    }
}

/* Returns whether the process of --pid has ended, or the last window of --window is
 * gone. */
static bool is_finished(struct dj_xpresent_session *session, uint64_t start_ticks)
{
    const struct dj_xpresent_options *options = session->options;
    if (options->pid != 0) {
        return !dj_segment_process_is_alive(options->pid, start_ticks);
    }
    if (options->window == NULL) {
        return false;
    }
    for (size_t i = 0; i < session->window_count; i++) {
        if (dj_xpresent_titles_is_selected(session, &session->windows[i])) {
            return false;
        }
    }
    return true;
}

/* Returns whether the process has a visible window that is to be recorded. */
static bool has_visible_window(struct dj_xpresent_session *session,
                               const struct dj_xpresent_process *process)
{
    for (size_t i = 0; i < session->window_count; i++) {
        struct dj_xpresent_window *window = &session->windows[i];
        if (window->process == process &&
            dj_xpresent_titles_is_selected(session, window) &&
            dj_xpresent_display_is_viewable(&session->display, window->id)) {
            return true;
        }
    }
    return false;
}

static bool is_silent(struct dj_xpresent_session *session,
                      const struct dj_xpresent_process *process)
{
    return process->shown + process->skipped == 0 && !process->is_refused &&
           has_visible_window(session, process);
}

/* Sends a message for each process that shows a window but presents nothing, once per
 * process. */
static void report_silence(struct dj_xpresent_session *session, int64_t now_ns)
{
    for (size_t i = 0; i < session->process_count && !session->options->all; i++) {
        struct dj_xpresent_process *process = session->processes[i];
        if (process->is_silence_checked || now_ns - process->found_ns < SILENCE_NS) {
            continue;
        }
        process->is_silence_checked = true;
        if (is_silent(session, process)) {
            dj_message(session->options->messages,
                       "%s (pid %lld) has not presented anything by X Present so far: it "
                       "is idle, or it draws in another way (software OpenGL, images "
                       "that the CPU draws), which only 'dejank record -- CMD' sees",
                       process->name, (long long)process->pid);
        }
    }
}

static int watch(struct dj_xpresent_session *session, struct dj_error *err)
{
    const struct dj_xpresent_options *options = session->options;
    uint64_t start_ticks = dj_segment_process_start_ticks(options->pid);
    struct pollfd fd = {.fd = xcb_get_file_descriptor(session->display.x),
                        .events = POLLIN};
    int64_t check_ns = 0;
    int code = 0;
    for (;;) {
        handle_events(session);
        int64_t now_ns = dj_host_now_ns();
        if (xcb_connection_has_error(session->display.x)) {
            return dj_error_set(err, DJ_E_GONE, "the X server has ended");
        }
        if (code < 0 || now_ns >= options->end_ns) {
            return code == DJ_E_INTERRUPTED ? 0 : code;
        }
        if (now_ns >= check_ns) {
            check_ns = now_ns + CHECK_NS;
            report_silence(session, now_ns);
            if (is_finished(session, start_ticks)) {
                return 0;
            }
        }
        int64_t until_ns = check_ns < options->end_ns ? check_ns : options->end_ns;
        code = dj_interrupt_poll(options->interrupt, until_ns - now_ns, &fd, 1, err);
    }
}

/* Reports the windows and processes that were found at the start. Returns an error if
 * there are none to record. */
static int check_start(struct dj_xpresent_session *session, struct dj_error *err)
{
    const struct dj_xpresent_options *options = session->options;
    if (options->window != NULL) {
        size_t matches = dj_xpresent_titles_count_matches(session);
        if (matches == 0) {
            return dj_error_set(err, DJ_E_NOT_FOUND,
                                "no window of the X server has '%s' in its title",
                                options->window);
        }
        if (matches > 1) {
            dj_message(options->messages,
                       "%zu windows have '%s' in their title: all of them are recorded",
                       matches, options->window);
        }
    }
    for (size_t i = 0; i < session->process_count && options->pid != 0; i++) {
        if (session->processes[i]->is_selected) {
            return 0;
        }
    }
    if (options->pid != 0) {
        dj_message(
            options->messages,
            "process %lld has no X window yet. If it draws with Wayland itself, only "
            "'dejank record -- CMD' sees its frames",
            (long long)options->pid);
    }
    return 0;
}

static void append_silent(struct dj_xpresent_session *session, struct dj_text *text)
{
    for (size_t i = 0; i < session->process_count; i++) {
        const struct dj_xpresent_process *process = session->processes[i];
        if (is_silent(session, process)) {
            dj_text_format(text, "%s%s (pid %lld)", text->length > 0 ? ", " : "",
                           process->name, (long long)process->pid);
        }
    }
}

/* Sends the summary: a message for each process, and a message about windows that were
 * not visible. Returns whether any frame was recorded. */
static bool report_result(struct dj_xpresent_session *session)
{
    bool has_frames = false;
    const struct dj_messages *messages = session->options->messages;
    struct dj_text silent = {0};
    for (size_t i = 0; i < session->process_count; i++) {
        const struct dj_xpresent_process *process = session->processes[i];
        if (process->shown + process->skipped > 0) {
            has_frames = true;
            dj_message(messages,
                       "%s (pid %lld): %llu frames shown, %llu skipped by the display. "
                       "Frame times are unknown from outside. Read them with 'dumpsys "
                       "gfxinfo %s framestats'",
                       process->name, (long long)process->pid,
                       (unsigned long long)process->shown,
                       (unsigned long long)process->skipped, process->name);
        }
    }
    append_silent(session, &silent);
    if (silent.length > 0) {
        dj_message(messages,
                   "windows without any frame by X Present: %s. They were idle, or were "
                   "drawn in another way (software OpenGL, images that the CPU draws), "
                   "which only 'dejank record -- CMD' sees",
                   dj_xtext(&silent));
    }
    dj_text_finish(&silent);
    if (session->options->all && getenv("WAYLAND_DISPLAY") != NULL) {
        dj_message(messages,
                   "programs that draw with Wayland, not with X, were not recorded: "
                   "only 'dejank record -- CMD' sees their frames");
    }
    return has_frames;
}

/* Prepares the directory of segments. */
static int prepare_directory(struct dj_xpresent_session *session, struct dj_error *err)
{
    int code = dj_segment_ensure_directory(&session->place, err);
    if (code == 0) {
        code = dj_segment_check_space(&session->place, session->options->keep, err);
    }
    if (code == 0) {
        dj_segment_prune(&session->place);
    }
    return code;
}

int dj_xpresent_record(const struct dj_xpresent_options *options, struct dj_error *err)
{
    struct dj_xpresent_session session = {.options = options};
    if (options->pid != 0 && dj_segment_process_start_ticks(options->pid) == 0) {
        return dj_error_set(err, DJ_E_NOT_FOUND, "there is no process %lld",
                            (long long)options->pid);
    }
    int code = prepare_directory(&session, err);
    code = code == 0 ? dj_xpresent_display_open(&session.display, err) : code;
    if (code != 0) {
        return code;
    }
    dj_xpresent_windows_scan(&session);
    code = check_start(&session, err);
    if (code == 0) {
        code = watch(&session, err);
        handle_events(&session); /* Events that came while the program ended. */
        if (!report_result(&session) && code == 0) {
            code = dj_error_set(err, DJ_E_NO_DATA, "no frame was seen");
        }
    }
    dj_xpresent_windows_finish(&session);
    dj_xpresent_processes_finish(&session);
    dj_xpresent_display_close(&session.display);
    return code;
}
