#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "frame/findings.h"
#include "frame/interval.h"
#include "gfxinfo/lines.h"
#include "gfxinfo/parse.h"
#include "gfxinfo/release.h"
#include "history/metrics.h"
#include "history/printed_figures.h"
#include "stats/quantile.h"

/* Numbers of all view windows and processes together: their quantiles cannot be had from
 * those of each. */
struct numbers {
    int64_t *ns;
    size_t count, capacity;
};

static bool put_number(struct numbers *numbers, int64_t ns)
{
    if (numbers->count == numbers->capacity) {
        size_t wanted = numbers->capacity == 0 ? 256 : numbers->capacity * 2;
        int64_t *larger = dj_array_resize(numbers->ns, wanted, sizeof(*larger));
        if (larger == NULL) {
            return false;
        }
        numbers->ns = larger;
        numbers->capacity = wanted;
    }
    numbers->ns[numbers->count++] = ns;
    return true;
}

/* What the rows of one window of the run come to, one view window after the other. */
struct gathering {
    bool has_rows; /* the text has a place for rows: their number is known, if it is 0 */
    size_t rows, usable, judged, janky, guide_frames, guide_over, making_frames, dropped;
    int64_t making_ns;
    struct dj_stats exact;
    bool found[DJ_FINDING_COUNT];
    bool findings_known;
    int64_t interval_ns;  /* of the view window with the most rows */
    size_t interval_rows; /* it has; 0: unknown */
    struct numbers frame_times, guide_totals, stage[DJ_STAGE_COUNT];
};

static void finish_gathering(struct gathering *gathering)
{
    free(gathering->frame_times.ns);
    free(gathering->guide_totals.ns);
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        free(gathering->stage[i].ns);
    }
}

/* ---- rows ---- */

/* Some rows of one view window, judged. */
struct judged {
    const struct dj_frame *frames;
    size_t count;
    struct dj_row_facts *facts;
    struct dj_summary summary;
    struct dj_findings findings;
    int64_t interval_ns;
};

static bool add_row(struct gathering *gathering, const struct dj_frame *frame,
                    const struct dj_row_facts *facts)
{
    struct dj_stages stages;
    int64_t total_ns = dj_subtract_saturated(frame->value[DJ_COLUMN_FRAME_COMPLETED],
                                             frame->value[DJ_COLUMN_INTENDED_VSYNC]);
    bool put =
        !facts->judged || put_number(&gathering->frame_times, facts->frame_time_ns);
    put = put && put_number(&gathering->guide_totals, total_ns);
    dj_stages_of(frame, &stages);
    for (size_t i = 0; i < DJ_STAGE_COUNT && put; i++) {
        put = (stages.known & (1U << i)) == 0 ||
              put_number(&gathering->stage[i], stages.ns[i]);
    }
    return put;
}

static bool add_judged(struct gathering *gathering, const struct judged *judged)
{
    const struct dj_summary *summary = &judged->summary;
    gathering->rows += summary->rows;
    gathering->usable += summary->usable;
    gathering->judged += summary->judged;
    gathering->janky += summary->janky;
    gathering->guide_frames += summary->guide.count;
    gathering->guide_over += summary->guide_over;
    gathering->making_frames += summary->making_frames;
    gathering->making_ns = dj_add_saturated(gathering->making_ns, summary->making_ns);
    gathering->dropped += summary->dropped_intervals;
    dj_stats_merge(&gathering->exact, &summary->exact);
    for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
        gathering->found[i] = gathering->found[i] || judged->findings.of[i].frames > 0;
        gathering->findings_known =
            gathering->findings_known || judged->findings.of[i].measured_frames > 0;
    }
    if (judged->count > gathering->interval_rows) {
        gathering->interval_rows = judged->count;
        gathering->interval_ns = judged->interval_ns;
    }
    for (size_t i = 0; i < judged->count; i++) {
        if (judged->facts[i].usability == DJ_ROW_USABLE &&
            !add_row(gathering, &judged->frames[i], &judged->facts[i])) {
            return false;
        }
    }
    return true;
}

static const struct dj_dialect *dialect_of(const struct dj_dump *dump,
                                           const struct dj_dump_process *process)
{
    return process->dialect != NULL ? process->dialect
           : dump->dialect != NULL  ? dump->dialect
                                    : dj_dialect_default();
}

/* The interval is that of all rows of the view window, so that a short window of the run
 * is judged as the whole is. */
static int64_t interval_of(const struct dj_dump_process *process,
                           const struct dj_dump_window *window, int64_t *scratch)
{
    return dj_interval_of(
               (struct dj_interval){process->interval_ns, process->interval_assumed},
               window->frames, window->frame_count, scratch)
        .ns;
}

static size_t select_rows(const struct dj_dump_window *window, const struct dj_span *span,
                          struct dj_frame *selected)
{
    size_t count = 0;
    for (size_t i = 0; i < window->frame_count; i++) {
        if (dj_span_holds(span, &window->frames[i])) {
            selected[count++] = window->frames[i];
        }
    }
    return count;
}

/* Memory for the rows of one view window. */
struct desk {
    struct dj_frame *selected;
    struct dj_row_facts *facts;
    int64_t *scratch;
};

static bool open_desk(struct desk *desk, size_t rows)
{
    desk->selected = dj_array_resize(NULL, rows + 1, sizeof(*desk->selected));
    desk->facts = dj_array_resize(NULL, rows + 1, sizeof(*desk->facts));
    desk->scratch =
        dj_array_resize(NULL, rows + 1, DJ_SUMMARY_SCRATCH * sizeof(*desk->scratch));
    return desk->selected != NULL && desk->facts != NULL && desk->scratch != NULL;
}

static void close_desk(struct desk *desk)
{
    free(desk->selected);
    free(desk->facts);
    free(desk->scratch);
}

/* ---- the whole text ---- */

struct work {
    const struct dj_figure_rules *rules;
    const struct dj_span *windows;
    size_t count, whole;
    struct gathering *gatherings;
    struct dj_printed printed;
};

static bool add_window(struct work *work, const struct dj_dump *dump,
                       const struct dj_dump_process *process,
                       const struct dj_dump_window *window, struct desk *desk)
{
    struct dj_summary_rules rules = {
        .dialect = dialect_of(dump, process),
        .interval_ns = interval_of(process, window, desk->scratch),
        .required = dj_dump_required_columns(process, window),
    };
    for (size_t i = 0; i < work->count; i++) {
        bool whole = i == work->whole;
        struct judged judged = {
            .frames = whole ? window->frames : desk->selected,
            .count = whole ? window->frame_count
                           : select_rows(window, &work->windows[i], desk->selected),
            .facts = desk->facts,
            .interval_ns = rules.interval_ns,
        };
        dj_summarize(judged.frames, judged.count, &rules, judged.facts, desk->scratch,
                     &judged.summary);
        dj_findings_of(judged.frames, judged.count, judged.facts, rules.interval_ns,
                       &judged.findings);
        work->gatherings[i].has_rows |= window->has_frames;
        if (!add_judged(&work->gatherings[i], &judged)) {
            return false;
        }
    }
    return true;
}

static bool add_process(struct work *work, const struct dj_dump *dump,
                        const struct dj_dump_process *process)
{
    bool added = true;
    for (size_t i = 0; i < process->window_count && added; i++) {
        struct desk desk = {0};
        added = open_desk(&desk, process->windows[i].frame_count) &&
                add_window(work, dump, process, &process->windows[i], &desk);
        close_desk(&desk);
    }
    dj_printed_add(&work->printed, process, dialect_of(dump, process));
    return added;
}

static int take_dump(void *data, struct dj_dump *dump)
{
    struct work *work = data;
    if (work->rules->release != NULL) {
        dj_release_set(dump, work->rules->release);
    }
    for (size_t i = 0; i < dump->process_count; i++) {
        if (!add_process(work, dump, &dump->processes[i])) {
            return DJ_E_NO_MEMORY;
        }
    }
    return 0;
}

/* ---- what it comes to ---- */

static void set_spread(struct dj_metrics *metrics, enum dj_metric p50,
                       const struct dj_spread *spread)
{
    if (spread->count == 0) {
        return;
    }
    metrics->value[p50] = spread->p50_ns;
    metrics->value[p50 + 1] = spread->p90_ns;
    metrics->value[p50 + 2] = spread->p95_ns;
    metrics->value[p50 + 3] = spread->p99_ns;
    metrics->value[p50 + 4] = spread->mean_ns;
}

static void set_stages(struct gathering *gathering, struct dj_metrics *metrics)
{
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        struct dj_spread spread;
        struct numbers *numbers = &gathering->stage[i];
        dj_spread_of(numbers->ns, numbers->count, &spread);
        if (spread.count > 0) {
            metrics->value[DJ_METRIC_APP_P50 + 2 * i] = spread.p50_ns;
            metrics->value[DJ_METRIC_APP_P50 + 2 * i + 1] = spread.p95_ns;
        }
    }
}

_Static_assert(DJ_METRIC_SWAP_P95 - DJ_METRIC_APP_P50 + 1 == 2 * DJ_STAGE_COUNT,
               "two metrics for each stage, in their order");

static void set_judged(const struct gathering *gathering, struct dj_metrics *metrics)
{
    static const struct {
        enum dj_metric metric;
        enum dj_counter counter;
    } counters[] = {
        {DJ_METRIC_ROWS_MISSED_VSYNC, DJ_COUNTER_MISSED_VSYNC},
        {DJ_METRIC_ROWS_HIGH_INPUT_LATENCY, DJ_COUNTER_HIGH_INPUT_LATENCY},
        {DJ_METRIC_ROWS_SLOW_UI_THREAD, DJ_COUNTER_SLOW_UI_THREAD},
        {DJ_METRIC_ROWS_SLOW_BITMAP_UPLOADS, DJ_COUNTER_SLOW_BITMAP_UPLOADS},
        {DJ_METRIC_ROWS_SLOW_ISSUE_DRAW_COMMANDS, DJ_COUNTER_SLOW_ISSUE_DRAW_COMMANDS},
        {DJ_METRIC_ROWS_DEADLINE_MISSED, DJ_COUNTER_DEADLINE_MISSED},
    };
    double *value = metrics->value;
    value[DJ_METRIC_ROWS_JANKY] = (double)gathering->janky;
    value[DJ_METRIC_ROWS_JANKY_PCT] =
        100 * (double)gathering->janky / (double)gathering->judged;
    for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
        value[counters[i].metric] = gathering->exact.counter[counters[i].counter];
    }
}

static void set_rows(struct gathering *gathering, struct dj_metrics *metrics)
{
    double *value = metrics->value;
    size_t findings = 0;
    for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
        findings += gathering->found[i];
    }
    value[DJ_METRIC_ROWS] = (double)gathering->rows;
    value[DJ_METRIC_ROWS_USABLE] = (double)gathering->usable;
    value[DJ_METRIC_ROWS_JUDGED] = (double)gathering->judged;
    if (gathering->judged > 0) {
        set_judged(gathering, metrics);
    }
    if (gathering->usable > 0) {
        value[DJ_METRIC_GUIDE_FRAMES] = (double)gathering->guide_frames;
        value[DJ_METRIC_GUIDE_OVER] = (double)gathering->guide_over;
    }
    if (gathering->making_frames > 0) {
        value[DJ_METRIC_FRAME_RATE] =
            (double)gathering->making_frames * 1e9 / (double)gathering->making_ns;
        value[DJ_METRIC_DROPPED_INTERVALS] = (double)gathering->dropped;
    }
    if (gathering->interval_rows > 0) {
        value[DJ_METRIC_INTERVAL] = (double)gathering->interval_ns;
    }
    if (gathering->findings_known) {
        value[DJ_METRIC_FINDINGS] = (double)findings;
    }
}

static void set_times(struct gathering *gathering, struct dj_metrics *metrics)
{
    struct dj_spread spread;
    dj_spread_of(gathering->frame_times.ns, gathering->frame_times.count, &spread);
    set_spread(metrics, DJ_METRIC_FRAME_TIME_P50, &spread);
    if (spread.count > 0) {
        metrics->value[DJ_METRIC_FRAME_TIME_MAX] = (double)spread.max_ns;
    }
    dj_spread_of(gathering->guide_totals.ns, gathering->guide_totals.count, &spread);
    set_spread(metrics, DJ_METRIC_GUIDE_TOTAL_P50, &spread);
    set_stages(gathering, metrics);
}

/* hwui's counts where it has them, for they are of all frames; else those of the rows.
 * Rows that no rule judges (of another tool's log) are frames all the same. */
static void set_headline(struct dj_metrics *metrics)
{
    double *value = metrics->value;
    bool hwui = value[DJ_METRIC_HWUI_TOTAL] > 0 && !isnan(value[DJ_METRIC_HWUI_JANKY]);
    double rows = value[value[DJ_METRIC_ROWS_JUDGED] > 0 ? DJ_METRIC_ROWS_JUDGED
                                                         : DJ_METRIC_ROWS_USABLE];
    double frames = hwui ? value[DJ_METRIC_HWUI_TOTAL] : rows;
    double janky = value[hwui ? DJ_METRIC_HWUI_JANKY : DJ_METRIC_ROWS_JANKY];
    value[DJ_METRIC_FRAMES] = isnan(frames) ? value[DJ_METRIC_HWUI_TOTAL] : frames;
    if (frames > 0 && !isnan(janky)) {
        value[DJ_METRIC_JANKY_FRAMES] = janky;
        value[DJ_METRIC_JANKY_PCT] = 100 * janky / frames;
    }
}

/* Ascending, as the quantiles need not have left them. */
static bool set_histogram(struct numbers *times, struct dj_histogram *histogram)
{
    dj_sort_int64(times->ns, times->count);
    histogram->buckets = calloc(times->count + 1, sizeof(*histogram->buckets));
    for (size_t i = 0; i < times->count && histogram->buckets != NULL; i++) {
        int32_t key = dj_exponential_key(times->ns[i]);
        if (histogram->count == 0 ||
            histogram->buckets[histogram->count - 1].key != key) {
            histogram->buckets[histogram->count++].key = key;
        }
        histogram->buckets[histogram->count - 1].count++;
    }
    return histogram->buckets != NULL;
}

static bool settle(struct work *work, struct dj_window_figures *figures)
{
    bool settled = true;
    for (size_t i = 0; i < work->count && settled; i++) {
        struct gathering *gathering = &work->gatherings[i];
        if (gathering->has_rows) {
            set_rows(gathering, &figures[i].metrics);
            set_times(gathering, &figures[i].metrics);
        }
        if (i == work->whole) {
            settled = dj_printed_settle(&work->printed, &figures[i]);
        }
        set_headline(&figures[i].metrics);
        settled =
            settled && set_histogram(&gathering->frame_times,
                                     &figures[i].histogram[DJ_HISTOGRAM_FRAME_TIME]);
    }
    return settled;
}

static int read_text(struct work *work, const char *text, size_t length)
{
    struct dj_parse_report *report = calloc(1, sizeof(*report));
    struct dj_parser *parser =
        report != NULL ? dj_parser_create(take_dump, work, report) : NULL;
    int code = DJ_E_NO_MEMORY;
    if (parser != NULL) {
        code = dj_parser_feed(parser, text, length);
        code = code == 0 ? dj_parser_end(parser) : code;
    }
    dj_parser_destroy(parser);
    free(report);
    return code;
}

int dj_figures_compute(const char *text, size_t length,
                       const struct dj_figure_rules *rules, const struct dj_span *windows,
                       size_t count, size_t whole, struct dj_window_figures *figures,
                       struct dj_error *err)
{
    struct work work = {
        .rules = rules,
        .windows = windows,
        .count = count,
        .whole = whole,
        .gatherings = calloc(count + 1, sizeof(*work.gatherings)),
    };
    for (size_t i = 0; i < count; i++) {
        figures[i] = (struct dj_window_figures){0};
        dj_metrics_clear(&figures[i].metrics);
    }
    int code = work.gatherings != NULL ? read_text(&work, text, length) : DJ_E_NO_MEMORY;
    if (code == 0 && !settle(&work, figures)) {
        code = DJ_E_NO_MEMORY;
    }
    for (size_t i = 0; i < count && work.gatherings != NULL; i++) {
        finish_gathering(&work.gatherings[i]);
    }
    free(work.gatherings);
    return code == 0
               ? 0
               : dj_error_set(err, code, "the frames of a run do not fit into memory");
}
