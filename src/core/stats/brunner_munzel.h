/* Tests whether one of two groups tends to larger numbers, also with unequal sizes and
 * spreads: Brunner and Munzel (2000), with a permutation p (Neubert and Brunner 2007),
 * because the p of Student's t has 8 % false alarms in groups of five. Allocates
 * scratch memory only; any thread.
 *
 * If there are at most DJ_PERMUTATIONS ways to divide the numbers, all are counted.
 * Otherwise that many are drawn with xoshiro256** (Blackman and Vigna 2018), seeded
 * with the numbers: the same numbers give the same p in any order, on any machine, and
 * with swapped groups. 4 ms for 20 and 30 numbers, 8 ms for 50 and 49. */
#ifndef DEJANK_STATS_BRUNNER_MUNZEL_H
#define DEJANK_STATS_BRUNNER_MUNZEL_H

#include <stdbool.h>
#include <stddef.h>

struct dj_brunner_munzel {
    double superiority; /* P(y > x), ties half */
    double statistic; /* > 0: y tends to be larger. For separate groups the variance of 0
                         is replaced with 1 / (2 (n m)²) */
    double df;        /* of the approximation with t */
    double p_t;       /* two-sided, with that approximation; 0 for separate groups */
    double p;         /* two-sided, from permutations */
    bool enumerated;  /* p counts all permutations */
};

/* n and m ≥ 2, in any order, finite. Returns 0, DJ_E_NO_DATA if a group is smaller,
 * DJ_E_INVALID if a number is not finite, or DJ_E_NO_MEMORY. */
int dj_brunner_munzel(const double *x, size_t n, const double *y, size_t m,
                      struct dj_brunner_munzel *result);

#endif
