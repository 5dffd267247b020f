/* Comparison of numbers, and binary search in sorted data. */
#ifndef DEJANK_BASE_COMPARE_H
#define DEJANK_BASE_COMPARE_H

#include <stddef.h>

/* Comparison for qsort(): less than 0, 0 or greater than 0. */
#define DJ_COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* The smaller or the larger of two numbers. The arguments may be evaluated twice. */
#define DJ_LEAST(a, b) ((a) < (b) ? (a) : (b))
#define DJ_MOST(a, b) ((a) > (b) ? (a) : (b))

/* Binary search. Sets `from` to the first index in [from, to) for which `is_before` is
 * false, or to `to` if there is no such index. `is_before` is an expression of the index
 * `middle`. It must be true for all indices below the result and false for all others.
 * `from` and `to` are lvalues of type size_t. */
#define DJ_SEARCH(from, to, middle, is_before)                                           \
    while ((from) < (to)) {                                                              \
        size_t middle = (from) + ((to) - (from)) / 2;                                    \
        if (is_before) {                                                                 \
            (from) = middle + 1;                                                         \
        } else {                                                                         \
            (to) = middle;                                                               \
        }                                                                                \
    }

#endif
