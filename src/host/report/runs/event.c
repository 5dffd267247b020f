#include "report/run_event.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "memory/memory.h"
#include "report/escape/name.h"
#include "report/progress_bar.h"

enum {
    BAR = 8,             /* Width of the progress bar of a device, in columns. */
    BAR_FROM_WIDTH = 60, /* Minimum width of the terminal for a progress bar. */
    WHAT_WIDTH = 10      /* Width in columns of the text about the device's activity. */
};

void dj_report_time_left(struct dj_text *text, int64_t ns)
{
    int64_t s = (ns + DJ_SECOND_NS / 2) / DJ_SECOND_NS;
    if (s >= 3600) {
        dj_text_format(text, "%" PRId64 " h %02" PRId64 " m", s / 3600, s % 3600 / 60);
    } else if (s >= 60) {
        dj_text_format(text, "%" PRId64 " m %02" PRId64 " s", s / 60, s % 60);
    } else {
        dj_text_format(text, "%" PRId64 " s", s);
    }
}

static void append_figures(struct dj_text *text, const struct dj_metrics *metrics,
                           size_t first)
{
    static const struct {
        enum dj_metric metric;
        const char *before;
        int decimals;
        const char *after;
        double factor;
    } figures[] = {
        {DJ_METRIC_FRAMES, "", 0, " frames", 1},
        {DJ_METRIC_FRAME_TIME_P50, "p50 ", 1, " ms", 1e-6},
        {DJ_METRIC_FRAME_TIME_P95, "p95 ", 1, " ms", 1e-6},
        {DJ_METRIC_JANKY_PCT, "", 1, " % janky", 1},
    };
    const char *between = "";
    for (size_t i = first; i < COUNT_OF(figures); i++) {
        double value = metrics->value[figures[i].metric];
        if (!isnan(value)) {
            dj_text_format(text, "%s%s%.*f%s", between, figures[i].before,
                           figures[i].decimals, value * figures[i].factor,
                           figures[i].after);
            between = ", ";
        }
    }
}

void dj_report_run_outcome(struct dj_text *text, enum dj_run_outcome outcome)
{
    dj_name_write_slug(text, dj_facts_outcome_name(outcome));
}

void dj_report_run_figures(struct dj_text *text, const struct dj_metrics *metrics)
{
    append_figures(text, metrics, 0);
}

void dj_report_run_figures_short(struct dj_text *text, const struct dj_metrics *metrics)
{
    append_figures(text, metrics, 2);
}

/* Appends a name padded to `width` columns. Counts each byte as a column, because names
 * can contain any bytes. The name is then never too wide. */
static void append_padded(struct dj_text *text, const char *word, int width)
{
    struct dj_text safe = {0};
    dj_text_append_escaped_name(&safe, word);
    dj_text_format(text, "%-*.*s ", width, width, dj_xtext(&safe));
    dj_text_finish(&safe);
}

void dj_report_run_cell(struct dj_text *text, const struct dj_run_cell *cell, int width,
                        int name_width)
{
    struct dj_text line = {0};
    append_padded(&line, cell->device, name_width);
    append_padded(&line, cell->what, WHAT_WIDTH);
    double share = (double)cell->elapsed_ns / (double)cell->duration_ns;
    if (width >= BAR_FROM_WIDTH) {
        dj_progress_bar_append_cells(&line, BAR, cell->duration_ns > 0 ? share : 0);
    }
    dj_text_format(&line, "%" PRId64 " of %" PRId64 " runs", cell->done, cell->planned);
    if (cell->left_ns >= 0) {
        dj_text_add(&line, ", ");
        dj_report_time_left(&line, cell->left_ns);
        dj_text_add(&line, " left");
    }
    dj_text_format(&line, "%s%s", cell->last[0] != '\0' ? "; " : "", cell->last);
    size_t length = line.length < (size_t)width ? line.length : (size_t)width;
    dj_text_append(text, dj_xtext(&line), length);
    dj_text_finish(&line);
}

static void put_run(struct dj_text *text, const struct dj_play_event *event)
{
    dj_json_add_int(text, "run", event->number);
    dj_json_add_int(text, "attempt", event->attempt);
    dj_json_add_bool(text, "warmup", event->warmup);
}

/* Adds the outcome of a run. If the run is usable but was disturbed, also adds the cause.
 * The message of such a run is a remark such as "load: other programs …". */
static void put_outcome(struct dj_text *text, const struct dj_play_event *event)
{
    bool is_disturbed = event->outcome == DJ_RUN_OK && event->message != NULL;
    dj_json_add_string(text, "outcome", dj_facts_outcome_name(event->outcome));
    dj_json_add_bool(text, "disturbed", is_disturbed);
    const char *colon = is_disturbed ? strstr(event->message, ": ") : NULL;
    if (colon != NULL) {
        char *cause = dj_xcopy(event->message, (size_t)(colon - event->message));
        dj_json_add_string(text, "disturbed_by", cause);
        free(cause);
    }
}

static void put_metrics(struct dj_text *text, const struct dj_metrics *metrics)
{
    dj_json_open_object(text, "metrics");
    for (int i = 0; i < DJ_METRIC_COUNT; i++) {
        if (!isnan(metrics->value[i])) {
            dj_json_add_number(text, dj_metrics_name((enum dj_metric)i),
                               metrics->value[i]);
        }
    }
    dj_json_close(text, "}");
}

static const char *const names[DJ_PLAY_KINDS] = {
    [DJ_PLAY_DEVICE] = "device",
    [DJ_PLAY_BATCH] = "batch",
    [DJ_PLAY_RUN] = "run",
    [DJ_PLAY_PROGRESS] = "progress",
    [DJ_PLAY_RUN_END] = "run-end",
    [DJ_PLAY_REPEAT] = "repeat",
    [DJ_PLAY_SAYS] = "note",
    [DJ_PLAY_FAILED] = "failed",
    [DJ_PLAY_DEVICE_END] = "device-end",
};

void dj_report_run_event_json(struct dj_text *text, const struct dj_batch_plan *plan,
                              const struct dj_play_event *event)
{
    dj_json_open_document(text, "dejank.run-events/1");
    dj_json_add_string(text, "event", names[event->kind]);
    dj_json_add_string(text, "device", plan->devices[event->device]);
    dj_json_add_int(text, "done", event->runs_done);
    dj_json_add_int(text, "planned", event->runs_planned);
    if (event->flow != NULL) {
        dj_json_add_string(text, "flow", event->flow->name);
    }
    if (event->build != NULL) {
        dj_json_add_string(text, "build", event->build->label);
    }
    if (event->batch != NULL) {
        dj_json_add_string(text, "batch", event->batch);
    }
    if (event->kind == DJ_PLAY_BATCH) {
        dj_json_add_string(text, "fingerprint", event->fingerprint);
        dj_json_add_bool(text, "resumed", event->resumed);
    }
    if (event->number > 0) {
        put_run(text, event);
    }
    if (event->kind == DJ_PLAY_RUN_END ||
        (event->kind == DJ_PLAY_REPEAT && event->number > 0)) {
        put_outcome(text, event);
    }
    if (event->message != NULL) {
        dj_json_add_string(text, "message", event->message);
    }
    if (event->progress != NULL) {
        dj_json_add_int(text, "elapsed_ns", event->progress->elapsed_ns);
        dj_json_add_int(text, "rows", (int64_t)event->progress->rows);
    }
    if (event->recovery != NULL) {
        dj_json_add_int(text, "recovered", event->recovery->recovered);
        dj_json_add_int(text, "expected", event->recovery->expected);
    }
    if (event->metrics != NULL) {
        put_metrics(text, event->metrics);
    }
    dj_json_close(text, "}");
}
