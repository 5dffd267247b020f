#include "cli/run/progress_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/options.h"
#include "memory/memory.h"
#include "report/run_event.h"

#define REDRAW_NS (100 * DJ_MILLISECOND_NS)
#define JSON_PROGRESS_NS DJ_SECOND_NS

enum { WIDTH_ASSUMED = 80, LINES_ASSUMED = 24 };

struct dj_progress_view {
    const struct dj_batch_plan *plan;
    struct dj_run_progress *progress;
    /* For each device, the time at which its last JSON event was printed. */
    int64_t *printed_ns;
    bool json_lines, terminal;
    int64_t drawn_ns;
    size_t drawn_lines;
};

struct dj_progress_view *dj_progress_view_create(const struct dj_batch_plan *plan,
                                                 bool json_lines)
{
    struct dj_progress_view *view = dj_xcalloc(1, sizeof(*view));
    const char *terminal = getenv("TERM");
    bool dumb = terminal == NULL || strcmp(terminal, "dumb") == 0;
    *view = (struct dj_progress_view){
        .plan = plan,
        .progress = dj_report_run_progress_create(plan),
        .printed_ns = dj_xcalloc(plan->device_count, sizeof(view->printed_ns[0])),
        .json_lines = json_lines,
        .terminal = !dumb && isatty(STDERR_FILENO) == 1};
    return view;
}

static void clear(struct dj_progress_view *view)
{
    for (size_t i = 0; i < view->drawn_lines; i++) {
        fputs(i == 0 ? "\r\033[K" : "\033[A\033[K", stderr);
    }
    view->drawn_lines = 0;
}

static void find_size(int *width, size_t *lines)
{
    struct winsize size;
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    /* The last column stays free: some terminals wrap once it is written. */
    *width = (known ? size.ws_col : WIDTH_ASSUMED) - 1;
    *lines = known && size.ws_row > 2 ? size.ws_row : LINES_ASSUMED;
}

static void draw_view(struct dj_progress_view *view)
{
    struct dj_text text = {0};
    int width;
    size_t lines;
    find_size(&width, &lines);
    clear(view);
    view->drawn_ns = dj_host_now_ns();
    view->drawn_lines =
        dj_report_run_progress_write(view->progress, view->drawn_ns, width, lines, &text);
    fputs(dj_xtext(&text), stderr);
    fflush(stderr);
    dj_text_finish(&text);
}

static void print_json(struct dj_progress_view *view, const struct dj_play_event *event)
{
    int64_t *printed_ns = &view->printed_ns[event->device];
    struct dj_text line = {0};
    int64_t now_ns = dj_host_now_ns();
    if (event->kind == DJ_PLAY_PROGRESS && now_ns - *printed_ns < JSON_PROGRESS_NS) {
        return;
    }
    *printed_ns = now_ns;
    dj_report_run_event_json(&line, view->plan, event);
    puts(dj_xtext(&line));
    fflush(stdout);
    dj_text_finish(&line);
}

void dj_progress_view_add_event(void *user, const struct dj_play_event *event)
{
    struct dj_progress_view *view = user;
    struct dj_text line = {0};
    dj_report_run_progress_add(view->progress, event, dj_host_now_ns());
    if (view->json_lines) {
        print_json(view, event);
    } else if (dj_report_run_event_line(&line, view->plan, event, view->terminal)) {
        struct dj_text safe = {0};
        /* Escapes newlines in names, so that each event has one line. */
        dj_text_append_escaped_name(&safe, dj_xtext(&line));
        clear(view);
        dj_cli_print_event("%s", dj_xtext(&safe));
        dj_text_finish(&safe);
    }
    dj_text_finish(&line);
    if (view->terminal && !view->json_lines &&
        (view->drawn_lines == 0 || dj_host_now_ns() - view->drawn_ns >= REDRAW_NS)) {
        draw_view(view);
    }
}

void dj_progress_view_destroy(struct dj_progress_view *view)
{
    clear(view);
    dj_report_run_progress_destroy(view->progress);
    free(view->printed_ns);
    free(view);
}
