/* Arithmetic on untrusted numbers, in which overflow is defined. On overflow,
 * dj_checked_add_size() returns false. The other functions saturate or wrap, as their
 * names say. */
#ifndef DEJANK_BASE_CHECKED_H
#define DEJANK_BASE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool dj_checked_add_size(size_t a, size_t b, size_t *sum)
{
    return !__builtin_add_overflow(a, b, sum);
}

/* The next two functions saturate instead of overflowing, because an operand may be a
 * timestamp with a special value (INT64_MAX or −1). */
static inline int64_t dj_checked_subtract_saturated(int64_t a, int64_t b)
{
    int64_t difference;
    if (!__builtin_sub_overflow(a, b, &difference)) {
        return difference;
    }
    return b > 0 ? INT64_MIN : INT64_MAX;
}

static inline int64_t dj_checked_add_saturated(int64_t a, int64_t b)
{
    int64_t sum;
    if (!__builtin_add_overflow(a, b, &sum)) {
        return sum;
    }
    return b > 0 ? INT64_MAX : INT64_MIN;
}

/* Returns the sum modulo 2^64, because hwui's own additions wrap when they overflow. */
static inline int64_t dj_checked_add_wrapped(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

#endif
