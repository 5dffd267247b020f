#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "writing.h"

/* Tests readers while a writer writes at full speed or is killed. Every snapshot must be
 * consistent. */
TestSuite(torture, .init = test_setup, .fini = test_teardown, .timeout = 60);

enum { THREADS = 4, FRAMES_PER_THREAD = 20000 };

enum { RESETTERS = 50, PICTURES = 300, CYCLED_KEYS = DJ_SEGMENT_WINDOWS + 5 };

static const struct dj_snapshot_options whole = {0};

/* Child process: writes to two windows alternately until `stop` is set. */
static void write_for_ever(struct shared *shared)
{
    struct dj_segment_writer writer;
    test_create(&writer);
    struct dj_window_writer *windows[2];
    for (uint64_t key = 0; key < 2; key++) {
        windows[key] = dj_segment_open_window(&writer, key, "Window");
        must(windows[key] != NULL);
    }
    must(rename(test_segment(), test_path("segment")) == 0);
    atomic_store(&shared->ready, true);
    for (uint64_t i = 0; !atomic_load(&shared->stop); i++) {
        for (uint64_t key = 0; key < 2; key++) {
            struct dj_frame frame = test_frame(key, i);
            must(dj_segment_write_frame(&writer, windows[key], key, &frame, NULL));
        }
        atomic_store(&shared->written, i + 1);
    }
    _exit(0);
}

Test(torture, every_snapshot_of_a_live_writer_is_consistent)
{
    struct shared *shared = make_shared();
    pid_t child = start(write_for_ever, shared);
    uint64_t last[2] = {0, 0};
    for (int i = 0; i < PICTURES; i++) {
        struct dj_snapshot snapshot;
        const struct dj_snapshot_options options = {.rows = i % 2 == 0 ? 0 : 20};
        test_read(test_path("segment"), &options, &snapshot);
        cr_assert_eq(snapshot.window_count, 2);
        for (size_t k = 0; k < 2; k++) {
            const struct dj_snapshot_window *window = &snapshot.windows[k];
            test_check_window(window);
            cr_assert_eq(window->key, k);
            uint64_t end = window->first_index + window->frame_count;
            cr_assert_geq(end, last[k], "timestamps decrease");
            last[k] = end;
        }
        dj_segment_snapshot_finish(&snapshot);
    }
    finish(child, shared);
    cr_assert_gt(last[0], 0);
}

/* Prints and resets alternately. Each frame must be counted in exactly one measurement
 * window. */
Test(torture, resets_lose_no_frame)
{
    struct shared *shared = make_shared();
    pid_t child = start(write_for_ever, shared);
    uint64_t counted = 0;
    uint64_t janky = 0;
    for (int i = 0; i <= PICTURES; i++) {
        struct dj_snapshot snapshot;
        if (i == PICTURES) {
            finish(child, shared);
        }
        test_read(test_path("segment"), &whole, &snapshot);
        test_check_window(&snapshot.windows[0]);
        counted += snapshot.windows[0].stats.counter[DJ_COUNTER_TOTAL];
        janky += snapshot.windows[0].stats.counter[DJ_COUNTER_JANKY];
        cr_assert_eq(dj_segment_reset_to(test_path("segment"), geteuid(), &snapshot,
                                         snapshot.created_ns + i, NULL),
                     0);
        dj_segment_snapshot_finish(&snapshot);
    }
    cr_assert_eq(counted, atomic_load(&shared->written));
    cr_assert_eq(janky, test_slow_frames(counted));
}

static void reset_for_ever(struct shared *shared)
{
    atomic_store(&shared->ready, true);
    for (int64_t i = 1; !atomic_load(&shared->stop); i++) {
        must(test_reset(test_path("segment"), i, NULL) == 0);
    }
    _exit(0);
}

/* Two processes reset, one writes, and one reads. */
Test(torture, concurrent_resets_wait)
{
    struct shared *shared = make_shared();
    struct shared *first = make_shared();
    struct shared *second = make_shared();
    pid_t child = start(write_for_ever, shared);
    pid_t resetters[2] = {start(reset_for_ever, first), start(reset_for_ever, second)};
    for (int i = 0; i < PICTURES; i++) {
        struct dj_snapshot snapshot;
        test_read(test_path("segment"), &whole, &snapshot);
        for (size_t k = 0; k < 2; k++) {
            test_check_window(&snapshot.windows[k]);
            cr_assert_leq(snapshot.windows[k].stats.counter[DJ_COUNTER_TOTAL],
                          snapshot.windows[k].cumulative.counter[DJ_COUNTER_TOTAL]);
        }
        dj_segment_snapshot_finish(&snapshot);
    }
    finish(resetters[0], first);
    finish(resetters[1], second);
    finish(child, shared);
}

/* If a process is killed while it resets, the segment can be read, and the next reset
 * repairs it. */
Test(torture, a_reset_killed_at_any_time_is_repaired)
{
    struct shared *shared = make_shared();
    struct shared *resetting = make_shared();
    unsigned seed = 2;
    pid_t child = start(write_for_ever, shared);
    for (int i = 0; i < RESETTERS; i++) {
        struct dj_snapshot snapshot;
        pid_t resetter = start(reset_for_ever, resetting);
        const struct timespec pause = {.tv_nsec = rand_r(&seed) % 500000};
        nanosleep(&pause, NULL);
        kill(resetter, SIGKILL);
        cr_assert_eq(waitpid(resetter, NULL, 0), resetter);
        test_read(test_path("segment"), &whole, &snapshot);
        test_check_window(&snapshot.windows[0]);
        test_check_window(&snapshot.windows[1]);
        dj_segment_snapshot_finish(&snapshot);
    }
    finish(child, shared);
    cr_assert_eq(test_reset(test_path("segment"), 1, NULL), 0);
    struct dj_snapshot snapshot;
    test_read(test_path("segment"), &whole, &snapshot);
    cr_assert_eq(snapshot.windows[0].stats.counter[DJ_COUNTER_TOTAL], 0);
    dj_segment_snapshot_finish(&snapshot);
}

/* Uses more windows than there are slots, so that they replace each other all the
 * time. */
static void cycle_windows(struct shared *shared)
{
    struct dj_segment_writer writer;
    test_create(&writer);
    /* The writer opens its file again by the first name when a window is opened. The
     * test uses this second name. */
    must(link(test_segment(), test_path("segment")) == 0);
    atomic_store(&shared->ready, true);
    for (uint64_t i = 0; !atomic_load(&shared->stop); i++) {
        uint64_t key = i % CYCLED_KEYS;
        char title[32];
        snprintf(title, sizeof(title), "Window %llu", (unsigned long long)key);
        struct dj_window_writer *window = dj_segment_open_window(&writer, key, title);
        must(window != NULL);
        for (uint64_t k = 0; k < 3; k++) {
            struct dj_frame frame = test_frame(key, i * 3 + k);
            must(dj_segment_write_frame(&writer, window, key, &frame, NULL));
        }
        atomic_store(&shared->written, i * 3 + 3);
    }
    _exit(0);
}

Test(torture, windows_that_replace_each_other_are_consistent)
{
    struct shared *shared = make_shared();
    struct dj_snapshot snapshot;
    pid_t child = start(cycle_windows, shared);
    for (int i = 0; i < PICTURES; i++) {
        test_read(test_path("segment"), &whole, &snapshot);
        for (size_t k = 0; k < snapshot.window_count; k++) {
            const struct dj_snapshot_window *window = &snapshot.windows[k];
            char title[32];
            snprintf(title, sizeof(title), "Window %llu",
                     (unsigned long long)window->key);
            cr_assert(!window->open || strcmp(window->title, title) == 0,
                      "%s has the key of %s", window->title, title);
            for (size_t n = 0; n < window->frame_count; n++) {
                cr_assert_eq(window->frames[n].value[DJ_COLUMN_FRAME_TIMELINE_VSYNC_ID],
                             (int64_t)window->key, "a row of another window");
            }
            cr_assert_eq(test_sum(window->stats.frame_histogram, DJ_FRAME_BUCKETS),
                         window->stats.counter[DJ_COUNTER_TOTAL]);
        }
        dj_segment_snapshot_finish(&snapshot);
    }
    finish(child, shared);
    test_read(test_path("segment"), &whole, &snapshot);
    uint64_t counted = 0;
    for (size_t k = 0; k < snapshot.window_count; k++) {
        counted += snapshot.windows[k].process.counter[DJ_COUNTER_TOTAL];
    }
    cr_assert_eq(counted, atomic_load(&shared->written),
                 "the process counts every frame");
    dj_segment_snapshot_finish(&snapshot);
}

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Changes the state of a slot all the time, and finally leaves it as being assigned. */
static void hand_over_for_a_while(struct shared *shared)
{
    int fd = open(test_path("segment"), O_RDWR | O_CLOEXEC);
    char *bytes =
        mmap(NULL, 2 * DJ_SEGMENT_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    must(bytes != MAP_FAILED);
    struct dj_segment_open_window *window =
        (struct dj_segment_open_window *)(bytes + DJ_SEGMENT_PAGE);
    atomic_store(&window->state, DJ_WINDOW_CHANGING);
    atomic_store(&shared->ready, true);
    const int64_t end_ms = now_ms() + 50;
    for (uint64_t key = 1; now_ms() < end_ms; key++) {
        for (int i = 0; i < 10000; i++) {
            atomic_store(&window->key, key * 10000 + (uint64_t)i);
        }
    }
    _exit(0);
}

Test(torture, a_slot_left_in_reassignment_has_its_statistics)
{
    struct shared *shared = make_shared();
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    test_create(&writer);
    test_write(&writer, 1, 0, 50);
    cr_assert_eq(rename(test_segment(), test_path("segment")), 0);
    pid_t child = start(hand_over_for_a_while, shared);
    test_read(test_path("segment"), &whole, &snapshot);
    cr_assert_not(snapshot.windows[0].open);
    cr_assert_eq(snapshot.windows[0].cumulative.counter[DJ_COUNTER_TOTAL], 50);
    dj_segment_snapshot_finish(&snapshot);
    finish(child, shared);
    dj_segment_unmap(&writer);
}

/* One of several threads that present to the same two windows. */
struct presenter {
    struct dj_segment_writer *writer;
    uint64_t first, refused;
};

static void *present(void *argument)
{
    struct presenter *presenter = argument;
    for (uint64_t i = 0; i < FRAMES_PER_THREAD; i++) {
        uint64_t key = i % 2;
        struct dj_frame frame = test_frame(key, presenter->first + i);
        struct dj_window_writer *window =
            dj_segment_open_window(presenter->writer, key, "Window");
        presenter->refused +=
            window == NULL ||
            !dj_segment_write_frame(presenter->writer, window, key, &frame, NULL);
    }
    return NULL;
}

/* A frame is written completely, or dropped and counted as dropped. */
Test(torture, threads_of_one_writer_lose_no_frame)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    struct presenter presenters[THREADS] = {0};
    pthread_t threads[THREADS];
    uint64_t refused = 0;
    uint64_t counted = 0;
    test_create(&writer);
    for (size_t i = 0; i < THREADS; i++) {
        presenters[i] = (struct presenter){&writer, i * FRAMES_PER_THREAD, 0};
        cr_assert_eq(pthread_create(&threads[i], NULL, present, &presenters[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        refused += presenters[i].refused;
    }
    test_read(test_segment(), &whole, &snapshot);
    cr_assert_eq(snapshot.window_count, 2);
    cr_assert_eq(snapshot.dropped, refused);
    for (size_t k = 0; k < 2; k++) {
        const struct dj_snapshot_window *window = &snapshot.windows[k];
        counted += window->stats.counter[DJ_COUNTER_TOTAL];
        cr_assert_eq(window->frame_count, TEST_KEEP);
        for (size_t n = 0; n < window->frame_count; n++) {
            int64_t stamp = window->frames[n].value[DJ_COLUMN_INTENDED_VSYNC];
            struct dj_frame expected =
                test_frame(window->key, (uint64_t)stamp / 40000000 - 1);
            cr_assert(dj_frame_equal(&window->frames[n], &expected), "torn");
        }
    }
    cr_assert_eq(counted + refused, (uint64_t)THREADS * FRAMES_PER_THREAD);
    dj_segment_snapshot_finish(&snapshot);
    dj_segment_unmap(&writer);
}

static void *reset_once(void *unused)
{
    (void)unused;
    test_reset(test_segment(), 1, NULL);
    return NULL;
}

/* A reset changes one slot after the other, but a snapshot shows all of it or nothing. */
Test(torture, a_snapshot_shows_all_of_a_reset_or_nothing)
{
    struct dj_segment_writer writer;
    test_create(&writer);
    for (uint64_t round = 0; round < 200; round++) {
        pthread_t thread;
        uint32_t frames = 1;
        for (uint64_t key = 0; key < DJ_SEGMENT_WINDOWS; key++) {
            test_write(&writer, key, round, round + 1);
        }
        cr_assert_eq(pthread_create(&thread, NULL, reset_once, NULL), 0);
        while (frames != 0) {
            struct dj_snapshot snapshot;
            test_read(test_segment(), &whole, &snapshot);
            frames = snapshot.windows[0].stats.counter[DJ_COUNTER_TOTAL];
            for (size_t i = 0; i < DJ_SEGMENT_WINDOWS; i++) {
                test_check_window(&snapshot.windows[i]);
                cr_assert_eq(snapshot.windows[i].frame_count, frames,
                             "window %zu and window 0 are from different times", i);
            }
            dj_segment_snapshot_finish(&snapshot);
        }
        pthread_join(thread, NULL);
    }
    dj_segment_unmap(&writer);
}
