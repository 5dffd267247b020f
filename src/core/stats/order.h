/* Sorting, and medians. Only on the stack; any thread. */
#ifndef DEJANK_STATS_ORDER_H
#define DEJANK_STATS_ORDER_H

#include <stdbool.h>
#include <stddef.h>

/* Sorts ascending, in place, in O(n log n) for any input without NaN. */
void dj_order_sort(double *values, size_t count);

/* Returns whether every number is finite, as the tests require. True for none. */
bool dj_order_all_finite(const double *values, size_t count);

/* Returns the median of ascending numbers, or NaN for none. Negating all numbers
 * negates it exactly. */
double dj_order_median_sorted(const double *sorted, size_t count);

#endif
