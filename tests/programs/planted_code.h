/* Functions that stay functions of their own and stay on the stack, for programs whose
 * call stacks are sampled. */
#ifndef PLANTED_CODE_H
#define PLANTED_CODE_H

#include <time.h>

#ifdef __clang__
#define PLANTED __attribute__((noinline))
#else
#define PLANTED __attribute__((noinline, noclone))
#endif

/* Keeps the compiler from ending the caller with a jump. */
#define STAY() __asm__ volatile("" ::: "memory")

static inline double get_ms(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

#endif
