/* A program for the cost of sampled call stacks: threads that never wait, each with
 * frames of a fixed amount of work below many callers. The first thread reports its
 * frames. A frame is CALLS times about 1 ms of work.
 *
 *   bench-stacks [THREADS [CALLS]]      (default: 1 1) runs until a signal ends it */
#include <dejank/frames.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The stack is deeper than the 16 kB that the kernel copies by default. */
enum { ROUNDS = 12, TABLE = 1 << 14, CALLERS = 24, LOCALS = 768 };

static volatile uint32_t sink;
static int calls = 1;

/* About 1 ms. The table fits in the second cache of a CPU. */
static uint32_t work(uint32_t *table)
{
    uint32_t x = 2463534242U;
    for (int i = 0; i < ROUNDS * TABLE; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        table[x % TABLE] += x;
    }
    return x;
}

__attribute__((noinline)) static uint32_t call(int callers, uint32_t *table)
{
    volatile char locals[LOCALS];
    locals[0] = (char)callers;
    return callers == 0 ? work(table) : call(callers - 1, table) + (uint32_t)locals[0];
}

static void *run(void *is_first)
{
    uint32_t *table = calloc(TABLE, sizeof(*table));
    while (table != NULL) {
        if (is_first != NULL) {
            dejank_frame_begin(1);
        }
        for (int i = 0; i < calls; i++) {
            sink = call(CALLERS, table);
        }
        if (is_first != NULL) {
            dejank_frame_end();
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 1;
    calls = argc > 2 ? atoi(argv[2]) : 1;
    for (int i = 1; i < threads; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, run, NULL) != 0) {
            return 1;
        }
    }
    run(&threads);
    return 1;
}
