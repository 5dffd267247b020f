#include "triage/frames/refresh.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "stats/order.h"
#include "stats/quantile.h"

enum {
    SHORTEST_NS = 1900000, /* Shortest refresh period in ns. It is a rate of 526 Hz. */
    LONGEST_NS = 21000000, /* Longest refresh period in ns. It is a rate of 47.6 Hz. */
    FEWEST = 8, /* Minimum number of intervals from which a rate is computed. */
    WINDOW = 9, /* Number of intervals in the running median. */
    /* An interval of several periods may be due to missing vsyncs. It is treated as a
     * lower refresh rate only if at least this many intervals in a row are so long. */
    SUSTAINED = 30,
    /* An interval is frequent only if at least 1/10 of all intervals are near it. */
    CLUSTER_PART = 10
};

/* Time between two consecutive vsyncs in the trace. */
struct interval {
    int64_t from_ns;
    double ns;
};

struct intervals {
    struct interval *all; /* Intervals. Owned by this struct. */
    size_t count;
    int64_t last_ns; /* Time of the previous vsync, or INT64_MIN if there is none. */
};

/* Consecutive intervals with the same refresh rate. */
struct run {
    size_t from, count;
    double period_ns;
};

static void add_vsync(struct intervals *intervals, int64_t at_ns)
{
    double ns = (double)at_ns - (double)intervals->last_ns;
    if (ns >= SHORTEST_NS && ns <= LONGEST_NS) {
        DJ_XPUSH(intervals->all, intervals->count,
                 (struct interval){intervals->last_ns, ns});
    }
    intervals->last_ns = at_ns;
}

static bool is_near(double a, double b, double part)
{
    return a >= b * (1 - part) && a <= b * (1 + part);
}

static double compute_median_around(const struct intervals *intervals, size_t at)
{
    double near[WINDOW];
    size_t from = at > WINDOW / 2 ? at - WINDOW / 2 : 0;
    from = from + WINDOW > intervals->count
               ? (intervals->count > WINDOW ? intervals->count - WINDOW : 0)
               : from;
    size_t count = intervals->count < WINDOW ? intervals->count : WINDOW;
    for (size_t i = 0; i < count; i++) {
        near[i] = intervals->all[from + i].ns;
    }
    dj_order_sort(near, count);
    return dj_order_median_sorted(near, count);
}

/* Returns the median of the intervals near `ns`. Computes the median again with the
 * intervals near the previous median, until it no longer changes. `sorted` is sorted. */
static double find_settled_median(const double *sorted, size_t count, double ns)
{
    enum { ROUNDS = 8 };
    for (int i = 0; i < ROUNDS; i++) {
        size_t from = 0, to = 0;
        while (from < count && sorted[from] < 0.7 * ns) {
            from++;
        }
        for (to = from; to < count && sorted[to] <= 1.45 * ns;) {
            to++;
        }
        ns = to > from ? dj_order_median_sorted(sorted + from, to - from) : ns;
    }
    return ns;
}

/* Returns the shortest interval that is frequent, or 0 if none is frequent. Longer
 * intervals consist of several periods. `scratch` has space for all intervals of the run.
 */
static double find_shortest(const struct intervals *intervals, const struct run *run,
                            double *scratch)
{
    for (size_t i = 0; i < run->count; i++) {
        scratch[i] = intervals->all[run->from + i].ns;
    }
    dj_order_sort(scratch, run->count);
    for (size_t i = 0, end = 0; i < run->count; i++) {
        while (end < run->count && scratch[end] <= 1.2 * scratch[i]) {
            end++;
        }
        if (end - i >= FEWEST / 2 && end - i >= run->count / CLUSTER_PART) {
            return find_settled_median(scratch, run->count,
                                       dj_order_median_sorted(scratch + i, end - i));
        }
    }
    return 0;
}

/* Returns the mean period of the run. A late vsync makes one interval longer and the next
 * one shorter, so jitter cancels out. */
static double compute_period(const struct intervals *intervals, const struct run *run)
{
    double sum_ns = 0;
    double periods = 0;
    for (size_t i = run->from; i < run->from + run->count; i++) {
        double ratio = intervals->all[i].ns / run->period_ns;
        double times = (double)(int)(ratio + 0.5);
        if (times >= 1 && ratio - times <= 0.4 && times - ratio <= 0.4) {
            sum_ns += intervals->all[i].ns;
            periods += times;
        }
    }
    return periods > 0 ? sum_ns / periods : run->period_ns;
}

/* Returns true if `a` is about n times `b`, where n is a whole number of at least 2. */
static bool is_multiple(double a, double b)
{
    double times = (double)(int)(a / b + 0.5);
    return times >= 2 && is_near(a, times * b, 0.08);
}

/* Appends a run of intervals to `runs`, or merges it with the last run. Missing vsyncs
 * look like a lower refresh rate. Therefore a short run is dropped if its period is a
 * multiple of the period of the run before or after it. */
static size_t add_run(struct run *runs, size_t count, const struct run *run)
{
    while (count > 0 && runs[count - 1].count < SUSTAINED &&
           is_multiple(runs[count - 1].period_ns, run->period_ns)) {
        count--;
    }
    struct run *last = count > 0 ? &runs[count - 1] : NULL;
    if (last != NULL && is_near(run->period_ns, last->period_ns, 0.08)) {
        last->count = run->from + run->count - last->from;
        return count;
    }
    if (last != NULL && run->count < SUSTAINED &&
        is_multiple(run->period_ns, last->period_ns)) {
        return count;
    }
    runs[count] = *run;
    return count + 1;
}

/* Finds runs of intervals in which the running median is nearly constant. Returns their
 * number. `runs` has space for one run per FEWEST intervals. */
static size_t find_runs(const struct intervals *intervals, struct run *runs,
                        double *scratch)
{
    size_t count = 0;
    struct run run = {0};
    for (size_t i = 0; i <= intervals->count; i++) {
        double median = i < intervals->count ? compute_median_around(intervals, i) : 0;
        if (run.count > 0 && is_near(median, run.period_ns, 0.1)) {
            run.count++;
            continue;
        }
        double shortest =
            run.count >= FEWEST ? find_shortest(intervals, &run, scratch) : 0;
        if (shortest > 0) {
            run.period_ns = shortest;
            count = add_run(runs, count, &run);
        }
        run = (struct run){i, 1, median};
    }
    return count;
}

static void find_rates(const struct intervals *intervals,
                       struct dj_triage_refresh *refresh)
{
    size_t most = intervals->count / FEWEST + 1;
    double *scratch = dj_xcalloc(intervals->count, sizeof(*scratch));
    struct run *runs = dj_xcalloc(most, sizeof(*runs));
    refresh->rates = dj_xcalloc(most, sizeof(*refresh->rates));
    refresh->count = find_runs(intervals, runs, scratch);
    if (refresh->count == 0) {
        /* No run has a constant rate, because vsyncs are missing or jitter is strong. */
        runs[0] = (struct run){0, intervals->count, 0};
        runs[0].period_ns = find_shortest(intervals, &runs[0], scratch);
        refresh->count = runs[0].period_ns > 0;
    }
    for (size_t i = 0; i < refresh->count; i++) {
        refresh->rates[i] =
            (struct dj_triage_rate){intervals->all[runs[i].from].from_ns,
                                    (int64_t)(compute_period(intervals, &runs[i]) + 0.5)};
    }
    free(scratch);
    free(runs);
}

/* Names of counters that change at each vsync. SurfaceFlinger writes them when it passes
 * a vsync on or receives one from the hardware. "[0-9]*" matches the number of a display.
 * (HW_VSYNC_ON_0 does not count vsyncs. It is a switch.) */
static const char *const counters[] = {"VSYNC-app", "VSYNC-appSf", "VSYNC-sf", "VSYNC",
                                       "HW_VSYNC_[0-9]*"};

/* Adds the vsyncs of the first counter that matches the pattern. Counters of other
 * displays are ignored. Returns the name of the counter, or NULL if no counter matches.
 */
static const char *add_counter_vsyncs(const struct dj_trace *trace, const char *pattern,
                                      struct intervals *intervals)
{
    const char *name = NULL;
    int64_t value = 0;
    for (size_t i = 0; i < trace->count_count; i++) {
        const struct dj_trace_count *count = &trace->counts[i];
        if (name == NULL ? fnmatch(pattern, count->name, 0) != 0
                         : strcmp(count->name, name) != 0) {
            continue;
        }
        if (name == NULL || count->value != value) {
            add_vsync(intervals, count->at_ns);
        }
        name = count->name;
        value = count->value;
    }
    return name;
}

/* Adds the expected starts of frames as vsyncs. If `display` is true, uses the frames of
 * the display, otherwise the frames of apps. */
static const char *add_expected_vsyncs(const struct dj_trace *trace, bool display,
                                       struct intervals *intervals)
{
    int64_t *starts = dj_xcalloc(trace->frame_count, sizeof(*starts));
    size_t count = 0;
    for (size_t i = 0; i < trace->frame_count; i++) {
        const struct dj_trace_frame *frame = &trace->frames[i];
        if (frame->display == display && frame->expected_start_ns > 0) {
            starts[count++] = frame->expected_start_ns;
        }
    }
    dj_quantile_sort_int64(starts, count);
    for (size_t i = 0; i < count; i++) {
        add_vsync(intervals, starts[i]);
    }
    free(starts);
    return "FrameTimeline";
}

void dj_triage_refresh_find(const struct dj_trace *trace,
                            struct dj_triage_refresh *refresh)
{
    enum { COUNTERS = COUNT_OF(counters), SOURCES = COUNTERS + 2 };
    *refresh = (struct dj_triage_refresh){0};
    for (size_t i = 0; i < SOURCES && refresh->count == 0; i++) {
        struct intervals intervals = {.last_ns = INT64_MIN};
        refresh->source = i < COUNTERS
                              ? add_counter_vsyncs(trace, counters[i], &intervals)
                              : add_expected_vsyncs(trace, i == COUNTERS, &intervals);
        if (intervals.count >= FEWEST) {
            dj_triage_refresh_finish(refresh);
            find_rates(&intervals, refresh);
        }
        free(intervals.all);
    }
}

int64_t dj_triage_refresh_get_period(const struct dj_triage_refresh *refresh,
                                     int64_t at_ns)
{
    int64_t period_ns = refresh->count > 0 ? refresh->rates[0].period_ns : 0;
    for (size_t i = 1; i < refresh->count && refresh->rates[i].from_ns <= at_ns; i++) {
        period_ns = refresh->rates[i].period_ns;
    }
    return period_ns;
}

void dj_triage_refresh_finish(struct dj_triage_refresh *refresh)
{
    free(refresh->rates);
    *refresh = (struct dj_triage_refresh){.source = refresh->source};
}
