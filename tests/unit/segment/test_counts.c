#include <criterion/criterion.h>
#include <pthread.h>

#include "writing.h"

/* Tests that no frame is lost, for any number of frames and threads. */
TestSuite(counts, .init = test_setup, .fini = test_teardown, .timeout = 3000);

enum { THREADS = 8, FRAMES_EACH = 20000, MANY_FRAMES = 10000000, KEY = 5 };

static const uint64_t TWO_32 = UINT64_C(1) << 32;

static const struct dj_snapshot_options whole = {0};

static struct dj_segment_writer writer;

/* Changes a window as if it had recorded this number of frames, and as if `opened` of
 * them belonged to an earlier window. */
static void set_counts(struct dj_segment_open_window *shared, uint64_t frames,
                       uint64_t opened)
{
    atomic_store(&shared->begun, frames);
    atomic_store(&shared->published, frames);
    atomic_store(&shared->first_index, frames);
    for (size_t i = 0; i < 2; i++) {
        struct dj_segment_stats *total = &shared->stats[i].total;
        struct dj_segment_stats *before = &shared->stats[i].opened;
        atomic_store(&total->counter[DJ_COUNTER_TOTAL], (uint32_t)frames);
        atomic_store(&total->frame_histogram[0], (uint32_t)frames);
        atomic_store(&total->gpu_histogram[0], (uint32_t)frames);
        atomic_store(&before->counter[DJ_COUNTER_TOTAL], (uint32_t)opened);
        atomic_store(&before->frame_histogram[0], (uint32_t)opened);
        atomic_store(&before->gpu_histogram[0], (uint32_t)opened);
    }
}

static struct dj_snapshot_window read_window(void)
{
    struct dj_snapshot snapshot;
    test_read(test_segment(), &whole, &snapshot);
    struct dj_snapshot_window window = snapshot.windows[0];
    window.frames = NULL;
    dj_segment_snapshot_finish(&snapshot);
    return window;
}

/* A window records 2³² frames in two years at 60 Hz. The counters overflow to 0. */
Test(counts, counters_overflow_at_2_to_the_32_frames)
{
    test_create(&writer);
    struct dj_window_writer *window = dj_segment_open_window(&writer, KEY, "Window");
    set_counts(window->shared, TWO_32 - 5, 0);
    test_write(&writer, KEY, 0, 4);
    cr_assert_eq(read_window().stats.counter[DJ_COUNTER_TOTAL], UINT32_MAX);
    test_write(&writer, KEY, 4, 10);
    struct dj_snapshot_window read = read_window();
    cr_assert_eq(read.first_index, TWO_32 - 5);
    cr_assert_eq(read.frame_count, 10);
    cr_assert_eq(read.stats.counter[DJ_COUNTER_TOTAL], 5);
    cr_assert_eq(read.cumulative.counter[DJ_COUNTER_TOTAL], 5);
}

/* The statistics since a point in time are right even if the counters overflow after
 * it. */
Test(counts, an_overflow_since_the_window_opened_is_counted_right)
{
    test_create(&writer);
    struct dj_window_writer *window = dj_segment_open_window(&writer, KEY, "Window");
    set_counts(window->shared, TWO_32 - 5, TWO_32 - 5);
    test_write(&writer, KEY, 0, 300);
    struct dj_snapshot_window read = read_window();
    cr_assert_eq(read.first_index, TWO_32 - 5 + 300 - TEST_KEEP);
    cr_assert_eq(read.frame_count, TEST_KEEP);
    cr_assert_eq(read.stats.counter[DJ_COUNTER_TOTAL], 300);
    cr_assert_eq(read.stats.counter[DJ_COUNTER_JANKY], test_slow_frames(300));
    cr_assert_eq(test_sum(read.stats.frame_histogram, DJ_FRAME_BUCKETS), 300);
}

Test(counts, an_overflow_since_a_reset_is_counted_right)
{
    test_create(&writer);
    struct dj_window_writer *window = dj_segment_open_window(&writer, KEY, "Window");
    set_counts(window->shared, TWO_32 - 5, 0);
    test_write(&writer, KEY, 0, 2);
    cr_assert_eq(test_reset(test_segment(), 1, NULL), 0);
    cr_assert_eq(read_window().stats.counter[DJ_COUNTER_TOTAL], 0);
    test_write(&writer, KEY, 2, 32);
    struct dj_snapshot_window read = read_window();
    cr_assert_eq(read.frame_count, 30);
    cr_assert_eq(read.process.counter[DJ_COUNTER_TOTAL], 30);
    cr_assert_eq(test_sum(read.process.frame_histogram, DJ_FRAME_BUCKETS), 30);
    cr_assert_eq(test_reset(test_segment(), 2, NULL), 0);
    cr_assert_eq(read_window().frame_count, 0);
    cr_assert_eq(read_window().process.counter[DJ_COUNTER_TOTAL], 0);
}

/* Records DEJANK_FRAMES frames, or 10⁷, which is two days at 60 Hz. */
Test(counts, no_frame_of_many_is_lost)
{
    uint64_t frames = test_times("DEJANK_FRAMES", MANY_FRAMES);
    test_create(&writer);
    test_write(&writer, KEY, 0, frames);
    struct dj_snapshot snapshot;
    test_read(test_segment(), &whole, &snapshot);
    test_check_window(&snapshot.windows[0]);
    cr_assert_eq(snapshot.windows[0].stats.counter[DJ_COUNTER_TOTAL], frames);
    cr_assert_eq(snapshot.windows[0].frame_count, TEST_KEEP);
    cr_assert_eq(snapshot.dropped, 0);
    dj_segment_snapshot_finish(&snapshot);
}

/* A thread that presents frames, and its progress. */
struct presenter {
    pthread_t id;
    uint64_t key, number;
    uint64_t frames;
    _Atomic uint64_t begun, done, refused;
};

static struct presenter presenters[THREADS];

/* Returns a frame that contains the number of the thread, so that the order can be
 * checked. */
static struct dj_frame frame_of(const struct presenter *presenter, uint64_t index)
{
    struct dj_frame frame = test_frame(presenter->key, index);
    frame.value[DJ_COLUMN_INPUT_EVENT_ID] = (int64_t)presenter->number;
    return frame;
}

static void *present(void *argument)
{
    struct presenter *presenter = argument;
    for (uint64_t i = 0; i < presenter->frames; i++) {
        struct dj_frame frame = frame_of(presenter, i);
        atomic_fetch_add(&presenter->begun, 1);
        struct dj_window_writer *window = dj_segment_find_window(&writer, presenter->key);
        bool written =
            dj_segment_write_frame(&writer, window, presenter->key, &frame, NULL);
        atomic_fetch_add(written ? &presenter->done : &presenter->refused, 1);
    }
    return NULL;
}

static void present_on_all(uint64_t windows)
{
    test_create(&writer);
    for (uint64_t i = 0; i < THREADS; i++) {
        presenters[i].number = i;
        presenters[i].key = i % windows;
        presenters[i].frames = FRAMES_EACH;
        cr_assert_not_null(dj_segment_open_window(&writer, i % windows, "Window"));
    }
    for (size_t i = 0; i < THREADS; i++) {
        cr_assert_eq(pthread_create(&presenters[i].id, NULL, present, &presenters[i]), 0);
    }
}

enum counted { BEGUN, DONE, REFUSED };

static uint64_t sum_of(enum counted what)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < THREADS; i++) {
        const struct presenter *presenter = &presenters[i];
        sum += atomic_load(what == BEGUN  ? &presenter->begun
                           : what == DONE ? &presenter->done
                                          : &presenter->refused);
    }
    return sum;
}

/* Checks that the ring buffer contains each frame of a thread once, complete, and in
 * order. */
static void check_order(const struct dj_snapshot_window *window)
{
    int64_t last[THREADS] = {0};
    for (size_t i = 0; i < window->frame_count; i++) {
        const struct dj_frame *frame = &window->frames[i];
        int64_t number = frame->value[DJ_COLUMN_INPUT_EVENT_ID];
        int64_t stamp = frame->value[DJ_COLUMN_INTENDED_VSYNC];
        cr_assert(number >= 0 && number < THREADS);
        struct dj_frame expected =
            frame_of(&presenters[number], (uint64_t)stamp / 40000000 - 1);
        cr_assert(dj_frame_equal(frame, &expected), "row %zu is torn", i);
        cr_assert_gt(stamp, last[number], "row %zu is out of order", i);
        last[number] = stamp;
    }
}

static uint64_t check_picture(void)
{
    struct dj_snapshot snapshot;
    uint64_t total = 0;
    test_read(test_segment(), &whole, &snapshot);
    for (size_t i = 0; i < snapshot.window_count; i++) {
        const struct dj_snapshot_window *window = &snapshot.windows[i];
        check_order(window);
        total += window->stats.counter[DJ_COUNTER_TOTAL];
        cr_assert_eq(test_sum(window->stats.frame_histogram, DJ_FRAME_BUCKETS),
                     window->stats.counter[DJ_COUNTER_TOTAL]);
    }
    dj_segment_snapshot_finish(&snapshot);
    return total;
}

/* Checks snapshots while other threads write. A snapshot contains each frame that was
 * written before the snapshot started, and no frame that was written after it ended. A
 * later snapshot contains at least as many frames. */
static void watch(void)
{
    const uint64_t all = (uint64_t)THREADS * FRAMES_EACH;
    uint64_t last = 0;
    uint64_t ended;
    do {
        uint64_t done = sum_of(DONE);
        ended = done + sum_of(REFUSED);
        uint64_t total = check_picture();
        uint64_t begun = sum_of(BEGUN);
        cr_assert(done <= total && total <= begun, "%llu of %llu to %llu frames",
                  (unsigned long long)total, (unsigned long long)done,
                  (unsigned long long)begun);
        cr_assert_geq(total, last);
        last = total;
    } while (ended < all);
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(presenters[i].id, NULL);
    }
}

static uint64_t dropped_frames(void)
{
    struct dj_snapshot snapshot;
    test_read(test_segment(), &whole, &snapshot);
    uint64_t dropped = snapshot.dropped;
    dj_segment_snapshot_finish(&snapshot);
    return dropped;
}

Test(counts, eight_threads_with_a_window_each_lose_no_frame)
{
    present_on_all(THREADS);
    watch();
    cr_assert_eq(dropped_frames(), 0);
    cr_assert_eq(check_picture(), (uint64_t)THREADS * FRAMES_EACH);
}

Test(counts, eight_threads_in_one_window_lose_no_frame)
{
    present_on_all(1);
    watch();
    cr_assert_eq(dropped_frames(), sum_of(REFUSED));
    cr_assert_eq(check_picture() + dropped_frames(), (uint64_t)THREADS * FRAMES_EACH);
}

Test(counts, eight_threads_in_three_windows_lose_no_frame)
{
    present_on_all(3);
    watch();
    cr_assert_eq(check_picture() + dropped_frames(), (uint64_t)THREADS * FRAMES_EACH);
}
