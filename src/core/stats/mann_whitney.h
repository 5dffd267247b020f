/* Tests whether one of two groups tends to larger numbers: the test of Mann and
 * Whitney (1947), also called Wilcoxon's. Allocates scratch memory only; any thread.
 *
 * Up to DJ_EXACT_MAX numbers p is exact, given the ties: without ties from the integer
 * distribution of U, with ties from all ways to distribute the midranks (the shift
 * algorithm of Streitberg and Röhmel 1986). Above that, the normal approximation with
 * correction for ties and continuity. Swapping the groups does not change a bit of p. */
#ifndef DEJANK_STATS_MANN_WHITNEY_H
#define DEJANK_STATS_MANN_WHITNEY_H

#include <stdbool.h>
#include <stddef.h>

enum { DJ_EXACT_MAX = 120 }; /* numbers of both groups */

struct dj_mann_whitney {
    double u;           /* pairs with y > x, ties half: 0 … n m */
    double superiority; /* u / (n m): P(y > x), ties half */
    double p;        /* two-sided: P(|U − n m/2| ≥ |u − n m/2|); exact if `exact` */
    double p_normal; /* the approximation, for any size; 1 if all are equal */
    bool exact;
    double tie_share; /* proportion of all numbers that equal another one of either group;
                         0 … 1 */
};

/* n and m ≥ 1, in any order, finite. Returns 0, DJ_E_NO_DATA if a group is empty,
 * DJ_E_INVALID if a number is not finite, or DJ_E_NO_MEMORY. */
int dj_mann_whitney(const double *x, size_t n, const double *y, size_t m,
                    struct dj_mann_whitney *result);

/* The same for groups in ascending order. */
int dj_mann_whitney_sorted(const double *x, size_t n, const double *y, size_t m,
                           struct dj_mann_whitney *result);

/* Returns the least two-sided p that groups without ties can reach, 2 / C(n + m, n):
 * 0.1 for 3 and 3, 0.0079 for 5 and 5. 1 if a group is empty. */
double dj_mann_whitney_least_p(size_t n, size_t m);

/* Returns the largest u with 2 P(U ≤ u) ≤ alpha, without ties: how many of the n m
 * sorted differences are outside the interval of shift.h on each side. −1: not even u
 * = 0. Exact up to DJ_EXACT_MAX numbers, above with the normal approximation. */
long dj_mann_whitney_critical(size_t n, size_t m, double alpha);

#endif
