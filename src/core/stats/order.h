/* Sorts numbers and computes medians. Uses only the stack. Safe in any thread. */
#ifndef DEJANK_STATS_ORDER_H
#define DEJANK_STATS_ORDER_H

#include <stdbool.h>
#include <stddef.h>

/* Sorts numbers in place in ascending order, in O(n log n). There must be no NaN. */
void dj_order_sort(double *values, size_t count);

/* Returns whether all numbers are finite, as the tests require. True for 0 numbers. */
bool dj_order_all_finite(const double *values, size_t count);

/* Returns the median of numbers in ascending order, or NaN if count is 0. The median of
 * the negated numbers is exactly the negated median. */
double dj_order_median_sorted(const double *sorted, size_t count);

#endif
