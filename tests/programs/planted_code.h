/* Macros for programs with sampled call stacks. A PLANTED function is neither inlined
 * nor cloned. With STAY() at its end, it stays on the stack during its last call. */
#ifndef PLANTED_CODE_H
#define PLANTED_CODE_H

#include <time.h>

#ifdef __clang__
#define PLANTED __attribute__((noinline))
#else
#define PLANTED __attribute__((noinline, noclone))
#endif

/* Prevents a tail call at the end of the function that contains it. */
#define STAY() __asm__ volatile("" ::: "memory")

static inline double get_ms(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

#endif
