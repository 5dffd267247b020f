/* The test of Brunner and Munzel (2000): tests whether the numbers of one group tend to
 * be larger than those of the other. The groups may differ in size and in spread. The p
 * value comes from permutations (Neubert and Brunner 2007), because with groups of five
 * the approximation with Student's t has 8 % false alarms. Allocates scratch memory only.
 * Safe in any thread.
 *
 * If there are at most DJ_PERMUTATIONS ways to divide the numbers into two groups, all of
 * them are tested. Otherwise DJ_PERMUTATIONS ways are drawn with xoshiro256** (Blackman
 * and Vigna 2018). The seed depends only on the ranks of the numbers, so equal input
 * gives equal p in any order, on any machine, and with swapped groups. A test of 20 and
 * 30 numbers takes 4 ms, of 50 and 49 numbers 8 ms. */
#ifndef DEJANK_STATS_BRUNNER_MUNZEL_H
#define DEJANK_STATS_BRUNNER_MUNZEL_H

#include <stdbool.h>
#include <stddef.h>

struct dj_brunner_munzel {
    double superiority; /* Estimate of P(y > x) + P(y = x) / 2. */
    /* Test statistic. Positive if y tends to be larger. If the groups do not overlap,
     * their variance is 0, and 1 / (2 (n m)²) replaces it. */
    double statistic;
    double df; /* Degrees of freedom for p_t. */
    /* Two-sided p of the approximation with Student's t. 0 if the groups do not
     * overlap. */
    double p_t;
    double p;        /* Two-sided p from permutations. */
    bool enumerated; /* All permutations were tested, so p is exact. */
};

/* The numbers must be finite, in any order, with n and m ≥ 2. Returns 0, DJ_E_NO_DATA if
 * a group is smaller, DJ_E_INVALID if a number is not finite, or DJ_E_NO_MEMORY. */
int dj_brunner_munzel(const double *x, size_t n, const double *y, size_t m,
                      struct dj_brunner_munzel *result);

#endif
