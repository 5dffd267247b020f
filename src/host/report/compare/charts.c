#include "report/compare/charts.h"

#include <math.h>
#include <stdlib.h>

#include "base/compare.h"
#include "memory/memory.h"
#include "report/compare.h"
#include "stats/exponential.h"

enum { BINS = 60 };

/* The histogram ends at this quantile of the frame times of the slower side. */
static const double SHOWN = 0.995;

static const enum dj_color_role roles[] = {DJ_ROLE_FIRST, DJ_ROLE_SECOND};
static const char *const names[] = {"A", "B"};

void dj_report_add_shift_chart(struct dj_document *document,
                               const struct dj_comparison *comparison)
{
    struct dj_chart *chart = dj_chart_create("Change of B against A at each quantile");
    dj_chart_set_x(chart, "quantile", "%");
    dj_chart_set_y(chart, "change", "%", true);
    dj_chart_add_series(chart, "change", DJ_MARK_INTERVAL, DJ_ROLE_FIRST);
    dj_chart_add_threshold(chart, false, 0, DJ_ROLE_MUTED, "no change");
    for (size_t i = 0; i < comparison->shift_count; i++) {
        const struct dj_shift_point *point = &comparison->shift[i];
        dj_chart_add_interval(chart, 100 * point->q, 100 * (point->ratio - 1),
                              100 * (point->ci.low - 1), 100 * (point->ci.high - 1),
                              NULL);
    }
    dj_document_add_chart(document, chart);
}

/* Returns the frame times of all runs of a side. The caller finishes the histogram. */
static struct dj_histogram merge_times(const struct dj_side *side)
{
    struct dj_histogram times = {0};
    for (size_t i = 0; i < side->run_count; i++) {
        dj_xcheck(dj_exponential_merge(&times, &side->runs[i].times));
    }
    return times;
}

static uint64_t count_frames(const struct dj_histogram *times)
{
    uint64_t frames = 0;
    for (size_t i = 0; i < times->count; i++) {
        frames += times->buckets[i].count;
    }
    return frames;
}

static double get_bucket_ms(const struct dj_histogram_bucket *bucket)
{
    return dj_exponential_value(bucket->key, DJ_EXPONENTIAL_SCALE) / 1e6;
}

static double find_end_ms(const struct dj_histogram times[2])
{
    double end_ns = 0;
    for (int i = 0; i < 2; i++) {
        if (times[i].count > 0) {
            end_ns = fmax(
                end_ns, dj_exponential_quantile(&times[i], DJ_EXPONENTIAL_SCALE, SHOWN));
        }
    }
    return end_ns / 1e6;
}

static void add_histogram(struct dj_chart *chart, const struct dj_histogram *times,
                          double end_ms)
{
    double shares[BINS] = {0};
    double frames = (double)count_frames(times);
    for (size_t i = 0; i < times->count; i++) {
        double bin = get_bucket_ms(&times->buckets[i]) / end_ms * BINS;
        if (bin < BINS) {
            shares[(size_t)bin] += 100 * (double)times->buckets[i].count / frames;
        }
    }
    for (size_t i = 0; i < BINS && times->count > 0; i++) {
        dj_chart_add_point(chart, end_ms * (double)i / BINS, shares[i], NULL);
    }
}

static void add_cumulative(struct dj_chart *chart, const struct dj_histogram *times,
                           double end_ms)
{
    double frames = (double)count_frames(times);
    double below = 0;
    for (size_t i = 0; i < times->count && get_bucket_ms(&times->buckets[i]) <= end_ms;
         i++) {
        below += (double)times->buckets[i].count;
        dj_chart_add_point(chart, get_bucket_ms(&times->buckets[i]), 100 * below / frames,
                           NULL);
    }
}

static struct dj_chart *create_times_chart(const char *title, const char *y)
{
    struct dj_chart *chart = dj_chart_create(title);
    dj_chart_set_x(chart, "frame time", "ms");
    dj_chart_set_y(chart, y, "%", true);
    return chart;
}

void dj_report_add_distribution_charts(struct dj_document *document,
                                       const struct dj_comparison *comparison)
{
    struct dj_histogram times[] = {merge_times(comparison->a),
                                   merge_times(comparison->b)};
    double end_ms = find_end_ms(times);
    struct dj_chart *histogram = create_times_chart("Frame times", "share of frames");
    struct dj_chart *cumulative =
        create_times_chart("Cumulative distribution", "frames up to this time");
    for (int i = 0; i < 2 && end_ms > 0; i++) {
        dj_chart_add_series(histogram, names[i], DJ_MARK_STEP, roles[i]);
        add_histogram(histogram, &times[i], end_ms);
        dj_chart_add_series(cumulative, names[i], DJ_MARK_LINE, roles[i]);
        add_cumulative(cumulative, &times[i], end_ms);
    }
    dj_document_add_chart(document, histogram);
    dj_document_add_chart(document, cumulative);
    dj_exponential_finish(&times[0]);
    dj_exponential_finish(&times[1]);
}

struct run_start {
    /* The start of the run on the device's clock, or on the host's if the device's is
     * unknown. */
    int64_t at;
    int side;
    size_t run;
};

static int by_start(const void *a, const void *b)
{
    const struct run_start *left = a, *right = b;
    return DJ_COMPARE(left->at, right->at);
}

/* Returns the runs of both sides in the order of measurement. Runs with unknown starts
 * keep the order of their side, A first. The caller frees the array. */
static struct run_start *sort_runs(const struct dj_comparison *comparison, size_t *count)
{
    const struct dj_side *sides[] = {comparison->a, comparison->b};
    struct run_start *starts = NULL;
    bool known = true;
    *count = 0;
    for (int i = 0; i < 2; i++) {
        for (size_t k = 0; k < sides[i]->run_count; k++) {
            int64_t at = sides[i]->runs[k].started_unix_ms;
            known = known && at > 0;
            DJ_XPUSH(starts, *count, (struct run_start){at, i, k});
        }
    }
    if (known) {
        qsort(starts, *count, sizeof(*starts), by_start);
    }
    return starts;
}

static void add_run_chart(struct dj_document *document,
                          const struct dj_comparison_metric *metric,
                          const struct run_start *starts, size_t count)
{
    const struct dj_effect_side *sides[] = {&metric->member.a, &metric->member.b};
    struct dj_text title = {0};
    dj_text_format(&title, "%s of each run, in the order of measurement",
                   metric->metric->words);
    struct dj_chart *chart = dj_chart_create(dj_xtext(&title));
    dj_chart_set_x(chart, "run", "");
    dj_chart_set_y(chart, metric->metric->words, metric->metric->unit, false);
    for (int i = 0; i < 2; i++) {
        dj_chart_add_series(chart, names[i], DJ_MARK_POINT, roles[i]);
        for (size_t k = 0; k < count; k++) {
            if (starts[k].side == i && starts[k].run < sides[i]->count) {
                dj_chart_add_point(
                    chart, (double)k + 1,
                    dj_report_get_run_value(metric, sides[i], starts[k].run), NULL);
            }
        }
    }
    dj_document_add_chart(document, chart);
    dj_text_finish(&title);
}

void dj_report_add_run_charts(struct dj_document *document,
                              const struct dj_comparison *comparison)
{
    size_t count;
    struct run_start *starts = sort_runs(comparison, &count);
    for (size_t i = 0; i < comparison->metric_count; i++) {
        if (comparison->metrics[i].member.gates) {
            add_run_chart(document, &comparison->metrics[i], starts, count);
        }
    }
    free(starts);
}
