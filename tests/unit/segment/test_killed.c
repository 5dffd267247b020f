#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "writing.h"

/* Kills a writer that does everything that a recorder does, at random times:
 * DEJANK_KILLS times, or 200 times. */
TestSuite(killed, .init = test_setup, .fini = test_teardown, .timeout = 3000);

enum { KILLS = 200, STEADY = 2, VISITORS = 40, VISIT_EVERY = 16, PAUSE_NS_MAX = 2000000 };

static const struct dj_snapshot_options whole = {0};

static const uint64_t LATE = DJ_COLUMN_BIT(DJ_COLUMN_GPU_COMPLETED) |
                             DJ_COLUMN_BIT(DJ_COLUMN_DISPLAY_PRESENT_TIME);

/* Records a frame without the late values, and then adds them. */
static void record(struct dj_segment_writer *writer, uint64_t key, uint64_t index)
{
    struct dj_frame frame = test_frame(key, index);
    uint64_t known = frame.known;
    uint64_t row;
    struct dj_window_writer *window = dj_segment_open_window(writer, key, "a");
    must(window != NULL);
    frame.known &= ~LATE;
    must(dj_segment_write_frame(writer, window, key, &frame, &row));
    frame.known = known;
    must(dj_segment_amend_frame(writer, window, key, row, DJ_COLUMN_DISPLAY_PRESENT_TIME,
                                frame.value[DJ_COLUMN_DISPLAY_PRESENT_TIME]));
    must(dj_segment_amend_frame(writer, window, key, row, DJ_COLUMN_GPU_COMPLETED,
                                frame.value[DJ_COLUMN_GPU_COMPLETED]));
}

/* Sets titles that repeat one letter and have different lengths. */
static void rename_window(struct dj_segment_writer *writer, uint64_t key, uint64_t times)
{
    char title[DJ_SEGMENT_NAME];
    struct dj_window_writer *window = dj_segment_find_window(writer, key);
    size_t length = 1 + times * 37 % (DJ_SEGMENT_NAME - 1);
    memset(title, 'a' + (int)(times % 26), length);
    title[length] = '\0';
    must(dj_segment_set_title(window, key, title));
    must(dj_segment_set_interval(window, key, TEST_INTERVAL_NS));
    must(dj_segment_set_visibility(window, key,
                                   times % 2 == 0 ? DJ_VISIBLE : DJ_INVISIBLE));
    must(dj_segment_set_views(window, key, (uint32_t)times));
}

static void write_all_kinds(struct shared *shared)
{
    struct dj_segment_writer writer;
    test_create(&writer);
    /* The writer opens its file again by the first name when a window is opened. The
     * test uses this second name. */
    unlink(test_path("segment"));
    must(link(test_segment(), test_path("segment")) == 0);
    for (uint64_t i = 0; !atomic_load(&shared->stop); i++) {
        for (uint64_t key = 0; key < STEADY; key++) {
            record(&writer, key, i);
        }
        rename_window(&writer, i % STEADY, i);
        if (i % VISIT_EVERY == 0) {
            record(&writer, STEADY + i / VISIT_EVERY % VISITORS, i);
        }
        atomic_store(&shared->written, i + 1);
        atomic_store(&shared->ready, true);
    }
    _exit(0);
}

/* Checks a row: its timestamp identifies the frame, and all other values follow from
 * it. */
static uint64_t check_row(const struct dj_snapshot_window *window, size_t row)
{
    const struct dj_frame *frame = &window->frames[row];
    uint64_t index = (uint64_t)frame->value[DJ_COLUMN_INTENDED_VSYNC] / 40000000 - 1;
    struct dj_frame expected = test_frame(window->key, index);
    cr_assert_eq(expected.known & ~LATE, frame->known & ~LATE);
    expected.known = frame->known;
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        expected.value[i] =
            (frame->known >> i & 1) != 0 ? expected.value[i] : frame->value[i];
    }
    cr_assert(dj_frame_equal(frame, &expected), "row %zu is torn", row);
    /* Only the last frame may lack a value, because the writer may have died before it
     * was added. */
    cr_assert((frame->known & LATE) == LATE || row + 1 == window->frame_count);
    return index;
}

static void check_title(const struct dj_snapshot_window *window)
{
    const char letter[2] = {window->title[0], '\0'};
    cr_assert_neq(letter[0], '\0');
    cr_assert_eq(strspn(window->title, letter), strlen(window->title), "%s",
                 window->title);
}

static void check_sums(const struct dj_snapshot_window *window)
{
    const struct dj_stats *sums = &window->cumulative;
    uint64_t total = sums->counter[DJ_COUNTER_TOTAL];
    uint64_t gpu = test_sum(sums->gpu_histogram, DJ_GPU_BUCKETS);
    cr_assert_eq(test_sum(sums->frame_histogram, DJ_FRAME_BUCKETS), total);
    cr_assert(gpu == total || gpu + 1 == total, "GPU times %llu of %llu",
              (unsigned long long)gpu, (unsigned long long)total);
    cr_assert_eq(total, window->first_index + window->frame_count);
}

static void check_window(const struct dj_snapshot_window *window)
{
    check_sums(window);
    if (!window->open) {
        return; /* The writer was killed while it assigned the slot to another window. */
    }
    check_title(window);
    uint64_t last = 0;
    for (size_t i = 0; i < window->frame_count; i++) {
        uint64_t index = check_row(window, i);
        cr_assert(i == 0 || index > last, "timestamps decrease");
        last = index;
    }
}

/* Checks that a window contains each frame that was written, and possibly one more. */
static void check_steady(const struct dj_snapshot_window *window, uint64_t written)
{
    uint64_t end = window->first_index + window->frame_count;
    cr_assert(end == written || end == written + 1, "%llu of %llu frames",
              (unsigned long long)end, (unsigned long long)written);
    cr_assert_eq(window->stats.counter[DJ_COUNTER_JANKY], test_slow_frames(end));
    /* The unfinished frame may have overwritten one row. */
    cr_assert_geq(window->frame_count, end < TEST_KEEP ? end : TEST_KEEP - 1);
}

static void check_not_less(const uint32_t *later, const uint32_t *earlier, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cr_assert_geq(later[i], earlier[i], "count %zu decreased", i);
    }
}

static void check_later(const struct dj_snapshot *later,
                        const struct dj_snapshot *earlier)
{
    cr_assert_geq(later->window_count, earlier->window_count);
    for (size_t i = 0; i < earlier->window_count; i++) {
        const struct dj_stats *now = &later->windows[i].cumulative;
        const struct dj_stats *then = &earlier->windows[i].cumulative;
        check_not_less(now->counter, then->counter, DJ_COUNTER_COUNT);
        check_not_less(now->frame_histogram, then->frame_histogram, DJ_FRAME_BUCKETS);
        check_not_less(now->gpu_histogram, then->gpu_histogram, DJ_GPU_BUCKETS);
    }
}

static void remove_segment(const struct dj_snapshot *snapshot)
{
    char name[64];
    snprintf(name, sizeof(name), "%lld.%llu", (long long)snapshot->pid,
             (unsigned long long)snapshot->start_ticks);
    cr_assert_eq(unlink(test_path(name)), 0);
}

static void kill_once(struct shared *shared, unsigned *seed)
{
    struct dj_snapshot living;
    struct dj_snapshot dead;
    pid_t child = start(write_all_kinds, shared);
    const struct timespec pause = {.tv_nsec = rand_r(seed) % PAUSE_NS_MAX};
    nanosleep(&pause, NULL);
    test_read(test_path("segment"), &whole, &living);
    const struct timespec rest = {.tv_nsec = rand_r(seed) % PAUSE_NS_MAX};
    nanosleep(&rest, NULL);
    kill(child, SIGKILL);
    cr_assert_eq(waitpid(child, NULL, 0), child);
    test_read(test_path("segment"), &whole, &dead);
    cr_assert(dead.ended);
    for (size_t i = 0; i < dead.window_count; i++) {
        check_window(&dead.windows[i]);
    }
    for (size_t i = 0; i < STEADY; i++) {
        check_steady(&dead.windows[i], atomic_load(&shared->written));
    }
    check_later(&dead, &living);
    remove_segment(&dead);
    dj_segment_snapshot_finish(&living);
    dj_segment_snapshot_finish(&dead);
    atomic_store(&shared->written, 0);
}

Test(killed, a_segment_is_consistent_after_a_kill_at_any_time)
{
    struct shared *shared = make_shared();
    unsigned seed = (unsigned)test_times("DEJANK_SEED", 1);
    uint64_t kills = test_times("DEJANK_KILLS", KILLS);
    for (uint64_t i = 0; i < kills; i++) {
        kill_once(shared, &seed);
    }
}
