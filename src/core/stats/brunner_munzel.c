#include "stats/brunner_munzel.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/special.h"
#include "stats/two_groups/permutations.h"
#include "stats/two_groups/sorted_groups.h"

/* All numbers of both groups in ascending order. Equal numbers form a class, because they
 * have the same rank. */
struct classes {
    size_t *size;
    size_t count;
    size_t n, m;       /* Sizes of the two groups. */
    size_t *of_second; /* Number of members of the second group in each class. */
};

/* Sums over the placements of one group. The placement of a number is how many numbers of
 * the other group are below it, with equal ones counted half. The sums use twice the
 * placement, which is an integer. */
struct placements {
    int64_t sum;
    __int128 squares;
};

struct statistic {
    double superiority;
    double value;
    double df;
};

/* Returns the variance of the placements. With c as twice the placement, n Σ c² − (Σ c)²
 * is 4 n (n − 1) times that variance, and exact in integers. */
static double compute_variance(const struct placements *placements, size_t count)
{
    __int128 sum = placements->sum;
    __int128 scaled = (__int128)count * placements->squares - sum * sum;
    return (double)scaled / ((double)count * (double)(count - 1)) / 4;
}

static struct statistic compute_statistic(const struct classes *classes)
{
    double n = (double)classes->n;
    double m = (double)classes->m;
    int64_t below_first = 0;
    int64_t below_second = 0;
    struct placements first = {0};
    struct placements second = {0};
    for (size_t i = 0; i < classes->count; i++) {
        int64_t of_second = (int64_t)classes->of_second[i];
        int64_t of_first = (int64_t)classes->size[i] - of_second;
        int64_t placed = 2 * below_second + of_second;
        first.sum += of_first * placed;
        first.squares += (__int128)of_first * placed * placed;
        placed = 2 * below_first + of_first;
        second.sum += of_second * placed;
        second.squares += (__int128)of_second * placed * placed;
        below_first += of_first;
        below_second += of_second;
    }
    double a = compute_variance(&first, classes->n) / (m * m) / n;
    double b = compute_variance(&second, classes->m) / (n * n) / m;
    double off = ((double)second.sum - n * m) / (2 * n * m);
    double variance = a + b;
    double df = variance * variance / (a * a / (n - 1) + b * b / (m - 1));
    if (variance <= 0) {
        variance = 1 / (2 * n * m * n * m);
    }
    return (struct statistic){0.5 + off, off / sqrt(variance), df};
}

/* Hashes the ranks only, because p depends on nothing else. So the same times in another
 * unit give the same p. */
static uint64_t hash_ranks(const struct classes *classes)
{
    uint64_t hash = classes->n * UINT64_C(0x100000001B3) + classes->m;
    for (size_t i = 0; i < classes->count; i++) {
        hash ^= (uint64_t)classes->size[i] << 32 | classes->of_second[i];
        hash = dj_permutations_mix_seed(&hash);
    }
    return hash;
}

/* Context of is_as_extreme(). */
struct sampling {
    struct classes classes;
    size_t *class_of; /* Class of each number, in ascending order of the numbers. */
    size_t *chosen;   /* Space for the indices of all numbers. */
    double observed;  /* Absolute value of the statistic T of the observed groups. */
};

static bool is_as_extreme(void *context, const size_t *chosen, size_t count)
{
    struct sampling *sampling = context;
    struct classes *classes = &sampling->classes;
    for (size_t i = 0; i < classes->count; i++) {
        classes->of_second[i] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        classes->of_second[sampling->class_of[chosen[i]]]++;
    }
    /* The factor tolerates rounding errors, because exchanging the two groups may change
     * the last bits of the statistic. */
    return fabs(compute_statistic(classes).value) >= sampling->observed * (1 - 1e-12);
}

/* Returns whether the groups must be exchanged, so that the permutation test gives the
 * same p for (x, y) and (y, x). After the exchange, the second group is the smaller one.
 * If the sizes are equal, the first number that differs between the sorted groups
 * decides. */
static bool needs_swap(const struct dj_sorted_groups *groups)
{
    if (groups->n != groups->m) {
        return groups->n < groups->m;
    }
    size_t i = 0;
    while (i < groups->n && groups->x[i] == groups->y[i]) {
        i++;
    }
    return i < groups->n && groups->x[i] < groups->y[i];
}

static void classify(const struct dj_sorted_groups *groups, struct sampling *sampling)
{
    struct classes *classes = &sampling->classes;
    size_t i = 0;
    size_t k = 0;
    while (i < groups->n || k < groups->m) {
        bool from_x = k == groups->m || (i < groups->n && groups->x[i] <= groups->y[k]);
        double value = from_x ? groups->x[i] : groups->y[k];
        size_t first = i + k;
        size_t second = k;
        for (; i < groups->n && groups->x[i] == value; i++) {
        }
        for (; k < groups->m && groups->y[k] == value; k++) {
        }
        for (size_t s = first; s < i + k; s++) {
            sampling->class_of[s] = classes->count;
        }
        classes->size[classes->count] = i + k - first;
        classes->of_second[classes->count++] = k - second;
    }
}

static void compute_result(const struct dj_sorted_groups *groups,
                           struct sampling *sampling, struct dj_brunner_munzel *result)
{
    bool is_swapped = needs_swap(groups);
    struct dj_sorted_groups ordered = *groups;
    if (is_swapped) {
        ordered = (struct dj_sorted_groups){groups->y, groups->x, groups->m, groups->n};
    }
    sampling->classes.n = ordered.n;
    sampling->classes.m = ordered.m;
    classify(&ordered, sampling);
    struct statistic observed = compute_statistic(&sampling->classes);
    sampling->observed = fabs(observed.value);
    *result = (struct dj_brunner_munzel){
        .superiority = is_swapped ? 1 - observed.superiority : observed.superiority,
        .statistic = is_swapped ? -observed.value : observed.value,
        .df = observed.df,
    };
    /* Without variance, the degrees of freedom are undefined. In that case, all numbers
     * are equal or the groups do not overlap. */
    result->p_t = isnan(observed.df)
                      ? (observed.value == 0 ? 1 : 0)
                      : dj_special_t_two_sided(observed.value, observed.df);
    struct dj_permutations permutations = {ordered.n, ordered.m, is_as_extreme, sampling,
                                           sampling->chosen};
    struct dj_permuted permuted =
        dj_permutations_count(&permutations, hash_ranks(&sampling->classes));
    result->enumerated = permuted.enumerated;
    result->p = (double)permuted.extreme_count / (double)permuted.tested_count;
}

int dj_brunner_munzel(const double *x, size_t n, const double *y, size_t m,
                      struct dj_brunner_munzel *result)
{
    struct dj_sorted_groups groups;
    int error = dj_sorted_groups_create(x, n, y, m, 2, &groups);
    if (error != 0) {
        return error;
    }
    size_t total = n + m;
    size_t *block = calloc(4 * total, sizeof(*block));
    if (block == NULL) {
        dj_sorted_groups_finish(&groups);
        return DJ_E_NO_MEMORY;
    }
    struct sampling sampling = {.classes = {.size = block, .of_second = block + total},
                                .class_of = block + 2 * total,
                                .chosen = block + 3 * total};
    compute_result(&groups, &sampling, result);
    free(block);
    dj_sorted_groups_finish(&groups);
    return 0;
}
