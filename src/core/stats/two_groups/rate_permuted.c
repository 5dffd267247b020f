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

/* Sums over the runs of a group, from which the statistic is computed. Sums of integers
 * below 2^53 are exact, so the order of the runs does not matter. */
struct sums {
    double runs, events, frames;
    double events_squared, events_frames, frames_squared;
};

struct division_test {
    const struct run *runs; /* The runs of both groups, sorted within each group. */
    struct sums all;
    double observed; /* Absolute value of the statistic T of the observed groups. */
};

static void add_run(struct sums *sums, const struct run *run, double times)
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

/* Computes the logarithm of the rate and its variance, as described in rate_ratio.h. */
static double compute_log_rate(const struct sums *group, double *variance)
{
    double rate = group->events / group->frames;
    double squares = group->events_squared - 2 * rate * group->events_frames +
                     rate * rate * group->frames_squared;
    double more = group->events + 0.5;
    double between = group->runs / (group->runs - 1) * squares / (more * more);
    *variance = fmax(between, 1 / more);
    return log(more / group->frames);
}

static double compute_distance(const struct sums *all, const struct sums *second)
{
    struct sums first = subtract_sums(all, second);
    double of_first;
    double of_second;
    double apart =
        compute_log_rate(second, &of_second) - compute_log_rate(&first, &of_first);
    return fabs(apart) / sqrt(of_first + of_second);
}

static struct sums sum_runs(const struct run *runs, const size_t *chosen, size_t count)
{
    struct sums sums = {0};
    for (size_t i = 0; i < count; i++) {
        add_run(&sums, &runs[chosen != NULL ? chosen[i] : i], 1);
    }
    return sums;
}

/* The factor tolerates rounding errors, because two divisions with equal statistics may
 * differ in the last bits. */
static bool is_as_extreme(void *context, const size_t *chosen, size_t count)
{
    const struct division_test *division_test = context;
    struct sums second = sum_runs(division_test->runs, chosen, count);
    return compute_distance(&division_test->all, &second) >=
           division_test->observed * (1 - 1e-9);
}

static int compare_sizes(const void *a, const void *b)
{
    const struct run *left = a;
    const struct run *right = b;
    int events = DJ_COMPARE(left->events, right->events);
    return events != 0 ? events : DJ_COMPARE(left->frames, right->frames);
}

static void copy_sorted_runs(const struct dj_counts *counts, struct run *runs)
{
    for (size_t i = 0; i < counts->runs; i++) {
        runs[i] = (struct run){counts->events[i], counts->frames[i]};
    }
    qsort(runs, counts->runs, sizeof(*runs), compare_sizes);
}

/* Returns whether the group `runs` is the first group of the permutation test. The order
 * of the groups must not depend on the caller, so that swapping the groups does not
 * change p. The larger group is the first one. If the sizes are equal, the first run that
 * differs decides. */
static bool is_first(const struct run *runs, size_t n, const struct run *other, size_t m)
{
    int order = 0;
    for (size_t i = 0; n == m && i < n && order == 0; i++) {
        order = compare_sizes(&runs[i], &other[i]);
    }
    return n != m ? n > m : order <= 0;
}

static uint64_t hash_runs(const struct run *runs, size_t count, size_t of_first)
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

/* `runs` has the n runs of the first group, then the m runs of the second. */
static double compute_permuted_p(struct run *runs, size_t n, size_t m, size_t *chosen,
                                 double p_t)
{
    uint64_t hash = hash_runs(runs, n + m, n);
    struct division_test division_test = {.runs = runs,
                                          .all = sum_runs(runs, NULL, n + m)};
    struct sums second = sum_runs(runs + n, NULL, m);
    division_test.observed = compute_distance(&division_test.all, &second);
    struct dj_permutations permutations = {n, m, is_as_extreme, &division_test, chosen};
    struct dj_permuted permuted = dj_permutations_count(&permutations, hash);
    double p = (double)permuted.extreme_count / (double)permuted.tested_count;
    /* No drawn division is as extreme as the observed one, so the sample cannot show how
     * rare it is. */
    bool beyond = !permuted.enumerated && permuted.extreme_count == 1;
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
        copy_sorted_runs(a, runs);
        copy_sorted_runs(b, runs + a->runs);
        bool a_first = is_first(runs, a->runs, runs + a->runs, b->runs);
        copy_sorted_runs(a_first ? a : b, ordered);
        copy_sorted_runs(a_first ? b : a, ordered + (a_first ? a : b)->runs);
        *p = compute_permuted_p(ordered, (a_first ? a : b)->runs, (a_first ? b : a)->runs,
                                chosen, plain.p);
    } else {
        error = DJ_E_NO_MEMORY;
    }
    free(runs);
    free(chosen);
    return error;
}
