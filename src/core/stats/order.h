/* Numbers in order, and centres of them that leave outliers aside. On the stack alone;
 * any thread. */
#ifndef DEJANK_STATS_ORDER_H
#define DEJANK_STATS_ORDER_H

#include <stdbool.h>
#include <stddef.h>

/* Sorts ascending, in place, in O(n log n) whatever the input, which must hold no NaN. */
void dj_sort(double *values, size_t count);

/* Whether every number is finite: the tests take no others. True of none. */
bool dj_all_finite(const double *values, size_t count);

/* The median of ascending numbers; NaN where there are none. It changes its sign with
 * all of them, to the bit. */
double dj_median_sorted(const double *sorted, size_t count);

#endif
