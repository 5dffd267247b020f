/* Spends known shares of CPU time in known functions, for tests of sampled call stacks.
 * Prints the CPU time of each function in ms, measured with the clock of its thread.
 *
 *   planted_stacks MS
 *
 * Calls these functions one after another. The first five all call spin_leaf.
 *   run_long        3 × MS
 *   run_short       MS
 *   run_in_thread   2 × MS in a second thread
 *   run_in_child    2 × MS in a child process
 *   run_after_exec  2 × MS in a child process that has executed this program again
 *   wait_here       sleeps 20 times for 2 ms in the main thread */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "planted_code.h"

static volatile unsigned long sum;

PLANTED void spin_leaf(double ms)
{
    double until_ms = get_ms(CLOCK_THREAD_CPUTIME_ID) + ms;
    while (get_ms(CLOCK_THREAD_CPUTIME_ID) < until_ms) {
        for (int i = 0; i < 100000; i++) {
            sum = sum * 3 + 1;
        }
    }
}

static void report(const char *name, double begun_ms)
{
    printf("%s %.3f\n", name, get_ms(CLOCK_THREAD_CPUTIME_ID) - begun_ms);
    fflush(stdout);
}

#define PLANTED_FUNCTION(name)                                                           \
    PLANTED void name(double ms)                                                         \
    {                                                                                    \
        double begun_ms = get_ms(CLOCK_THREAD_CPUTIME_ID);                               \
        spin_leaf(ms);                                                                   \
        report(#name, begun_ms);                                                         \
        STAY();                                                                          \
    }

PLANTED_FUNCTION(run_long)
PLANTED_FUNCTION(run_short)
PLANTED_FUNCTION(run_in_thread)
PLANTED_FUNCTION(run_in_child)
PLANTED_FUNCTION(run_after_exec)

PLANTED void wait_here(void)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    for (int i = 0; i < 20; i++) {
        nanosleep(&pause, NULL);
    }
    STAY();
}

static void *run_thread(void *ms)
{
    run_in_thread(*(double *)ms);
    STAY();
    return NULL;
}

static void run_child(double ms)
{
    pid_t child = fork();
    if (child == 0) {
        run_in_child(ms);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static void run_exec(char *self, char *ms)
{
    pid_t child = fork();
    if (child == 0) {
        execl(self, self, ms, "again", (char *)NULL);
        _exit(1);
    }
    waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
    double ms = argc > 1 ? atof(argv[1]) : 100, twice_ms = 2 * ms;
    pthread_t thread;
    if (argc > 2) {
        run_after_exec(twice_ms);
        return 0;
    }
    run_long(3 * ms);
    run_short(ms);
    pthread_create(&thread, NULL, run_thread, &twice_ms);
    pthread_join(thread, NULL);
    run_child(twice_ms);
    run_exec(argv[0], argv[1]);
    wait_here();
    return 0;
}
