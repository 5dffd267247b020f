#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

TestSuite(reset, .init = test_setup, .fini = test_teardown);

static const struct dj_snapshot_options whole = {0};
static const struct dj_snapshot_options before_too = {.ignore_reset = true};

static void reset_now(int64_t now_ns)
{
    struct dj_error err = {0};
    cr_assert_eq(test_reset(test_segment(), now_ns, &err), 0, "%s", err.message);
}

static void expect_frames(uint64_t first, size_t count)
{
    struct dj_snapshot snapshot;
    test_read(test_segment(), &whole, &snapshot);
    const struct dj_snapshot_window *window = &snapshot.windows[0];
    test_check_window(window);
    cr_assert_eq(window->stats.counter[DJ_COUNTER_TOTAL], count, "counted %u, want %zu",
                 window->stats.counter[DJ_COUNTER_TOTAL], count);
    cr_assert_eq(window->process.counter[DJ_COUNTER_TOTAL], count);
    cr_assert_eq(window->frame_count, count < TEST_KEEP ? count : TEST_KEEP);
    cr_assert_eq(window->stats.counter[DJ_COUNTER_JANKY],
                 test_slow_frames(first + count) - test_slow_frames(first));
    if (window->frame_count == count) {
        cr_assert_eq(window->first_index, first);
    }
    dj_segment_snapshot_finish(&snapshot);
}

Test(reset, after_a_reset_counting_starts_at_zero)
{
    struct dj_segment_writer writer;
    test_create(&writer);
    int64_t now_ns = writer.header->created_ns + 5;
    test_write(&writer, 1, 0, 50);
    expect_frames(0, 50);
    reset_now(now_ns);
    expect_frames(50, 0);
    test_write(&writer, 1, 50, 60);
    expect_frames(50, 10);
    test_write(&writer, 1, 60, 300);
    expect_frames(50, 250);
    reset_now(now_ns + 1);
    expect_frames(300, 0);
    reset_now(now_ns + 2);
    test_write(&writer, 1, 300, 301);
    expect_frames(300, 1);
    dj_segment_unmap(&writer);
}

Test(reset, a_reset_sets_stats_since)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    test_create(&writer);
    int64_t created_ns = writer.header->created_ns;
    test_write(&writer, 1, 0, 5);
    reset_now(created_ns + 1000);
    test_write(&writer, 2, 0, 5);
    test_read(test_segment(), &whole, &snapshot);
    cr_assert_eq(snapshot.since_ns, created_ns + 1000);
    cr_assert_eq(snapshot.windows[0].stats.since_ns, created_ns + 1000);
    cr_assert_eq(snapshot.windows[1].stats.since_ns, created_ns + 1000,
                 "a window opened later is reset too");
    cr_assert_eq(snapshot.windows[1].stats.counter[DJ_COUNTER_TOTAL], 5);
    cr_assert_eq(snapshot.windows[0].cumulative.since_ns, created_ns);
    dj_segment_snapshot_finish(&snapshot);
    reset_now(created_ns + 500);
    test_read(test_segment(), &whole, &snapshot);
    cr_assert_eq(snapshot.since_ns, created_ns + 1001, "the reset does not go back");
    dj_segment_snapshot_finish(&snapshot);
    dj_segment_unmap(&writer);
}

Test(reset, a_segment_without_windows_can_be_reset)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    test_create(&writer);
    reset_now(writer.header->created_ns + 7);
    test_read(test_segment(), &whole, &snapshot);
    cr_assert_eq(snapshot.since_ns, snapshot.created_ns + 7);
    dj_segment_snapshot_finish(&snapshot);
    test_write(&writer, 1, 0, 20);
    expect_frames(0, 20);
    dj_segment_unmap(&writer);
}

Test(reset, a_reset_can_be_ignored)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    test_create(&writer);
    test_write(&writer, 1, 0, 50);
    reset_now(writer.header->created_ns + 5);
    test_write(&writer, 1, 50, 60);
    test_read(test_segment(), &before_too, &snapshot);
    cr_assert_eq(snapshot.windows[0].frame_count, 60);
    cr_assert_eq(snapshot.windows[0].stats.counter[DJ_COUNTER_TOTAL], 60);
    cr_assert_eq(snapshot.windows[0].process.counter[DJ_COUNTER_TOTAL], 60);
    cr_assert_eq(snapshot.since_ns, snapshot.created_ns);
    test_check_window(&snapshot.windows[0]);
    dj_segment_snapshot_finish(&snapshot);
    dj_segment_unmap(&writer);
}

/* The writer has ended. Its file still exists. */
Test(reset, the_segment_of_an_ended_process_can_be_reset)
{
    struct dj_segment_writer writer;
    test_create(&writer);
    int64_t now_ns = writer.header->created_ns + 5;
    test_write(&writer, 1, 0, 50);
    dj_segment_unmap(&writer);
    reset_now(now_ns);
    expect_frames(50, 0);
}

/* Frames between printing and resetting belong to the next measurement window. */
Test(reset, frames_after_the_snapshot_survive_a_reset)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    test_create(&writer);
    test_write(&writer, 1, 0, 50);
    const struct dj_snapshot_options few = {.rows = 3};
    test_read(test_segment(), &few, &snapshot);
    test_write(&writer, 1, 50, 60);
    test_write(&writer, 2, 0, 5);
    cr_assert_eq(dj_segment_reset_to(test_segment(), geteuid(), &snapshot,
                                     snapshot.created_ns + 5, NULL),
                 0);
    dj_segment_snapshot_finish(&snapshot);
    expect_frames(50, 10);
    test_read(test_segment(), &whole, &snapshot);
    cr_assert_eq(snapshot.windows[1].stats.counter[DJ_COUNTER_TOTAL], 5);
    dj_segment_snapshot_finish(&snapshot);
    dj_segment_unmap(&writer);
}

Test(reset, a_reset_to_an_older_snapshot_changes_nothing)
{
    struct dj_segment_writer writer;
    struct dj_snapshot older;
    test_create(&writer);
    test_write(&writer, 1, 0, 20);
    test_read(test_segment(), &whole, &older);
    test_write(&writer, 1, 20, 50);
    reset_now(writer.header->created_ns + 5);
    test_write(&writer, 1, 50, 55);
    cr_assert_eq(dj_segment_reset_to(test_segment(), geteuid(), &older,
                                     older.created_ns + 6, NULL),
                 0);
    expect_frames(50, 5);
    dj_segment_snapshot_finish(&older);
    dj_segment_unmap(&writer);
}

/* The statistics start when the window was opened or at the last reset, whichever is
 * later. */
Test(reset, the_later_of_reset_and_opening_counts)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    test_create(&writer);
    for (uint64_t key = 0; key < DJ_SEGMENT_WINDOWS; key++) {
        test_write(&writer, key, key, key + 5);
    }
    reset_now(writer.header->created_ns + 5);
    struct dj_window_writer *window = dj_segment_open_window(&writer, 99, "Late");
    for (uint64_t i = 1; i < 4; i++) {
        struct dj_frame frame = test_frame(99, i);
        cr_assert(dj_segment_write_frame(&writer, window, 99, &frame, NULL));
    }
    test_read(test_segment(), &whole, &snapshot);
    cr_assert_eq(snapshot.windows[0].stats.counter[DJ_COUNTER_TOTAL], 3,
                 "the window was opened later");
    cr_assert_eq(snapshot.windows[0].frame_count, 3);
    dj_segment_snapshot_finish(&snapshot);
    reset_now(writer.header->created_ns + 6);
    struct dj_frame frame = test_frame(99, 4);
    cr_assert(dj_segment_write_frame(&writer, window, 99, &frame, NULL));
    test_read(test_segment(), &whole, &snapshot);
    cr_assert_eq(snapshot.windows[0].stats.counter[DJ_COUNTER_TOTAL], 1,
                 "the reset was later");
    cr_assert_eq(snapshot.windows[0].frame_count, 1);
    cr_assert_eq(snapshot.windows[0].process.counter[DJ_COUNTER_TOTAL], 1);
    dj_segment_snapshot_finish(&snapshot);
    dj_segment_unmap(&writer);
}

/* A reset changes only the fields of readers. */
Test(reset, a_reset_writes_only_fields_of_readers)
{
    struct dj_segment_writer writer;
    size_t size;
    test_create(&writer);
    test_write(&writer, 1, 0, 200);
    char *before = test_read_file(test_segment(), &size);
    reset_now(writer.header->created_ns + 5);
    cr_assert_eq(dj_segment_set_profile(test_segment(), geteuid(), true, NULL), 0);
    char *after = test_read_file(test_segment(), &size);
    const size_t window = dj_segment_window_bytes(TEST_KEEP);
    for (size_t i = 0; i < size; i++) {
        size_t at = i < DJ_SEGMENT_PAGE ? i : (i - DJ_SEGMENT_PAGE) % window;
        bool readers = i < DJ_SEGMENT_PAGE
                           ? at >= offsetof(struct dj_segment_header, profile) &&
                                 at < offsetof(struct dj_segment_header, profile) + 4
                           : at >= offsetof(struct dj_segment_open_window, reset) &&
                                 at < sizeof(struct dj_segment_open_window);
        cr_assert(readers || before[i] == after[i], "byte %zu changed", i);
    }
    free(before);
    free(after);
    dj_segment_unmap(&writer);
}

/* If a process died while it wrote a reset, the sequence number of one copy is odd. The
 * other copy is valid, and the next reset repairs the first one. */
Test(reset, a_reset_repairs_one_that_was_interrupted)
{
    for (size_t i = 0; i < 2; i++) {
        struct dj_segment_writer writer;
        test_create(&writer);
        int64_t now_ns = writer.header->created_ns + 5;
        test_write(&writer, 1, 0, 50);
        reset_now(now_ns);
        test_write(&writer, 1, 50, 60);
        struct dj_segment_reset *copy = &writer.window[0].shared->reset[i];
        atomic_fetch_add(&copy->sequence, 1);
        atomic_store(&copy->published, 3);
        expect_frames(50, 10);
        reset_now(now_ns + 1);
        expect_frames(60, 0);
        cr_assert_eq(atomic_load(&copy->sequence) % 2, 0);
        dj_segment_unmap(&writer);
    }
}

/* If another process holds the lock forever, the result is an error after two seconds. */
Test(reset, a_reset_waits_for_the_lock_for_a_limited_time, .timeout = 20)
{
    struct dj_segment_writer writer;
    struct dj_error err = {0};
    test_create(&writer);
    int fd = open(test_segment(), O_RDWR);
    cr_assert_eq(flock(fd, LOCK_EX), 0);
    cr_assert_eq(test_reset(test_segment(), 1, &err), DJ_E_TIMEOUT);
    cr_assert(strstr(err.message, "lock") != NULL, "%s", err.message);
    close(fd);
    cr_assert_eq(test_reset(test_segment(), 1, &err), 0);
    dj_segment_unmap(&writer);
}

Test(reset, resetting_a_missing_file_is_an_error)
{
    struct dj_error err = {0};
    cr_assert_eq(test_reset(test_path("1.1"), 1, &err), DJ_E_NOT_FOUND);
    cr_assert_eq(dj_segment_set_profile(test_path("1.1"), geteuid(), true, &err),
                 DJ_E_NOT_FOUND);
}

TestSuite(profile, .init = test_setup, .fini = test_teardown);

/* Returns the number of rows that the simple dump prints now. Optionally marks them as
 * printed. */
static size_t profile_rows(bool consume)
{
    struct dj_snapshot snapshot;
    struct dj_dump dump = {0};
    test_read(test_segment(), &whole, &snapshot);
    cr_assert_eq(dj_segment_snapshot_to_dump(&snapshot, &dump), 0);
    cr_assert_eq(dump.processes[0].windows[0].has_profile, snapshot.profile);
    size_t rows = dump.processes[0].windows[0].profile_count;
    dj_gfxinfo_dump_finish(&dump);
    if (consume) {
        cr_assert_eq(
            dj_segment_consume_profile(test_segment(), geteuid(), &snapshot, NULL), 0);
    }
    dj_segment_snapshot_finish(&snapshot);
    return rows;
}

Test(profile, rows_are_printed_once)
{
    struct dj_segment_writer writer;
    test_create(&writer);
    test_write(&writer, 1, 0, 30);
    cr_assert_eq(profile_rows(false), 0, "the simple dump is off");
    cr_assert_eq(dj_segment_set_profile(test_segment(), geteuid(), true, NULL), 0);
    cr_assert_eq(profile_rows(false), 30,
                 "like hwui, rows from before the switch are printed");
    cr_assert_eq(profile_rows(true), 30);
    cr_assert_eq(profile_rows(true), 0);
    test_write(&writer, 1, 30, 33);
    cr_assert_eq(profile_rows(true), 3);
    test_write(&writer, 1, 33, 400);
    cr_assert_eq(profile_rows(true), 120, "at most the 120 rows of hwui's ring buffer");
    cr_assert_eq(profile_rows(true), 0);
    cr_assert_eq(dj_segment_set_profile(test_segment(), geteuid(), false, NULL), 0);
    test_write(&writer, 1, 400, 410);
    cr_assert_eq(profile_rows(true), 0);
    dj_segment_unmap(&writer);
}

Test(profile, an_older_dump_prints_no_row_again)
{
    struct dj_segment_writer writer;
    struct dj_snapshot older;
    test_create(&writer);
    test_write(&writer, 1, 0, 10);
    cr_assert_eq(dj_segment_set_profile(test_segment(), geteuid(), true, NULL), 0);
    test_read(test_segment(), &whole, &older);
    test_write(&writer, 1, 10, 20);
    cr_assert_eq(profile_rows(true), 20);
    cr_assert_eq(dj_segment_consume_profile(test_segment(), geteuid(), &older, NULL), 0);
    cr_assert_eq(profile_rows(true), 0);
    dj_segment_snapshot_finish(&older);
    dj_segment_unmap(&writer);
}

Test(profile, rows_after_a_reset_are_printed)
{
    struct dj_segment_writer writer;
    test_create(&writer);
    test_write(&writer, 1, 0, 10);
    cr_assert_eq(dj_segment_set_profile(test_segment(), geteuid(), true, NULL), 0);
    reset_now(writer.header->created_ns + 5);
    cr_assert_eq(profile_rows(true), 0);
    test_write(&writer, 1, 10, 14);
    cr_assert_eq(profile_rows(true), 4);
    dj_segment_unmap(&writer);
}

/* Makes writes after this byte of a file fail with EFBIG. */
static void limit_writes(rlim_t bytes)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* Checks that all windows have the same number of frames and returns it. */
static uint32_t uniform_frames(void)
{
    struct dj_snapshot snapshot;
    test_read(test_segment(), &whole, &snapshot);
    uint32_t frames = snapshot.windows[0].stats.counter[DJ_COUNTER_TOTAL];
    for (size_t i = 0; i < snapshot.window_count; i++) {
        test_check_window(&snapshot.windows[i]);
        cr_assert_eq(snapshot.windows[i].frame_count, frames, "window %zu", i);
    }
    dj_segment_snapshot_finish(&snapshot);
    return frames;
}

/* The first reset fails at slot k, and the second one fails while it repairs this. */
Test(reset, a_reset_that_fails_at_any_slot_changes_nothing)
{
    struct dj_segment_writer writer;
    test_create(&writer);
    for (uint64_t round = 0; round < DJ_SEGMENT_WINDOWS; round++) {
        for (uint64_t key = 0; key < DJ_SEGMENT_WINDOWS; key++) {
            test_write(&writer, key, round, round + 1);
        }
        rlim_t slot = DJ_SEGMENT_PAGE + round * dj_segment_window_bytes(TEST_KEEP);
        limit_writes(slot);
        cr_assert_eq(test_reset(test_segment(), 1, NULL), DJ_E_IO);
        cr_assert_eq(uniform_frames(), 1);
        limit_writes(RLIM_INFINITY);
        /* Simulates that the process died while it wrote the second set of copies. */
        for (size_t i = 0; i < round; i++) {
            struct dj_segment_open_window *shared = writer.window[i].shared;
            atomic_fetch_add(&shared->reset[0].at_ns, 77);
        }
        struct dj_segment_open_window *last = writer.window[15].shared;
        for (size_t i = 0; i < DJ_SEGMENT_WINDOWS; i++) {
            struct dj_segment_open_window *shared = writer.window[i].shared;
            memcpy(&shared->reset[1], &shared->reset[0], sizeof(shared->reset[1]));
            atomic_store(&shared->reset[1].at_ns,
                         atomic_load(&last->reset[0].at_ns) + 500);
        }
        cr_assert_eq(uniform_frames(), 1);
        limit_writes(slot);
        cr_assert_eq(test_reset(test_segment(), 1, NULL), DJ_E_IO);
        cr_assert_eq(uniform_frames(), 1);
        limit_writes(RLIM_INFINITY);
        reset_now(1);
        cr_assert_eq(uniform_frames(), 0);
    }
    dj_segment_unmap(&writer);
}
