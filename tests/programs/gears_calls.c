/* Makes only the hooked calls of a frame of glxgears on llvmpipe:
 *   - 17 signals of condition variables; for two of them, a thread waits
 *   - four polls that do not block, each in a wait for a reply, two of them inside the
 *     swap
 *   - a wait for the two threads
 *   - the swap
 *
 *   gears_calls threads N  N frames
 *   gears_calls alone N    without threads, so that no thread waits for a signal;
 *                          prints the median duration of a frame in ns
 *   gears_calls cold N     like alone, with the caches cleared before each frame */
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fake_gears.h"

enum {
    THREADS = 2,
    UNHEARD = 5,  /* Number of conditions for which no thread waits. */
    SIGNALS = 15, /* Number of signals to these conditions. */
    COLD_BYTES = 8 << 20,
    CACHE_LINE = 64,
    WINDOW = 0x400001
};

/* All conditions are in one array, because their distances decide whether they share
 * slots of the wake table. */
static pthread_cond_t work[THREADS + UNHEARD], *const unheard = work + THREADS;

static struct {
    pthread_mutex_t mutex; /* Protects the members below. */
    pthread_cond_t done;
    bool has_work[THREADS];
    int busy; /* Number of threads that do not wait for work. */
    bool ends;
} rasterizer = {.mutex = PTHREAD_MUTEX_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};

static void *rasterize(void *argument)
{
    size_t number = (size_t)((pthread_cond_t *)argument - work);
    pthread_mutex_lock(&rasterizer.mutex);
    for (;;) {
        rasterizer.busy--;
        pthread_cond_signal(&rasterizer.done);
        while (!rasterizer.has_work[number] && !rasterizer.ends) {
            pthread_cond_wait(&work[number], &rasterizer.mutex);
        }
        if (rasterizer.ends) {
            pthread_mutex_unlock(&rasterizer.mutex);
            return NULL;
        }
        rasterizer.has_work[number] = false;
    }
}

static void wait_until_idle(void)
{
    while (rasterizer.busy > 0) {
        pthread_cond_wait(&rasterizer.done, &rasterizer.mutex);
    }
}

static void draw_on_threads(void)
{
    pthread_mutex_lock(&rasterizer.mutex);
    for (size_t i = 0; i < THREADS; i++) {
        rasterizer.has_work[i] = true;
        rasterizer.busy++;
        pthread_cond_signal(&work[i]);
    }
    wait_until_idle();
    pthread_mutex_unlock(&rasterizer.mutex);
}

static void draw_alone(void)
{
    for (size_t i = 0; i < THREADS; i++) {
        pthread_cond_signal(&work[i]);
    }
}

static void present_frame(struct pollfd *server)
{
    for (size_t i = 0; i < SIGNALS; i++) {
        pthread_cond_signal(&unheard[i % UNHEARD]);
    }
    for (unsigned i = 0; i < FAKE_GEARS_ROUND_TRIPS; i++) {
        xcb_wait_for_reply(server, i, NULL);
    }
    glXSwapBuffers(server, WINDOW);
}

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static void clear_caches(void)
{
    static volatile char bytes[COLD_BYTES];
    for (size_t i = 0; i < COLD_BYTES; i += CACHE_LINE) {
        bytes[i]++;
    }
}

static int run_alone(struct pollfd *server, size_t frames, bool cold)
{
    int64_t *length_ns = calloc(frames + 1, sizeof(*length_ns));
    if (length_ns == NULL) {
        return 1;
    }
    fake_gears_draw = draw_alone;
    for (size_t i = 0; i < frames; i++) {
        if (cold) {
            clear_caches();
        }
        int64_t begin_ns = now_ns();
        present_frame(server);
        length_ns[i] = now_ns() - begin_ns;
    }
    qsort(length_ns, frames, sizeof(*length_ns), compare);
    printf("%lld\n", (long long)length_ns[frames / 2]);
    free(length_ns);
    return 0;
}

static int run_threads(struct pollfd *server, size_t frames)
{
    pthread_t threads[THREADS];
    fake_gears_draw = draw_on_threads;
    rasterizer.busy = THREADS;
    for (size_t i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, rasterize, &work[i]) != 0) {
            return 1;
        }
    }
    pthread_mutex_lock(&rasterizer.mutex);
    wait_until_idle();
    pthread_mutex_unlock(&rasterizer.mutex);
    for (size_t i = 0; i < frames; i++) {
        present_frame(server);
    }
    pthread_mutex_lock(&rasterizer.mutex);
    rasterizer.ends = true;
    for (size_t i = 0; i < THREADS; i++) {
        pthread_cond_signal(&work[i]);
    }
    pthread_mutex_unlock(&rasterizer.mutex);
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}

int main(int argc, char **argv)
{
    int ends[2];
    if (argc < 3 || pipe(ends) != 0 || write(ends[1], "", 1) != 1) {
        return 2;
    }
    struct pollfd server = {.fd = ends[0], .events = POLLIN};
    size_t frames = strtoul(argv[2], NULL, 10);
    return strcmp(argv[1], "threads") == 0
               ? run_threads(&server, frames)
               : run_alone(&server, frames, strcmp(argv[1], "cold") == 0);
}
