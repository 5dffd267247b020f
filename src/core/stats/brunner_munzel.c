#include "stats/brunner_munzel.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/groups.h"
#include "stats/special.h"

/* All numbers in order, as far as ranks know them: equal ones are one class. */
struct classes {
    size_t *size;
    size_t count;
    size_t n, m;       /* of which group there are how many */
    size_t *of_second; /* of each class: how many belong to the second group */
};

/* Sums of what stands below each number, in whole numbers (twice the placement). */
struct placements {
    int64_t sum;
    __int128 squares;
};

struct statistic {
    double superiority;
    double value;
    double df;
};

/* n Σ c² − (Σ c)² in whole numbers is n (n − 1) times the variance of c, which is twice
 * the placement. */
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

static uint64_t rotate(uint64_t value, int by)
{
    return value << by | value >> (64 - by);
}

/* xoshiro256** */
static uint64_t draw(uint64_t state[4])
{
    uint64_t result = rotate(state[1] * 5, 7) * 9;
    uint64_t shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = rotate(state[3], 45);
    return result;
}

/* SplitMix64, by which its authors fill the state. */
static uint64_t mix(uint64_t *state)
{
    uint64_t value = *state += UINT64_C(0x9E3779B97F4A7C15);
    value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
    return value ^ value >> 31;
}

/* By the ranks, since nothing else goes into p: times in other units give the same. */
static void seed(const struct classes *classes, uint64_t state[4])
{
    uint64_t hash = classes->n * UINT64_C(0x100000001B3) + classes->m;
    for (size_t i = 0; i < classes->count; i++) {
        hash ^= (uint64_t)classes->size[i] << 32 | classes->of_second[i];
        hash = mix(&hash);
    }
    for (size_t i = 0; i < 4; i++) {
        state[i] = mix(&hash);
    }
}

/* Permutations: which of all numbers belong to the second group, by their class. */
struct sampling {
    struct classes classes;
    size_t *class_of; /* of each number in order */
    size_t *chosen;   /* m numbers, and when drawing the others behind them */
    double seen;      /* |T| of the groups as they are */
    size_t as_far;    /* permutations with as much */
};

static void judge(struct sampling *sampling)
{
    struct classes *classes = &sampling->classes;
    for (size_t i = 0; i < classes->count; i++) {
        classes->of_second[i] = 0;
    }
    for (size_t i = 0; i < classes->m; i++) {
        classes->of_second[sampling->class_of[sampling->chosen[i]]]++;
    }
    /* The mirror image has the same value but for rounding. */
    sampling->as_far += fabs(statistic_of(classes).value) >= sampling->seen * (1 - 1e-12);
}

static double enumerate(struct sampling *sampling)
{
    size_t m = sampling->classes.m;
    size_t total = sampling->classes.n + m;
    size_t made = 0;
    for (size_t i = 0; i < m; i++) {
        sampling->chosen[i] = i;
    }
    for (;;) {
        judge(sampling);
        made++;
        size_t last = m;
        while (last > 0 && sampling->chosen[last - 1] == total - m + last - 1) {
            last--;
        }
        if (last == 0) {
            return (double)sampling->as_far / (double)made;
        }
        sampling->chosen[last - 1]++;
        for (size_t i = last; i < m; i++) {
            sampling->chosen[i] = sampling->chosen[i - 1] + 1;
        }
    }
}

static double permute(struct sampling *sampling, uint64_t state[4])
{
    size_t m = sampling->classes.m;
    size_t total = sampling->classes.n + m;
    for (size_t i = 0; i < total; i++) {
        sampling->chosen[i] = i;
    }
    for (size_t round = 0; round < DJ_PERMUTATIONS; round++) {
        for (size_t i = 0; i < m; i++) {
            size_t other = i + (size_t)((draw(state) >> 32) * (total - i) >> 32);
            size_t kept = sampling->chosen[i];
            sampling->chosen[i] = sampling->chosen[other];
            sampling->chosen[other] = kept;
        }
        judge(sampling);
    }
    return (double)(1 + sampling->as_far) / (DJ_PERMUTATIONS + 1);
}

static bool can_enumerate(size_t n, size_t m)
{
    double all = 1;
    for (size_t i = 1; i <= m && all <= DJ_PERMUTATIONS; i++) {
        all = all * (double)(n + i) / (double)i;
    }
    return all <= DJ_PERMUTATIONS;
}

/* The second group of permutations is the smaller one; of two of a size that which is
 * ahead in the first class that holds more of one: so a swap changes nothing. */
static bool swapped(const struct dj_groups *groups)
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

static void classify(const struct dj_groups *groups, struct sampling *sampling)
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

static void compare(const struct dj_groups *groups, struct sampling *sampling,
                    struct dj_brunner_munzel *result)
{
    bool turned = swapped(groups);
    struct dj_groups ordered = *groups;
    if (turned) {
        ordered = (struct dj_groups){groups->y, groups->x, groups->m, groups->n};
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
        .enumerated = can_enumerate(ordered.n, ordered.m),
    };
    /* Without a variance there is no df: all equal, or apart. */
    result->p_t =
        isnan(seen.df) ? (seen.value == 0 ? 1 : 0) : dj_t_two_sided(seen.value, seen.df);
    if (result->enumerated) {
        result->p = enumerate(sampling);
    } else {
        uint64_t state[4];
        seed(&sampling->classes, state);
        result->p = permute(sampling, state);
    }
}

int dj_brunner_munzel(const double *x, size_t n, const double *y, size_t m,
                      struct dj_brunner_munzel *result)
{
    struct dj_groups groups;
    int error = dj_groups_make(x, n, y, m, 2, &groups);
    if (error != 0) {
        return error;
    }
    size_t total = n + m;
    size_t *block = calloc(4 * total, sizeof(*block));
    if (block == NULL) {
        dj_groups_finish(&groups);
        return DJ_E_NO_MEMORY;
    }
    struct sampling sampling = {.classes = {.size = block, .of_second = block + total},
                                .class_of = block + 2 * total,
                                .chosen = block + 3 * total};
    compare(&groups, &sampling, result);
    free(block);
    dj_groups_finish(&groups);
    return 0;
}
