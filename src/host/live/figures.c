#include <math.h>
#include <stdlib.h>

#include "live/state/state.h"

static int64_t round_ns(double ns)
{
    return ns >= 0 && ns < (double)INT64_MAX ? llround(ns) : -1;
}

static void set_rate(struct dj_live_figures *figures)
{
    figures->fps = figures->span_ns > 0
                       ? (double)figures->frames * 1e9 / (double)figures->span_ns
                       : (double)NAN;
}

double dj_live_janky_percent(const struct dj_live_figures *figures)
{
    return figures->judged > 0 ? (double)figures->janky * 100 / (double)figures->judged
                               : (double)NAN;
}

/* Returns the end of the time span that the figures cover. If the app has ended, this is
 * the end of its last frame. */
static int64_t find_end(const struct dj_live *live)
{
    return live->state == DJ_LIVE_RUNNING && live->now_ns >= 0 ? live->now_ns
                                                               : live->last_end_ns;
}

/* Returns the start of the last 10 s before end_ns. If the oldest kept frame is later,
 * returns the start of this frame. */
static int64_t find_last_start(const struct dj_live *live, int64_t end_ns)
{
    int64_t start_ns = end_ns - DJ_LIVE_SPAN_NS;
    int64_t oldest_ns =
        live->has_discarded ? dj_live_get_frame(live, 0)->start_ns : live->first_start_ns;
    return oldest_ns > start_ns ? oldest_ns : start_ns;
}

/* Adds up the frames that start at start_ns or later. Writes their frame times to
 * times_ns and returns the number of frame times. */
static size_t sum_frames(const struct dj_live *live, int64_t start_ns,
                         struct dj_live_figures *figures, int64_t *times_ns)
{
    size_t time_count = 0;
    for (size_t i = 0; i < live->frame_count; i++) {
        const struct dj_live_frame *frame = dj_live_get_frame(live, i);
        if (frame->start_ns < start_ns) {
            continue;
        }
        figures->frames++;
        figures->judged += frame->is_judged ? 1 : 0;
        figures->janky += frame->is_janky ? 1 : 0;
        dj_live_count_lost(figures, frame->lost_before);
        if (frame->frame_time_ns >= 0) {
            times_ns[time_count++] = frame->frame_time_ns;
        }
    }
    return time_count;
}

static void set_percentiles(struct dj_live_figures *figures, int64_t *times_ns,
                            size_t count)
{
    struct dj_spread spread;
    dj_frame_compute_spread(times_ns, count, &spread);
    if (count > 0) {
        figures->p50_ns = round_ns(spread.p50_ns);
        figures->p90_ns = round_ns(spread.p90_ns);
        figures->p95_ns = round_ns(spread.p95_ns);
        figures->p99_ns = round_ns(spread.p99_ns);
        figures->longest_ns = spread.max_ns;
    }
}

static const struct dj_live_figures no_figures = {
    .p50_ns = -1, .p90_ns = -1, .p95_ns = -1, .p99_ns = -1, .longest_ns = -1};

static int compute_between(const struct dj_live *live, int64_t start_ns, int64_t end_ns,
                           struct dj_live_figures *figures, struct dj_error *err)
{
    *figures = no_figures;
    if (live->frame_count > 0) {
        int64_t *times_ns = calloc(live->frame_count, sizeof(*times_ns));
        if (times_ns == NULL) {
            return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
        }
        size_t count = sum_frames(live, start_ns, figures, times_ns);
        set_percentiles(figures, times_ns, count);
        free(times_ns);
    }
    figures->span_ns = figures->frames > 0 && end_ns > start_ns ? end_ns - start_ns : 0;
    set_rate(figures);
    return 0;
}

int dj_live_compute_last(const struct dj_live *live, struct dj_live_figures *figures,
                         struct dj_error *err)
{
    int64_t end_ns = find_end(live);
    int64_t start_ns = live->frame_count > 0 ? find_last_start(live, end_ns) : end_ns;
    return compute_between(live, start_ns, end_ns, figures, err);
}

int dj_live_compute_since(const struct dj_live *live, int64_t start_ns,
                          struct dj_live_figures *figures, struct dj_error *err)
{
    return compute_between(live, start_ns, find_end(live), figures, err);
}

void dj_live_compute_total(const struct dj_live *live, struct dj_live_figures *figures)
{
    *figures = live->total;
    figures->p50_ns = figures->p90_ns = figures->p95_ns = figures->p99_ns = -1;
    if (live->times.count > 0) {
        int scale = DJ_EXPONENTIAL_SCALE;
        figures->p50_ns = round_ns(dj_exponential_quantile(&live->times, scale, 0.50));
        figures->p90_ns = round_ns(dj_exponential_quantile(&live->times, scale, 0.90));
        figures->p95_ns = round_ns(dj_exponential_quantile(&live->times, scale, 0.95));
        figures->p99_ns = round_ns(dj_exponential_quantile(&live->times, scale, 0.99));
    }
    int64_t start_ns =
        live->total_start_ns > live->opened_ns ? live->total_start_ns : live->opened_ns;
    int64_t end_ns = find_end(live);
    figures->span_ns =
        live->total.frames > 0 && end_ns > start_ns ? end_ns - start_ns : 0;
    set_rate(figures);
}
