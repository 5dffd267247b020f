/* Pseudo-random numbers from a seed, and helpers for the tests of two groups. */
#ifndef TESTS_STATS_SUPPORT_H
#define TESTS_STATS_SUPPORT_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "stats/shift.h"
#include "stats/two_groups/sorted_groups.h"

static inline uint64_t draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Returns a number between 0 and 1, excluding both. */
static inline double uniform(uint64_t *state)
{
    return ((double)(draw(state) >> 12) + 0.5) / (double)(UINT64_C(1) << 52);
}

static inline double normal(uint64_t *state)
{
    return sqrt(-2 * log(uniform(state))) * cos(2 * acos(-1) * uniform(state));
}

/* Returns an integer from 0 to count − 1. */
static inline size_t below(uint64_t *state, size_t count)
{
    return (size_t)((draw(state) >> 32) % count);
}

static inline void fill_normal(uint64_t *state, double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        values[i] = normal(state);
    }
}

/* Fills the array with integers from 0 to levels − 1, so that many are equal. */
static inline void fill_tied(uint64_t *state, double *values, size_t count, size_t levels)
{
    for (size_t i = 0; i < count; i++) {
        values[i] = (double)below(state, levels);
    }
}

static inline void shuffle(uint64_t *state, double *values, size_t count)
{
    for (size_t i = count; i-- > 1;) {
        size_t other = below(state, i + 1);
        double saved = values[i];
        values[i] = values[other];
        values[other] = saved;
    }
}

struct shift {
    double shift; /* Shift of y − x. */
    struct dj_bounds bounds;
};

/* Calls dj_shift_compute_sorted() with one level, for groups in any order. */
static inline int shift_of(const double *x, size_t n, const double *y, size_t m,
                           double level, struct shift *result)
{
    struct dj_sorted_groups groups;
    int error = dj_sorted_groups_create(x, n, y, m, 1, &groups);
    if (error != 0) {
        return error;
    }
    error = dj_shift_compute_sorted(groups.x, n, groups.y, m, &level, 1, &result->shift,
                                    &result->bounds);
    dj_sorted_groups_finish(&groups);
    return error;
}

static inline bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof(a)) == 0;
}

#endif
