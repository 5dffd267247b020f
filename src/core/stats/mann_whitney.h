/* The Mann–Whitney test (1947), also called Wilcoxon rank-sum test: tests whether the
 * numbers of one group tend to be larger than those of the other. Allocates scratch
 * memory only. Safe in any thread.
 *
 * For up to DJ_EXACT_MAX numbers p is exact: without ties from the integer distribution
 * of U, with ties from all ways to distribute the midranks (the shift algorithm of
 * Streitberg and Röhmel 1986). For more numbers, p comes from the normal approximation
 * with corrections for ties and continuity. Swapping the groups does not change p. */
#ifndef DEJANK_STATS_MANN_WHITNEY_H
#define DEJANK_STATS_MANN_WHITNEY_H

#include <stdbool.h>
#include <stddef.h>

enum { DJ_EXACT_MAX = 120 }; /* Maximum of n + m. */

struct dj_mann_whitney {
    /* Number of pairs with y > x, from 0 to n m. Pairs with y = x count half. */
    double u;
    double superiority; /* u / (n m), an estimate of P(y > x) + P(y = x) / 2. */
    double p;           /* Two-sided p, P(|U − n m/2| ≥ |u − n m/2|). */
    /* Two-sided p of the normal approximation, also if p is exact. 1 if all numbers are
     * equal. */
    double p_normal;
    bool exact;
    /* Proportion of numbers that equal another number of either group, from 0 to 1. */
    double tie_share;
};

/* The numbers must be finite, in any order, with n and m ≥ 1. Returns 0, DJ_E_NO_DATA if
 * a group is empty, DJ_E_INVALID if a number is not finite, or DJ_E_NO_MEMORY. */
int dj_mann_whitney(const double *x, size_t n, const double *y, size_t m,
                    struct dj_mann_whitney *result);

/* Like dj_mann_whitney(), but both groups must be in ascending order and finite. */
int dj_mann_whitney_sorted(const double *x, size_t n, const double *y, size_t m,
                           struct dj_mann_whitney *result);

/* Returns the smallest two-sided p that groups without ties can reach, 2 / C(n + m, n):
 * 0.1 for 3 and 3 numbers, 0.0079 for 5 and 5. Returns 1 if a group is empty. */
double dj_mann_whitney_least_p(size_t n, size_t m);

/* Returns the largest u with 2 P(U ≤ u) ≤ alpha for groups without ties, or −1 if not
 * even u = 0 satisfies this. The interval of shift.h excludes u of the n m sorted
 * differences at each end. The result is exact for up to DJ_EXACT_MAX numbers, and
 * otherwise comes from the normal approximation. */
long dj_mann_whitney_critical(size_t n, size_t m, double alpha);

#endif
