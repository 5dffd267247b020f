/* The clock of the benchmarks, and the median of the times that they measure. */
#ifndef BENCH_FRAME_TIMES_H
#define BENCH_FRAME_TIMES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static inline int compare_times(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* Sorts the times, and prints their median in ns. */
static inline void print_median(int64_t *times_ns, size_t count)
{
    qsort(times_ns, count, sizeof(times_ns[0]), compare_times);
    printf("%lld\n", (long long)times_ns[count / 2]);
}

#endif
