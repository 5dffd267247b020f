/* Converts the reports of X Present to rows of segments. */
#include <stdlib.h>
#include <xcb/present.h>

#include "frame/frame.h"
#include "memory/memory.h"
#include "xpresent/session.h"

/* The server rounds times down to whole µs. A present that was skipped in favour of a
 * newer one has the time of the newer one, or an earlier time. This number of ns is
 * subtracted, so that the row of the skipped present precedes the row of the newer
 * one. */
enum { SKIPPED_BEFORE_NS = 500 };

/* Returns the time of a row. The time is later than that of the window's last row,
 * because times identify the rows of a window. */
static int64_t compute_time(const struct dj_xpresent_window *window, uint64_t at_us,
                            bool skipped)
{
    int64_t at_ns = (int64_t)(at_us * 1000) - (skipped ? SKIPPED_BEFORE_NS : 0);
    return at_ns > window->last_ns ? at_ns : window->last_ns + 1;
}

static struct dj_window_writer *open_window(struct dj_xpresent_session *session,
                                            const struct dj_xpresent_window *window)
{
    struct dj_segment_writer *writer = &window->process->writer;
    struct dj_window_writer *slot = dj_segment_find_window(writer, window->id);
    if (slot == NULL) {
        struct dj_text title = {0};
        dj_xpresent_titles_append(session, window, &title);
        slot = dj_segment_open_window(writer, window->id, dj_xtext(&title));
        dj_text_finish(&title);
    }
    return slot;
}

/* Updates the frame interval of the window if the server's counts of refreshes show a
 * different one. */
static void update_interval(const struct dj_xpresent_options *options,
                            struct dj_xpresent_window *window,
                            struct dj_window_writer *slot, uint64_t at_us,
                            uint64_t refreshes)
{
    int64_t interval_ns =
        options->interval_ns > 0
            ? options->interval_ns
            : dj_xpresent_refresh_add(&window->refresh, at_us, refreshes);
    if (interval_ns > 0 && interval_ns != window->interval_ns &&
        dj_segment_set_interval(slot, window->id, interval_ns)) {
        window->interval_ns = interval_ns;
    }
}

static void write_row(struct dj_xpresent_session *session,
                      struct dj_xpresent_window *window,
                      const xcb_present_complete_notify_event_t *event)
{
    struct dj_xpresent_process *process = window->process;
    struct dj_window_writer *slot = open_window(session, window);
    bool skipped = event->mode == XCB_PRESENT_COMPLETE_MODE_SKIP;
    if (slot == NULL) {
        return;
    }
    update_interval(session->options, window, slot, event->ust, event->msc);
    struct dj_frame frame = {0};
    window->last_ns = compute_time(window, event->ust, skipped);
    dj_frame_set(&frame, DJ_COLUMN_FLAGS, skipped ? DJ_FLAG_SKIPPED_FRAME : 0);
    dj_frame_set(&frame, DJ_COLUMN_DISPLAY_PRESENT_TIME, window->last_ns);
    if (window->interval_ns > 0) {
        dj_frame_set(&frame, DJ_COLUMN_FRAME_INTERVAL, window->interval_ns);
    }
    if (dj_segment_write_frame(&process->writer, slot, window->id, &frame, NULL)) {
        process->shown += !skipped;
        process->skipped += skipped;
    }
}

void dj_xpresent_presents_handle(struct dj_xpresent_session *session,
                                 const xcb_generic_event_t *event)
{
    const void *bytes = event;
    const xcb_ge_generic_event_t *generic = bytes;
    const xcb_present_complete_notify_event_t *completed = bytes;
    if ((event->response_type & 0x7F) != XCB_GE_GENERIC ||
        generic->extension != session->display.present_opcode ||
        generic->event_type != XCB_PRESENT_COMPLETE_NOTIFY ||
        completed->kind != XCB_PRESENT_COMPLETE_KIND_PIXMAP || completed->ust == 0) {
        return;
    }
    struct dj_xpresent_window *window =
        dj_xpresent_windows_find(session, completed->window);
    if (window != NULL && dj_xpresent_titles_is_selected(session, window) &&
        dj_xpresent_processes_open(session, window->process)) {
        write_row(session, window, completed);
    }
}
