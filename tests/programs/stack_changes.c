/* Cases for tests of sampled call stacks: changed mappings, a signal handler, the vDSO
 * and short threads.
 *
 *   stack_changes MS library FILE      loads FILE, spends MS in its spin_in_library, and
 *                                      unloads it, three times; then MS in spin_after
 *   stack_changes MS deleted           deletes its own executable, then MS in
 *                                      spin_deleted
 *   stack_changes MS replaced FILE     renames FILE to the path of its own executable,
 *                                      then MS in spin_replaced
 *   stack_changes MS signal            MS in spin_in_handler, in a signal handler that
 *                                      interrupted spin_interrupted
 *   stack_changes MS vdso              reads the clock for MS
 *   stack_changes MS threads           20 threads one after the other, MS / 4 each, in
 *                                      spin_in_thread */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "planted_code.h"

static volatile unsigned long sum;
static double ms;

#define SPIN(name)                                                                       \
    PLANTED void name(double for_ms)                                                     \
    {                                                                                    \
        double until_ms = get_ms(CLOCK_THREAD_CPUTIME_ID) + for_ms;                      \
        while (get_ms(CLOCK_THREAD_CPUTIME_ID) < until_ms) {                             \
            for (int i = 0; i < 100000; i++) {                                           \
                sum = sum * 3 + 1;                                                       \
            }                                                                            \
        }                                                                                \
        STAY();                                                                          \
    }

SPIN(spin_after)
SPIN(spin_deleted)
SPIN(spin_replaced)
SPIN(spin_in_handler)
SPIN(spin_in_thread)

PLANTED void use_library(const char *file)
{
    void (*spin)(double for_ms);
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    *(void **)&spin = dlsym(library, "spin_in_library");
    spin(ms);
    dlclose(library);
    STAY();
}

static void handle(int number)
{
    (void)number;
    spin_in_handler(ms);
    STAY();
}

PLANTED void spin_interrupted(void)
{
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    STAY();
}

PLANTED void read_clock(void)
{
    struct timespec now;
    double until_ms = get_ms(CLOCK_MONOTONIC) + ms;
    while (get_ms(CLOCK_MONOTONIC) < until_ms) {
        clock_gettime(CLOCK_MONOTONIC, &now);
    }
    STAY();
}

static void *run_thread(void *unused)
{
    spin_in_thread(ms / 4);
    STAY();
    return unused;
}

static void run_threads(void)
{
    for (int i = 0; i < 20; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, run_thread, NULL);
        pthread_join(thread, NULL);
    }
}

int main(int count, char **words)
{
    const char *what = count > 2 ? words[2] : "";
    ms = count > 1 ? strtod(words[1], NULL) : 0;
    if (strcmp(what, "library") == 0) {
        for (int i = 0; i < 3; i++) {
            use_library(words[3]);
        }
        spin_after(ms);
    } else if (strcmp(what, "deleted") == 0) {
        unlink(words[0]);
        spin_deleted(ms);
    } else if (strcmp(what, "replaced") == 0) {
        rename(words[3], words[0]);
        spin_replaced(ms);
    } else if (strcmp(what, "signal") == 0) {
        spin_interrupted();
    } else if (strcmp(what, "vdso") == 0) {
        read_clock();
    } else if (strcmp(what, "threads") == 0) {
        run_threads();
    }
    return 0;
}
