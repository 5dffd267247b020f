#include "cli/run/progress_view.h"

#include <inttypes.h>
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

enum { WIDTH_ASSUMED = 80, NAME_LEAST = 8, NAME_MOST = 24, LINES_ASSUMED = 24 };

struct device_view {
    struct dj_run_cell cell;
    char what[32];
    int64_t start_ns;      /* host_ns of the start of its first run, or 0 before */
    int64_t done_at_start; /* number of finished runs at start_ns */
    int64_t last_event_ns; /* host_ns of the last printed progress event */
    bool ended;
};

struct dj_progress_view {
    const struct dj_batch_plan *plan;
    struct device_view *devices;
    bool json_lines, terminal;
    int64_t drawn_ns;
    size_t drawn_lines;
};

struct dj_progress_view *dj_progress_view_create(const struct dj_batch_plan *plan,
                                                 bool json_lines)
{
    struct dj_progress_view *view = dj_xcalloc(1, sizeof(*view));
    const char *terminal = getenv("TERM");
    struct device_view *devices = dj_xcalloc(plan->device_count, sizeof(*devices));
    bool dumb = terminal == NULL || strcmp(terminal, "dumb") == 0;
    *view = (struct dj_progress_view){.plan = plan,
                                      .devices = devices,
                                      .json_lines = json_lines,
                                      .terminal = !dumb && isatty(STDERR_FILENO) == 1};
    for (size_t i = 0; i < plan->device_count; i++) {
        devices[i].cell.device = plan->devices[i];
        devices[i].cell.what = devices[i].what;
        devices[i].cell.left_ns = -1;
        snprintf(devices[i].what, sizeof(devices[i].what), "starts");
    }
    return view;
}

static void clear(struct dj_progress_view *view)
{
    for (size_t i = 0; i < view->drawn_lines; i++) {
        fputs(i == 0 ? "\r\033[K" : "\033[A\033[K", stderr);
    }
    view->drawn_lines = 0;
}

/* Returns the time until the device has made all its runs, or −1 if it is unknown. */
static int64_t compute_left_ns(const struct device_view *device)
{
    int64_t made = device->cell.done - device->done_at_start;
    return made > 0 && !device->ended ? (dj_host_now_ns() - device->start_ns) / made *
                                            (device->cell.planned - device->cell.done)
                                      : -1;
}

/* Appends the sums over all devices. Devices work in parallel, so the remaining time is
 * that of the slowest device. */
static void append_sum(const struct dj_progress_view *view, struct dj_text *text)
{
    int64_t done = 0, planned = 0, left_ns = -1;
    for (size_t i = 0; i < view->plan->device_count; i++) {
        int64_t device_ns = view->devices[i].cell.left_ns;
        done += view->devices[i].cell.done;
        planned += view->devices[i].cell.planned;
        left_ns = device_ns > left_ns ? device_ns : left_ns;
    }
    dj_text_format(text, "%" PRId64 " of %" PRId64 " runs", done, planned);
    if (left_ns >= 0) {
        dj_text_add(text, ", about ");
        dj_report_time_left(text, left_ns);
        dj_text_add(text, " left");
    }
}

static void find_size(int *width, size_t *lines)
{
    struct winsize size;
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    /* The last column stays free: some terminals wrap once it is written. */
    *width = (known ? size.ws_col : WIDTH_ASSUMED) - 1;
    *lines = known && size.ws_row > 2 ? size.ws_row : LINES_ASSUMED;
}

static int name_width(const struct dj_progress_view *view)
{
    size_t width = NAME_LEAST;
    for (size_t i = 0; i < view->plan->device_count; i++) {
        size_t length = strlen(view->plan->devices[i]);
        width = length > width ? length : width;
    }
    return (int)(width < NAME_MOST ? width : NAME_MOST);
}

/* Draws a line for each device, and a line with sums if there are several devices. */
static void draw_view(struct dj_progress_view *view)
{
    struct dj_text text = {0};
    int width;
    size_t lines, shown = 0;
    bool has_sum = view->plan->device_count > 1;
    find_size(&width, &lines);
    clear(view);
    for (size_t i = 0; i < view->plan->device_count && shown + 2 < lines; i++) {
        struct device_view *device = &view->devices[i];
        device->cell.left_ns = compute_left_ns(device);
        if (!device->ended) {
            dj_text_add(&text, !has_sum && shown > 0 ? "\n" : "");
            dj_report_run_cell(&text, &device->cell, width, name_width(view));
            dj_text_add(&text, has_sum ? "\n" : "");
            shown++;
        }
    }
    if (has_sum) {
        append_sum(view, &text);
    }
    fputs(dj_xtext(&text), stderr);
    fflush(stderr);
    view->drawn_lines = shown + has_sum;
    view->drawn_ns = dj_host_now_ns();
    dj_text_finish(&text);
}

static void append_place(const struct dj_progress_view *view,
                         const struct dj_play_event *event, struct dj_text *line)
{
    dj_text_add(line, view->plan->devices[event->device]);
    if (view->plan->flow_count > 1 && event->flow != NULL) {
        dj_text_format(line, " %s", event->flow->name);
    }
    if (view->plan->build_count > 1 && event->build != NULL) {
        dj_text_format(line, " %s", event->build->label);
    }
    if (event->number > 0) {
        dj_text_format(line, "%s %" PRId64, event->warmup ? " warm-up" : " run",
                       event->number);
    }
    if (event->attempt > 1) {
        dj_text_format(line, " (attempt %" PRId64 ")", event->attempt);
    }
    bool ends_with_colon = line->length > 0 && line->data[line->length - 1] == ':';
    /* The name of the device "local:" already ends with a colon. */
    dj_text_add(line, ends_with_colon ? " " : ": ");
}

static void append_end(const struct dj_play_event *event, struct dj_text *line)
{
    dj_report_run_outcome(line, event->outcome);
    if (event->message != NULL) {
        dj_text_format(line, " (%s)", event->message);
    }
    if (event->outcome == DJ_RUN_OK) {
        dj_text_add(line, ", ");
        dj_report_run_figures(line, event->metrics);
    }
    if (event->outcome == DJ_RUN_OK && event->recovery->expected > 0 &&
        event->recovery->recovered < event->recovery->expected) {
        dj_text_format(line, "; recovered %" PRId64 " of %" PRId64,
                       event->recovery->recovered, event->recovery->expected);
    }
}

/* Appends the line of an event. Returns false for events that have no line, because the
 * progress display or other lines show them. On a terminal, the display also shows the
 * results of usable runs. */
static bool append_line(const struct dj_progress_view *view,
                        const struct dj_play_event *event, struct dj_text *line)
{
    bool is_usable = event->kind == DJ_PLAY_BATCH ||
                     (event->kind == DJ_PLAY_RUN_END && event->outcome == DJ_RUN_OK &&
                      event->message == NULL);
    if (view->terminal && is_usable) {
        return false;
    }
    append_place(view, event, line);
    switch (event->kind) {
    case DJ_PLAY_BATCH:
        dj_text_format(line, "%s batch %s (fingerprint %s)",
                       event->resumed ? "continues" : "starts", event->batch,
                       event->fingerprint);
        return true;
    case DJ_PLAY_RUN_END:
        append_end(event, line);
        return true;
    case DJ_PLAY_REPEAT:
        dj_text_format(line, "will be repeated: %s", event->message);
        return true;
    case DJ_PLAY_SAYS:
    case DJ_PLAY_FAILED:
        dj_text_add(line, event->message);
        return true;
    default:
        return false;
    }
}

static void update_run(struct device_view *device, const struct dj_play_event *event,
                       const struct dj_batch_plan *plan)
{
    snprintf(device->what, sizeof(device->what), "%s%s%s %" PRId64,
             plan->build_count > 1 ? event->build->label : "",
             plan->build_count > 1 ? " " : "", event->warmup ? "warm-up" : "run",
             event->number);
    device->cell.elapsed_ns = 0;
    device->cell.duration_ns = 0;
    if (device->start_ns == 0) {
        device->start_ns = dj_host_now_ns();
        device->done_at_start = event->runs_done;
    }
}

static void update_view(struct dj_progress_view *view, const struct dj_play_event *event)
{
    struct device_view *device = &view->devices[event->device];
    device->cell.done = event->runs_done;
    device->cell.planned = event->runs_planned;
    if (event->kind == DJ_PLAY_RUN) {
        update_run(device, event, view->plan);
    } else if (event->kind == DJ_PLAY_PROGRESS) {
        device->cell.elapsed_ns = event->progress->elapsed_ns;
        device->cell.duration_ns = event->progress->duration_ns;
    } else if (event->kind == DJ_PLAY_RUN_END) {
        struct dj_text last = {0};
        if (event->outcome == DJ_RUN_OK) {
            dj_report_run_figures_short(&last, event->metrics);
        } else {
            dj_report_run_outcome(&last, event->outcome);
        }
        snprintf(device->cell.last, sizeof(device->cell.last), "%s", dj_xtext(&last));
        dj_text_finish(&last);
    } else if (event->kind == DJ_PLAY_DEVICE_END) {
        device->ended = true;
    }
}

static void print_json(struct dj_progress_view *view, const struct dj_play_event *event)
{
    struct device_view *device = &view->devices[event->device];
    struct dj_text line = {0};
    int64_t now_ns = dj_host_now_ns();
    if (event->kind == DJ_PLAY_PROGRESS &&
        now_ns - device->last_event_ns < JSON_PROGRESS_NS) {
        return;
    }
    device->last_event_ns = now_ns;
    dj_report_run_event_json(&line, view->plan, event);
    puts(dj_xtext(&line));
    fflush(stdout);
    dj_text_finish(&line);
}

void dj_progress_view_add_event(void *user, const struct dj_play_event *event)
{
    struct dj_progress_view *view = user;
    struct dj_text line = {0};
    update_view(view, event);
    if (view->json_lines) {
        print_json(view, event);
    } else if (append_line(view, event, &line)) {
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
    free(view->devices);
    free(view);
}
