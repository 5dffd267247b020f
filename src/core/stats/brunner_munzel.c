#include "stats/brunner_munzel.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/special.h"
#include "stats/two_groups/permutations.h"
#include "stats/two_groups/sorted_groups.h"

/* All numbers in order as ranks see them: equal ones form a class. */
struct classes {
    size_t *size;
    size_t count;
    size_t n, m;       /* sizes of the two groups */
    size_t *of_second; /* per class: members of the second group */
};

/* Sums of the counts below each number, as integers (twice the placement). */
struct placements {
    int64_t sum;
    __int128 squares;
};

struct statistic {
    double superiority;
    double value;
    double df;
};

/* n Σ c² − (Σ c)² in integers is n (n − 1) times the variance of c, which is twice the
 * placement. */
static double variance_of(const struct placements *placements, size_t count)
{
    __int128 sum = placements->sum;
    __int128 scaled = (__int128)count * placements->squares - sum * sum;
    return (double)scaled / ((double)count * (double)(count - 1)) / 4;
}

static struct statistic statistic_of(const struct classes *classes)
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
    double a = variance_of(&first, classes->n) / (m * m) / n;
    double b = variance_of(&second, classes->m) / (n * n) / m;
    double off = ((double)second.sum - n * m) / (2 * n * m);
    double variance = a + b;
    double df = variance * variance / (a * a / (n - 1) + b * b / (m - 1));
    if (variance <= 0) {
        variance = 1 / (2 * n * m * n * m);
    }
    return (struct statistic){0.5 + off, off / sqrt(variance), df};
}

/* Hashes the ranks, since p depends on nothing else: times in other units give the
 * same p. */
static uint64_t hash_of(const struct classes *classes)
{
    uint64_t hash = classes->n * UINT64_C(0x100000001B3) + classes->m;
    for (size_t i = 0; i < classes->count; i++) {
        hash ^= (uint64_t)classes->size[i] << 32 | classes->of_second[i];
        hash = dj_permutations_mix_seed(&hash);
    }
    return hash;
}

/* Permutations: which of all numbers belong to the second group, by class. */
struct sampling {
    struct classes classes;
    size_t *class_of; /* per number, in order */
    size_t *chosen;   /* space for the numbers of both groups */
    double seen;      /* |T| of the observed groups */
};

static bool is_as_far(void *context, const size_t *chosen, size_t count)
{
    struct sampling *sampling = context;
    struct classes *classes = &sampling->classes;
    for (size_t i = 0; i < classes->count; i++) {
        classes->of_second[i] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        classes->of_second[sampling->class_of[chosen[i]]]++;
    }
    /* The mirrored permutation has the same value except for rounding. */
    return fabs(statistic_of(classes).value) >= sampling->seen * (1 - 1e-12);
}

/* In permutations the second group is the smaller one. Of two equally large groups it
 * is the one with more members in the first class where they differ, so that swapping
 * changes nothing. */
static bool swapped(const struct dj_sorted_groups *groups)
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

static void compare(const struct dj_sorted_groups *groups, struct sampling *sampling,
                    struct dj_brunner_munzel *result)
{
    bool turned = swapped(groups);
    struct dj_sorted_groups ordered = *groups;
    if (turned) {
        ordered = (struct dj_sorted_groups){groups->y, groups->x, groups->m, groups->n};
    }
    sampling->classes.n = ordered.n;
    sampling->classes.m = ordered.m;
    classify(&ordered, sampling);
    struct statistic seen = statistic_of(&sampling->classes);
    sampling->seen = fabs(seen.value);
    *result = (struct dj_brunner_munzel){
        .superiority = turned ? 1 - seen.superiority : seen.superiority,
        .statistic = turned ? -seen.value : seen.value,
        .df = seen.df,
    };
    /* Without variance there is no df: all numbers are equal, or the groups are
     * separate. */
    result->p_t = isnan(seen.df) ? (seen.value == 0 ? 1 : 0)
                                 : dj_special_t_two_sided(seen.value, seen.df);
    struct dj_permutations ways = {ordered.n, ordered.m, is_as_far, sampling,
                                   sampling->chosen};
    struct dj_permuted permuted =
        dj_permutations_count(&ways, hash_of(&sampling->classes));
    result->enumerated = permuted.enumerated;
    result->p = (double)permuted.as_far / (double)permuted.made;
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
    compare(&groups, &sampling, result);
    free(block);
    dj_sorted_groups_finish(&groups);
    return 0;
}
