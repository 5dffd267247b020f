/* Follows the events of the devices, and writes a line for each device and each event. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "report/run_event.h"

enum { NAME_LEAST = 8, NAME_MOST = 24 };

struct device {
    struct dj_run_cell cell;
    char what[32];
    int64_t start_ns;      /* Start of the device's first run, or 0 before it. */
    int64_t done_at_start; /* Number of finished runs at start_ns. */
    bool ended;
};

struct dj_run_progress {
    const struct dj_batch_plan *plan;
    struct device *devices;
};

struct dj_run_progress *dj_report_run_progress_create(const struct dj_batch_plan *plan)
{
    struct dj_run_progress *progress = dj_xcalloc(1, sizeof(*progress));
    struct device *devices = dj_xcalloc(plan->device_count, sizeof(*devices));
    *progress = (struct dj_run_progress){.plan = plan, .devices = devices};
    for (size_t i = 0; i < plan->device_count; i++) {
        devices[i].cell.device = plan->devices[i];
        devices[i].cell.what = devices[i].what;
        devices[i].cell.left_ns = -1;
        snprintf(devices[i].what, sizeof(devices[i].what), "starts");
    }
    return progress;
}

void dj_report_run_progress_destroy(struct dj_run_progress *progress)
{
    free(progress->devices);
    free(progress);
}

static void start_run(struct device *device, const struct dj_play_event *event,
                      const struct dj_batch_plan *plan, int64_t now_ns)
{
    snprintf(device->what, sizeof(device->what), "%s%s%s %" PRId64,
             plan->build_count > 1 ? event->build->label : "",
             plan->build_count > 1 ? " " : "", event->warmup ? "warm-up" : "run",
             event->number);
    device->cell.elapsed_ns = 0;
    device->cell.duration_ns = 0;
    if (device->start_ns == 0) {
        device->start_ns = now_ns;
        device->done_at_start = event->runs_done;
    }
}

static void end_run(struct device *device, const struct dj_play_event *event)
{
    struct dj_text last = {0};
    if (event->outcome == DJ_RUN_OK) {
        dj_report_run_figures_short(&last, event->metrics);
    } else {
        dj_report_run_outcome(&last, event->outcome);
    }
    snprintf(device->cell.last, sizeof(device->cell.last), "%s", dj_xtext(&last));
    dj_text_finish(&last);
}

void dj_report_run_progress_add(struct dj_run_progress *progress,
                                const struct dj_play_event *event, int64_t now_ns)
{
    struct device *device = &progress->devices[event->device];
    device->cell.done = event->runs_done;
    device->cell.planned = event->runs_planned;
    if (event->kind == DJ_PLAY_RUN) {
        start_run(device, event, progress->plan, now_ns);
    } else if (event->kind == DJ_PLAY_PROGRESS) {
        device->cell.elapsed_ns = event->progress->elapsed_ns;
        device->cell.duration_ns = event->progress->duration_ns;
    } else if (event->kind == DJ_PLAY_RUN_END) {
        end_run(device, event);
    } else if (event->kind == DJ_PLAY_DEVICE_END) {
        device->ended = true;
    }
}

/* Returns the time until the device has made all its runs, or −1 if it is unknown. */
static int64_t compute_left_ns(const struct device *device, int64_t now_ns)
{
    int64_t made = device->cell.done - device->done_at_start;
    return made > 0 && !device->ended ? (now_ns - device->start_ns) / made *
                                            (device->cell.planned - device->cell.done)
                                      : -1;
}

/* Appends the sums over all devices. Devices work in parallel, so the remaining time is
 * that of the slowest device. */
static void append_sum(const struct dj_run_progress *progress, struct dj_text *text)
{
    int64_t done = 0, planned = 0, left_ns = -1;
    for (size_t i = 0; i < progress->plan->device_count; i++) {
        int64_t device_ns = progress->devices[i].cell.left_ns;
        done += progress->devices[i].cell.done;
        planned += progress->devices[i].cell.planned;
        left_ns = device_ns > left_ns ? device_ns : left_ns;
    }
    dj_text_format(text, "%" PRId64 " of %" PRId64 " runs", done, planned);
    if (left_ns >= 0) {
        dj_text_add(text, ", about ");
        dj_report_time_left(text, left_ns);
        dj_text_add(text, " left");
    }
}

static int compute_name_width(const struct dj_batch_plan *plan)
{
    size_t width = NAME_LEAST;
    for (size_t i = 0; i < plan->device_count; i++) {
        size_t length = strlen(plan->devices[i]);
        width = length > width ? length : width;
    }
    return (int)(width < NAME_MOST ? width : NAME_MOST);
}

size_t dj_report_run_progress_write(struct dj_run_progress *progress, int64_t now_ns,
                                    int width, size_t lines, struct dj_text *text)
{
    size_t shown = 0;
    bool has_sum = progress->plan->device_count > 1;
    int name_width = compute_name_width(progress->plan);
    for (size_t i = 0; i < progress->plan->device_count && shown + 2 < lines; i++) {
        struct device *device = &progress->devices[i];
        device->cell.left_ns = compute_left_ns(device, now_ns);
        if (!device->ended) {
            dj_report_run_cell(text, &device->cell, width, name_width);
            dj_text_add(text, has_sum ? "\n" : "");
            shown++;
        }
    }
    if (has_sum) {
        append_sum(progress, text);
    }
    return shown + has_sum;
}

static void append_place(struct dj_text *line, const struct dj_batch_plan *plan,
                         const struct dj_play_event *event)
{
    dj_text_add(line, plan->devices[event->device]);
    if (plan->flow_count > 1 && event->flow != NULL) {
        dj_text_format(line, " %s", event->flow->name);
    }
    if (plan->build_count > 1 && event->build != NULL) {
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

static void append_end(struct dj_text *line, const struct dj_play_event *event)
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

bool dj_report_run_event_line(struct dj_text *line, const struct dj_batch_plan *plan,
                              const struct dj_play_event *event, bool has_display)
{
    bool is_usable = event->kind == DJ_PLAY_BATCH ||
                     (event->kind == DJ_PLAY_RUN_END && event->outcome == DJ_RUN_OK &&
                      event->message == NULL);
    if (has_display && is_usable) {
        return false;
    }
    append_place(line, plan, event);
    switch (event->kind) {
    case DJ_PLAY_BATCH:
        dj_text_format(line, "%s batch %s (fingerprint %s)",
                       event->resumed ? "continues" : "starts", event->batch,
                       event->fingerprint);
        return true;
    case DJ_PLAY_RUN_END:
        append_end(line, event);
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
