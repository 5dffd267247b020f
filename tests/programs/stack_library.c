/* A library that stack_changes loads and unloads. */
#include "planted_code.h"

static volatile unsigned long sum;

__attribute__((visibility("default"), noinline)) void spin_in_library(double for_ms);

void spin_in_library(double for_ms)
{
    double until_ms = get_ms(CLOCK_THREAD_CPUTIME_ID) + for_ms;
    while (get_ms(CLOCK_THREAD_CPUTIME_ID) < until_ms) {
        for (int i = 0; i < 100000; i++) {
            sum = sum * 3 + 1;
        }
    }
}
