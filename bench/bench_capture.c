/*
 * An app for captures: 60 frames per second, each with a fixed amount of work. A worker
 * does half of the work, and the frame waits for it. Each frame has sections, writes to a
 * file and makes some system calls. Prints the cost of its frames.
 *
 *   bench-capture [FRAMES]      "cpu_ns N wall_ns N": per frame, of both threads; the
 * median of its wall time
 */
#include <dejank/frames.h>
#include <dejank/sections.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 1500000, CALLS = 40, MOST = 100000 };

static const int64_t interval_ns = 16666667;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static int asked, answered;
static volatile unsigned sink;
static int64_t walls[MOST];

static void work(void)
{
    unsigned x = 2463534242U;
    for (int i = 0; i < ROUNDS; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    sink = x;
}

static void *help(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (answered == asked) {
            pthread_cond_wait(&change, &lock);
        }
        pthread_mutex_unlock(&lock);
        dejank_section_begin("half");
        work();
        dejank_section_end();
        pthread_mutex_lock(&lock);
        answered = asked;
        pthread_cond_broadcast(&change);
    }
    return NULL;
}

static void draw(int file)
{
    dejank_frame_begin(1);
    dejank_section_begin("draw");
    pthread_mutex_lock(&lock);
    asked++;
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&lock);
    work();
    for (int i = 0; i < CALLS; i++) {
        if (pwrite(file, "x", 1, 0) != 1) {
            exit(1);
        }
    }
    pthread_mutex_lock(&lock);
    while (answered != asked) {
        pthread_cond_wait(&change, &lock);
    }
    pthread_mutex_unlock(&lock);
    dejank_section_end();
    dejank_frame_end();
}

static int64_t cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    const int64_t *left = a, *right = b;
    return (*left > *right) - (*left < *right);
}

int main(int argc, char **argv)
{
    int frames = argc > 1 ? atoi(argv[1]) : 300;
    char path[] = "/tmp/dejank-bench-XXXXXX";
    int file = mkstemp(path);
    pthread_t helper;
    if (frames < 1 || frames > MOST || file < 0 || unlink(path) != 0 ||
        pthread_create(&helper, NULL, help, NULL) != 0) {
        return 1;
    }
    int64_t spent_ns = cpu_ns(), next_ns = dejank_now_ns();
    for (int i = 0; i < frames; i++) {
        int64_t begun_ns = dejank_now_ns();
        draw(file);
        walls[i] = dejank_now_ns() - begun_ns;
        next_ns += interval_ns;
        const struct timespec at = {next_ns / 1000000000, next_ns % 1000000000};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
    }
    spent_ns = cpu_ns() - spent_ns;
    qsort(walls, (size_t)frames, sizeof(walls[0]), by_size);
    printf("cpu_ns %lld wall_ns %lld\n", (long long)(spent_ns / frames),
           (long long)walls[frames / 2]);
    return 0;
}
