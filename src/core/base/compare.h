/* Comparison of numbers, and binary search in sorted data. */
#ifndef DEJANK_BASE_COMPARE_H
#define DEJANK_BASE_COMPARE_H

#include <stddef.h>

/* Comparison for qsort(): less than 0, 0 or greater than 0. */
#define DJ_COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* The smaller or larger of two numbers; an expression may be evaluated twice. */
#define DJ_LEAST(a, b) ((a) < (b) ? (a) : (b))
#define DJ_MOST(a, b) ((a) > (b) ? (a) : (b))

/* Binary search: moves `from` to the first position in [from, to) at which `is_before`
 * is false, or to `to`. `is_before` is an expression of `middle`, a position; it is
 * true before that position and false from there on. `from` and `to` are lvalues of
 * size_t. */
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
