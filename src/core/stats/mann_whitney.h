/*
 * Whether one of two groups tends to larger numbers: the test of Mann and Whitney (1947),
 * of Wilcoxon. Heap: scratch only, freed before it returns; any thread.
 *
 * Up to DJ_EXACT_MAX numbers p is exact, given the ties: without ties from the counts of
 * U's distribution in whole numbers, with them from that of all ways to share the
 * midranks out (the shift algorithm of Streitberg and Röhmel 1986). Beyond, the normal
 * approximation with correction for ties and continuity. Swapping the groups keeps p to
 * the bit.
 */
#ifndef DEJANK_STATS_MANN_WHITNEY_H
#define DEJANK_STATS_MANN_WHITNEY_H

#include <stdbool.h>
#include <stddef.h>

enum { DJ_EXACT_MAX = 120 }; /* numbers of both groups */

struct dj_mann_whitney {
    double u;           /* pairs with y > x, ties half: 0 … n m */
    double superiority; /* u / (n m): P(y > x), ties half */
    double p; /* two-sided: P(|U − n m/2| ≥ |u − n m/2|); exact where `exact` */
    double p_normal; /* the approximation, whatever the size; 1 where all are equal */
    bool exact;
    double tie_share; /* of all numbers that another one equals, of either group; 0 … 1 */
};

/* n and m ≥ 1, in any order, finite. DJ_E_NO_DATA: a group is empty. DJ_E_INVALID: a
 * number is not finite. DJ_E_NO_MEMORY. */
int dj_mann_whitney(const double *x, size_t n, const double *y, size_t m,
                    struct dj_mann_whitney *result);

/* The same of groups that are ascending already. */
int dj_mann_whitney_sorted(const double *x, size_t n, const double *y, size_t m,
                           struct dj_mann_whitney *result);

/* The least two-sided p that groups without ties can reach, 2 / C(n + m, n): of 3 and 3
 * it is 0.1, of 5 and 5 0.0079. 1 where a group is empty. */
double dj_mann_whitney_least_p(size_t n, size_t m);

/* The largest u with 2 P(U ≤ u) ≤ alpha, without ties: how many of the n m sorted
 * differences lie outside the interval of shift.h on each side. −1: not even u = 0. Exact
 * up to DJ_EXACT_MAX numbers, beyond by the normal approximation. */
long dj_mann_whitney_critical(size_t n, size_t m, double alpha);

#endif
