#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "segment/writer.h"
#include "support.h"

TestSuite(sealed, .init = test_setup, .fini = test_teardown, .timeout = 20);

static const struct dj_snapshot_options whole = {0};

static void create_hidden(struct dj_segment_writer *writer)
{
    const struct dj_segment_options options = {
        .directory = test_directory,
        .name = "app",
        .program = "app",
        .dialect = dj_frame_dialect_default(),
        .keep = TEST_KEEP,
        .interval_ns = TEST_INTERVAL_NS,
        .now_ns = 1,
        .hidden = true,
    };
    cr_assert_eq(dj_segment_create(writer, &options, NULL), 0);
}

Test(sealed, a_hidden_segment_is_read_once_it_is_published)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot = {0};
    create_hidden(&writer);
    cr_assert_eq(
        dj_segment_snapshot_read(test_segment(), geteuid(), &whole, &snapshot, NULL),
        DJ_E_NOT_FOUND);
    dj_segment_restart(&writer, 77, 88);
    dj_segment_publish(&writer);
    test_write(&writer, 1, 0, 5);
    test_read(test_segment(), &whole, &snapshot);
    cr_assert_eq(snapshot.window_count, 1);
    cr_assert_eq(snapshot.windows[0].stats.counter[DJ_COUNTER_TOTAL], 5);
    cr_assert_eq(writer.header->created_ns, 77);
    cr_assert_eq(writer.header->run_ns, 77, "the process is its own run");
    dj_segment_snapshot_finish(&snapshot);
    dj_segment_unmap(&writer);
}

Test(sealed, windows_beyond_the_reserved_ones_replace_others)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    test_create(&writer);
    test_write(&writer, 1, 0, 5);
    dj_segment_reserve(&writer, 2);
    dj_segment_set_sealed(&writer, true);
    /* If the file has another path, no disk space can be reserved. */
    cr_assert_eq(rename(test_segment(), test_path("away")), 0);
    for (uint64_t key = 2; key <= 5; key++) {
        test_write(&writer, key, 0, 5);
    }
    cr_assert_eq(rename(test_path("away"), test_segment()), 0);
    test_read(test_segment(), &whole, &snapshot);
    cr_assert_eq(snapshot.window_count, 3);
    cr_assert_eq(writer.header->dropped, 0);
    cr_assert_eq(writer.header->disabled, 0);
    dj_segment_snapshot_finish(&snapshot);
    dj_segment_unmap(&writer);
}

Test(sealed, without_a_reserved_window_the_segment_has_the_reason)
{
    struct dj_segment_writer writer;
    create_hidden(&writer);
    dj_segment_set_sealed(&writer, true);
    cr_assert_null(dj_segment_open_window(&writer, 1, "first"));
    cr_assert(strstr(writer.header->disabled_reason, "seccomp") != NULL);
    cr_assert_eq(writer.header->dropped, 1);
    dj_segment_unmap(&writer);
}

Test(sealed, an_unsealed_writer_reserves_more_windows)
{
    struct dj_segment_writer writer;
    test_create(&writer);
    dj_segment_reserve(&writer, 1);
    dj_segment_set_sealed(&writer, true);
    dj_segment_set_sealed(&writer, false);
    test_write(&writer, 1, 0, 1);
    test_write(&writer, 2, 0, 1);
    cr_assert_eq(writer.header->windows, 2);
    dj_segment_unmap(&writer);
}
