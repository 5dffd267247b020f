#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "segment/writer.h"
#include "support.h"

TestSuite(writer, .init = test_setup, .fini = test_teardown, .timeout = 20);

static const struct dj_snapshot_options whole = {0};

/* Creates another file of this process, as after exec(): the pid and the start time are
 * the same. */
static void create_image(struct dj_segment_writer *writer)
{
    const struct dj_segment_options options = {
        .directory = test_directory,
        .name = "image",
        .program = "image",
        .dialect = dj_frame_dialect_default(),
        .keep = DJ_SEGMENT_KEEP_MIN,
        .interval_ns = TEST_INTERVAL_NS,
        .now_ns = 1,
    };
    cr_assert_eq(dj_segment_create(writer, &options, NULL), 0);
}

Test(writer, a_later_image_does_not_change_earlier_ones)
{
    struct dj_segment_writer writer[3];
    struct dj_snapshot snapshot;
    char path[3][sizeof(writer[0].path)];
    for (int i = 0; i < 3; i++) {
        create_image(&writer[i]);
        test_write(&writer[i], 1, 0, 5 + (uint64_t)i);
        snprintf(path[i], sizeof(path[i]), "%s", writer[i].path);
        dj_segment_unmap(&writer[i]);
    }
    cr_assert_str_eq(path[0], test_segment());
    for (int i = 0; i < 3; i++) {
        char expected[sizeof(path[0])];
        snprintf(expected, sizeof(expected), i > 0 ? "%s.%d" : "%s", test_segment(), i);
        cr_assert_str_eq(path[i], expected);
        test_read(path[i], &whole, &snapshot);
        cr_assert_eq(snapshot.windows[0].stats.counter[DJ_COUNTER_TOTAL], 5U + i);
        cr_assert_eq(snapshot.ended, i < 2, "only the last image runs");
        dj_segment_snapshot_finish(&snapshot);
    }
}

Test(writer, beyond_the_maximum_the_last_image_is_replaced)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    char last[128];
    for (uint64_t i = 0; i < DJ_SEGMENT_IMAGES + 2; i++) {
        create_image(&writer);
        test_write(&writer, 1, 0, i + 1);
        dj_segment_unmap(&writer);
    }
    snprintf(last, sizeof(last), "%s.%d", test_segment(), DJ_SEGMENT_IMAGES - 1);
    test_read(last, &whole, &snapshot);
    cr_assert_eq(snapshot.windows[0].stats.counter[DJ_COUNTER_TOTAL],
                 DJ_SEGMENT_IMAGES + 2);
    cr_assert_not(snapshot.ended);
    dj_segment_snapshot_finish(&snapshot);
    test_read(test_segment(), &whole, &snapshot);
    cr_assert_eq(snapshot.windows[0].stats.counter[DJ_COUNTER_TOTAL], 1);
    cr_assert(snapshot.ended);
    dj_segment_snapshot_finish(&snapshot);
}

/* Runs in a child process, because the test runner needs its descriptors. Returns how
 * many files of the app were modified. */
static int close_all_and_open_mine(void)
{
    struct dj_segment_writer writer;
    int mine[8], touched = 0;
    test_create(&writer);
    test_write(&writer, 1, 0, 3);
    for (int fd = 3; fd < 64; fd++) {
        close(fd);
    }
    for (int i = 0; i < 8; i++) {
        mine[i] = open(test_path("mine"), O_RDWR | O_CREAT, 0600);
    }
    test_write(&writer, 2, 0, 3);
    dj_segment_unmap(&writer);
    for (int i = 0; i < 8; i++) {
        struct stat status;
        touched += fstat(mine[i], &status) != 0 || status.st_size != 0;
    }
    return touched;
}

/* Apps close descriptors that they did not open, and then reuse the numbers. */
Test(writer, an_apps_own_files_are_never_modified)
{
    int status;
    char path[256];
    struct dj_snapshot snapshot;
    pid_t child = fork();
    if (child == 0) {
        int touched = close_all_and_open_mine();
        _exit(rename(test_segment(), test_path("segment")) == 0 ? touched : 99);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x",
              (unsigned)status);
    snprintf(path, sizeof(path), "%s", test_path("segment"));
    test_read(path, &whole, &snapshot);
    cr_assert_eq(snapshot.window_count, 2);
    cr_assert_eq(snapshot.windows[1].stats.counter[DJ_COUNTER_TOTAL], 3);
    dj_segment_snapshot_finish(&snapshot);
}

/* If another file is at the segment's path, it is not modified. */
Test(writer, a_file_at_the_segments_path_is_not_modified)
{
    struct dj_segment_writer writer;
    test_create(&writer);
    test_write(&writer, 1, 0, 3);
    cr_assert_eq(rename(test_segment(), test_path("moved")), 0);
    int fd = open(test_segment(), O_RDWR | O_CREAT, 0600);
    cr_assert_geq(fd, 0);
    dj_segment_open_window(&writer, 2, "Second");
    struct stat status;
    cr_assert_eq(fstat(fd, &status), 0);
    cr_assert_eq(status.st_size, 0);
    close(fd);
}

Test(writer, a_file_size_limit_is_an_error_and_not_a_signal)
{
    const struct rlimit limit = {1 << 20, RLIM_INFINITY};
    struct dj_segment_writer writer;
    struct dj_error err = {0};
    const struct dj_segment_options options = {
        .directory = test_directory,
        .name = "app",
        .program = "app",
        .dialect = dj_frame_dialect_default(),
        .keep = DJ_SEGMENT_KEEP,
        .interval_ns = 16666666,
    };
    signal(SIGXFSZ, SIG_DFL);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_assert_eq(dj_segment_create(&writer, &options, &err), DJ_E_IO);
    cr_assert_not_null(strstr(err.message, "File too large"), "%s", err.message);
    cr_assert_neq(access(test_segment(), F_OK), 0, "an unfinished segment was left");
}

Test(writer, a_frame_for_a_reassigned_slot_is_dropped)
{
    struct dj_segment_writer writer;
    test_create(&writer);
    struct dj_window_writer *window = dj_segment_open_window(&writer, 1, "One");
    struct dj_frame frame = test_frame(1, 0);
    cr_assert_not(dj_segment_write_frame(&writer, window, 2, &frame, NULL));
    cr_assert(dj_segment_write_frame(&writer, window, 1, &frame, NULL));
    struct dj_snapshot snapshot;
    test_read(test_segment(), &whole, &snapshot);
    cr_assert_eq(snapshot.dropped, 1);
    cr_assert_eq(snapshot.windows[0].stats.counter[DJ_COUNTER_TOTAL], 1);
    dj_segment_snapshot_finish(&snapshot);
}
