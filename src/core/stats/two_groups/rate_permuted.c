#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/error.h"
#include "stats/mann_whitney.h"
#include "stats/rate_ratio.h"
#include "stats/two_groups/permutations.h"

struct run {
    double events, frames;
};

/* The sums of the statistic. Exact for integers below 2^53, in any order. */
struct sums {
    double runs, events, frames;
    double events_squared, events_frames, frames_squared;
};

struct sharing {
    const struct run *runs; /* of both sides, in order */
    struct sums all;
    double seen; /* |T| of the observed sides */
};

static void add(struct sums *sums, const struct run *run, double times)
{
    sums->runs += times;
    sums->events += times * run->events;
    sums->frames += times * run->frames;
    sums->events_squared += times * run->events * run->events;
    sums->events_frames += times * run->events * run->frames;
    sums->frames_squared += times * run->frames * run->frames;
}

static struct sums subtract_sums(const struct sums *all, const struct sums *taken)
{
    return (struct sums){
        all->runs - taken->runs,
        all->events - taken->events,
        all->frames - taken->frames,
        all->events_squared - taken->events_squared,
        all->events_frames - taken->events_frames,
        all->frames_squared - taken->frames_squared,
    };
}

/* As in rate_ratio.h. */
static double log_rate(const struct sums *side, double *variance)
{
    double rate = side->events / side->frames;
    double squares = side->events_squared - 2 * rate * side->events_frames +
                     rate * rate * side->frames_squared;
    double more = side->events + 0.5;
    double between = side->runs / (side->runs - 1) * squares / (more * more);
    *variance = fmax(between, 1 / more);
    return log(more / side->frames);
}

static double distance(const struct sums *all, const struct sums *second)
{
    struct sums first = subtract_sums(all, second);
    double of_first;
    double of_second;
    double apart = log_rate(second, &of_second) - log_rate(&first, &of_first);
    return fabs(apart) / sqrt(of_first + of_second);
}

static struct sums sums_of(const struct run *runs, const size_t *chosen, size_t count)
{
    struct sums sums = {0};
    for (size_t i = 0; i < count; i++) {
        add(&sums, &runs[chosen != NULL ? chosen[i] : i], 1);
    }
    return sums;
}

/* Divisions that differ only by rounding are equally far apart. */
static bool is_as_far(void *context, const size_t *chosen, size_t count)
{
    const struct sharing *sharing = context;
    struct sums second = sums_of(sharing->runs, chosen, count);
    return distance(&sharing->all, &second) >= sharing->seen * (1 - 1e-9);
}

static int compare_sizes(const void *a, const void *b)
{
    const struct run *left = a;
    const struct run *right = b;
    int events = DJ_COMPARE(left->events, right->events);
    return events != 0 ? events : DJ_COMPARE(left->frames, right->frames);
}

static void take(const struct dj_counts *counts, struct run *runs)
{
    for (size_t i = 0; i < counts->runs; i++) {
        runs[i] = (struct run){counts->events[i], counts->frames[i]};
    }
    qsort(runs, counts->runs, sizeof(*runs), compare_sizes);
}

/* Which side is the second one depends only on the runs, so that swapping changes
 * nothing: the smaller one, or of equally large ones the one that is larger in the
 * first run where they differ. */
static bool is_first(const struct run *runs, size_t n, const struct run *other, size_t m)
{
    int order = 0;
    for (size_t i = 0; n == m && i < n && order == 0; i++) {
        order = compare_sizes(&runs[i], &other[i]);
    }
    return n != m ? n > m : order <= 0;
}

static uint64_t hash_of(const struct run *runs, size_t count, size_t of_first)
{
    uint64_t hash = of_first;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits[2];
        memcpy(bits, &runs[i], sizeof(bits));
        hash ^= bits[0];
        hash = dj_permutations_mix_seed(&hash) ^ bits[1];
        hash = dj_permutations_mix_seed(&hash);
    }
    return hash;
}

/* `runs` contains both sides, the first before the second. */
static double permuted_p(struct run *runs, size_t n, size_t m, size_t *chosen, double p_t)
{
    uint64_t hash = hash_of(runs, n + m, n);
    struct sharing sharing = {.runs = runs, .all = sums_of(runs, NULL, n + m)};
    struct sums second = sums_of(runs + n, NULL, m);
    sharing.seen = distance(&sharing.all, &second);
    struct dj_permutations ways = {n, m, is_as_far, &sharing, chosen};
    struct dj_permuted permuted = dj_permutations_count(&ways, hash);
    double p = (double)permuted.as_far / (double)permuted.made;
    /* No drawn division is as far apart: the sample cannot show how rare it is. */
    bool beyond = !permuted.enumerated && permuted.as_far == 1;
    return fmax(p_t, beyond ? fmin(p, dj_mann_whitney_least_p(n, m)) : p);
}

int dj_rate_ratio_compute_permuted(const struct dj_counts *a, const struct dj_counts *b,
                                   double *p)
{
    struct dj_rate_ratio plain;
    int error = dj_rate_ratio(a, b, 0.95, &plain);
    if (error != 0) {
        return error;
    }
    size_t total = a->runs + b->runs;
    struct run *runs = calloc(2 * total, sizeof(*runs));
    size_t *chosen = calloc(total, sizeof(*chosen));
    if (runs != NULL && chosen != NULL) {
        struct run *ordered = runs + total;
        take(a, runs);
        take(b, runs + a->runs);
        bool a_first = is_first(runs, a->runs, runs + a->runs, b->runs);
        take(a_first ? a : b, ordered);
        take(a_first ? b : a, ordered + (a_first ? a : b)->runs);
        *p = permuted_p(ordered, (a_first ? a : b)->runs, (a_first ? b : a)->runs, chosen,
                        plain.p);
    } else {
        error = DJ_E_NO_MEMORY;
    }
    free(runs);
    free(chosen);
    return error;
}
