#include <math.h>
#include <stdlib.h>

#include "compare/compare_private.h"
#include "memory/memory.h"
#include "stats/order.h"

static const double quantiles[DJ_SHIFT_POINTS] = {0.1, 0.2, 0.3, 0.4,  0.5, 0.6,
                                                  0.7, 0.8, 0.9, 0.95, 0.99};

/* Returns the frame time at quantile q. Interpolates within a bucket on a logarithmic
 * scale. */
static double compute_quantile_ns(const struct dj_histogram *times, double q)
{
    double frames = 0;
    double below = 0;
    for (size_t i = 0; i < times->count; i++) {
        frames += (double)times->buckets[i].count;
    }
    double rank = q * frames;
    for (size_t i = 0; i < times->count; i++) {
        double count = (double)times->buckets[i].count;
        if (below + count >= rank) {
            int32_t key = times->buckets[i].key;
            double part = fmax(0, fmin(1, (rank - below) / count));
            return key == INT32_MIN
                       ? 0
                       : dj_exponential_upper_ns(key) * exp2((part - 1) / 64);
        }
        below += count;
    }
    return NAN;
}

static double find_quantile(const struct dj_side_run *run, double q)
{
    static const struct {
        double q;
        enum dj_metric metric;
    } known[] = {{0.5, DJ_METRIC_GUIDE_TOTAL_P50},
                 {0.9, DJ_METRIC_GUIDE_TOTAL_P90},
                 {0.95, DJ_METRIC_GUIDE_TOTAL_P95},
                 {0.99, DJ_METRIC_GUIDE_TOTAL_P99}};
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        if (known[i].q == q) {
            return run->metrics.value[known[i].metric];
        }
    }
    return NAN;
}

/* Stores the logarithms of quantile q of the runs, in ascending order. Returns the number
 * of runs that know the quantile. */
static size_t read_logs(const struct dj_side *side, double q, bool guide_total,
                        double *logs)
{
    size_t count = 0;
    for (size_t i = 0; i < side->run_count; i++) {
        const struct dj_side_run *run = &side->runs[i];
        double ns =
            guide_total ? find_quantile(run, q) : compute_quantile_ns(&run->times, q);
        if (ns > 0) {
            logs[count++] = log(ns);
        }
    }
    dj_order_sort(logs, count);
    return count;
}

static int add_point(struct dj_comparison *comparison, double q, double *x, double *y)
{
    bool guide_total = comparison->shift_guide_total;
    size_t n = read_logs(comparison->a, q, guide_total, x);
    size_t m = read_logs(comparison->b, q, guide_total, y);
    double level = 1 - comparison->alpha / DJ_SHIFT_POINTS;
    double shift;
    struct dj_bounds bounds;
    if (n == 0 || m == 0) {
        return 0;
    }
    int code = dj_xcode(dj_shift_compute_sorted(x, n, y, m, &level, 1, &shift, &bounds));
    if (code != 0) {
        return code;
    }
    comparison->shift[comparison->shift_count++] = (struct dj_shift_point){
        .q = q,
        .a_ns = exp(dj_order_median_sorted(x, n)),
        .b_ns = exp(dj_order_median_sorted(y, m)),
        .ratio = exp(shift),
        .ci = {exp(bounds.low), exp(bounds.high)},
    };
    return 0;
}

static bool has_times(const struct dj_side *side)
{
    for (size_t i = 0; i < side->run_count; i++) {
        if (side->runs[i].times.count > 0) {
            return true;
        }
    }
    return false;
}

int dj_compare_compute_shift(struct dj_comparison *comparison)
{
    double *x = dj_xcalloc(comparison->a->run_count, sizeof(*x));
    double *y = dj_xcalloc(comparison->b->run_count, sizeof(*y));
    int code = 0;
    comparison->shift_guide_total =
        !(has_times(comparison->a) && has_times(comparison->b));
    for (size_t i = 0; i < DJ_SHIFT_POINTS && code == 0; i++) {
        code = add_point(comparison, quantiles[i], x, y);
    }
    free(x);
    free(y);
    return code;
}

static void count_findings(const struct dj_side *side, enum dj_finding_id id,
                           size_t *known, size_t *found)
{
    *known = *found = 0;
    for (size_t i = 0; i < side->run_count; i++) {
        *known += side->runs[i].findings_known;
        *found += side->runs[i].findings_known && side->runs[i].found[id];
    }
}

void dj_compare_add_findings(struct dj_comparison *comparison)
{
    for (int id = 0; id < DJ_FINDING_COUNT; id++) {
        struct dj_finding_change change = {.id = (enum dj_finding_id)id};
        count_findings(comparison->a, change.id, &change.known_a, &change.runs_a);
        count_findings(comparison->b, change.id, &change.known_b, &change.runs_b);
        bool known = change.known_a > 0 && change.known_b > 0;
        change.appeared =
            known && change.runs_a == 0 && 2 * change.runs_b > change.known_b;
        change.went = known && change.runs_b == 0 && 2 * change.runs_a > change.known_a;
        if (change.runs_a > 0 || change.runs_b > 0) {
            comparison->findings[comparison->finding_count++] = change;
        }
    }
}
