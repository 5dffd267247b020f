/* A preloaded object that counts how often the main thread calls clock_gettime().
 * Writes "clock reads: N" to stderr when the program ends. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

static unsigned long reads;
static __typeof__(clock_gettime) *next;
static _Thread_local bool is_main;

__attribute__((constructor)) static void load(void)
{
    is_main = true;
}

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock,
                                                         struct timespec *now)
{
    if (next == NULL) {
        next = dlsym(RTLD_NEXT, "clock_gettime");
    }
    reads += is_main;
    return next(clock, now);
}

__attribute__((destructor)) static void report(void)
{
    fprintf(stderr, "clock reads: %lu\n", reads);
}
