#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

TestSuite(snapshot, .init = test_setup, .fini = test_teardown);

static const struct dj_snapshot_options whole = {0};

Test(snapshot, a_segment_without_windows_can_be_read)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    test_create(&writer);
    test_read(test_segment(), &whole, &snapshot);
    cr_assert_eq(snapshot.pid, getpid());
    cr_assert_eq(snapshot.start_ticks, dj_segment_process_start_ticks(getpid()));
    cr_assert_str_eq(snapshot.name, "org.example.App");
    cr_assert_str_eq(snapshot.program, "example");
    cr_assert_eq(snapshot.dialect, dj_frame_dialect_default());
    cr_assert_eq(snapshot.interval_ns, TEST_INTERVAL_NS);
    cr_assert_eq(snapshot.keep, TEST_KEEP);
    cr_assert_eq(snapshot.window_count, 0);
    cr_assert_eq(snapshot.since_ns, snapshot.created_ns);
    cr_assert_not(snapshot.ended);
    cr_assert_not(snapshot.profile);
    cr_assert_str_empty(snapshot.disabled);
    dj_segment_snapshot_finish(&snapshot);
    dj_segment_unmap(&writer);
}

Test(snapshot, rows_and_statistics_of_a_window_are_read)
{
    static const uint64_t counts[] = {
        0, 1, 2, TEST_KEEP - 1, TEST_KEEP, TEST_KEEP + 1, 3 * TEST_KEEP + 5};
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        struct dj_segment_writer writer;
        struct dj_snapshot snapshot;
        uint64_t count = counts[i];
        uint64_t kept = count < TEST_KEEP ? count : TEST_KEEP;
        test_create(&writer);
        test_write(&writer, 5, 0, count);
        test_read(test_segment(), &whole, &snapshot);
        cr_assert_eq(snapshot.window_count, 1);
        const struct dj_snapshot_window *window = &snapshot.windows[0];
        test_check_window(window);
        cr_assert(window->open);
        cr_assert_eq(window->key, 5);
        cr_assert_str_eq(window->title, "Window");
        cr_assert_eq(window->stats.counter[DJ_COUNTER_TOTAL], count);
        cr_assert_eq(window->frame_count, kept);
        cr_assert_eq(window->first_index, count - kept);
        dj_segment_snapshot_finish(&snapshot);
        dj_segment_unmap(&writer);
    }
}

Test(snapshot, the_number_of_rows_can_be_limited)
{
    static const struct {
        size_t wanted;
        size_t got;
    } rows[] = {{0, 100}, {1, 1}, {99, 99}, {100, 100}, {120, 100}, {SIZE_MAX, 100}};
    struct dj_segment_writer writer;
    test_create(&writer);
    test_write(&writer, 5, 0, 100);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct dj_snapshot snapshot;
        const struct dj_snapshot_options options = {.rows = rows[i].wanted};
        test_read(test_segment(), &options, &snapshot);
        cr_assert_eq(snapshot.windows[0].frame_count, rows[i].got);
        cr_assert_eq(snapshot.windows[0].first_index, 100 - rows[i].got, "the newest");
        test_check_window(&snapshot.windows[0]);
        dj_segment_snapshot_finish(&snapshot);
    }
    dj_segment_unmap(&writer);
}

/* An unknown column is read as unknown. Its value in the row is not that of an older
 * frame. */
Test(snapshot, unknown_columns_stay_unknown)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    test_create(&writer);
    struct dj_window_writer *window = dj_segment_open_window(&writer, 1, "Window");
    struct dj_frame frame = test_frame(1, 0);
    frame.known &= ~DJ_COLUMN_BIT(DJ_COLUMN_HANDLE_INPUT_START);
    frame.value[DJ_COLUMN_HANDLE_INPUT_START] = 77;
    cr_assert(dj_segment_write_frame(&writer, window, 1, &frame, NULL));
    test_read(test_segment(), &whole, &snapshot);
    const struct dj_frame *read = &snapshot.windows[0].frames[0];
    cr_assert(dj_frame_equal(read, &frame));
    cr_assert_eq(read->value[DJ_COLUMN_HANDLE_INPUT_START], 0);
    dj_segment_snapshot_finish(&snapshot);
    dj_segment_unmap(&writer);
}

Test(snapshot, several_windows_are_read)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    test_create(&writer);
    for (uint64_t key = 0; key < DJ_SEGMENT_WINDOWS; key++) {
        test_write(&writer, key, 0, 10 * key);
    }
    test_read(test_segment(), &whole, &snapshot);
    cr_assert_eq(snapshot.window_count, DJ_SEGMENT_WINDOWS);
    for (uint64_t key = 0; key < DJ_SEGMENT_WINDOWS; key++) {
        cr_assert_eq(snapshot.windows[key].key, key);
        cr_assert_eq(snapshot.windows[key].stats.counter[DJ_COUNTER_TOTAL], 10 * key);
        test_check_window(&snapshot.windows[key]);
    }
    dj_segment_snapshot_finish(&snapshot);
    dj_segment_unmap(&writer);
}

/* The 17th window gets the slot of another window. It has only its own rows and
 * statistics, and the process's statistics still contain those of the other window. */
Test(snapshot, a_reassigned_slot_has_only_rows_of_its_window)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    test_create(&writer);
    for (uint64_t key = 0; key < DJ_SEGMENT_WINDOWS; key++) {
        test_write(&writer, key, key, key + 5);
    }
    struct dj_window_writer *window = dj_segment_open_window(&writer, 99, "Late");
    cr_assert_not_null(window);
    struct dj_frame frame = test_frame(99, 1);
    cr_assert(dj_segment_write_frame(&writer, window, 99, &frame, NULL));
    test_read(test_segment(), &whole, &snapshot);
    cr_assert_eq(snapshot.window_count, DJ_SEGMENT_WINDOWS);
    uint64_t process = 0;
    for (size_t i = 0; i < DJ_SEGMENT_WINDOWS; i++) {
        process += snapshot.windows[i].process.counter[DJ_COUNTER_TOTAL];
    }
    cr_assert_eq(process, 5 * DJ_SEGMENT_WINDOWS + 1);
    const struct dj_snapshot_window *late = &snapshot.windows[0];
    cr_assert_eq(late->key, 99, "window 0 presented least recently");
    cr_assert_str_eq(late->title, "Late");
    cr_assert_eq(late->frame_count, 1);
    cr_assert_eq(late->first_index, 5);
    cr_assert_eq(late->stats.counter[DJ_COUNTER_TOTAL], 1);
    cr_assert_eq(late->stats.counter[DJ_COUNTER_JANKY], 0);
    cr_assert_eq(test_sum(late->stats.frame_histogram, DJ_FRAME_BUCKETS), 1);
    cr_assert_eq(late->cumulative.counter[DJ_COUNTER_TOTAL], 6);
    dj_segment_snapshot_finish(&snapshot);
    dj_segment_unmap(&writer);
}

/* If a writer was killed while it assigned a slot to another window, the statistics of
 * the slot are valid, but its rows belong to no window. */
Test(snapshot, a_slot_in_reassignment_has_valid_statistics)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    test_create(&writer);
    test_write(&writer, 1, 0, 10);
    memset(writer.window[0].shared->title, 'x', DJ_SEGMENT_NAME);
    atomic_store(&writer.window[0].shared->state, DJ_WINDOW_CHANGING);
    test_read(test_segment(), &whole, &snapshot);
    cr_assert_not(snapshot.windows[0].open);
    cr_assert_eq(snapshot.windows[0].frame_count, 0);
    cr_assert_eq(snapshot.windows[0].process.counter[DJ_COUNTER_TOTAL], 10);
    dj_segment_snapshot_finish(&snapshot);
    dj_segment_unmap(&writer);
}

/* If the writer was killed while it changed one of the two copies, the other copy is
 * consistent. */
Test(snapshot, either_copy_of_the_statistics_is_enough)
{
    for (size_t i = 0; i < 2; i++) {
        struct dj_segment_writer writer;
        struct dj_snapshot snapshot;
        test_create(&writer);
        test_write(&writer, 1, 0, 10);
        struct dj_segment_stats_copy *copy = &writer.window[0].shared->stats[i];
        atomic_fetch_add(&copy->sequence, 1);
        atomic_store(&copy->total.counter[DJ_COUNTER_TOTAL], 12345);
        test_read(test_segment(), &whole, &snapshot);
        test_check_window(&snapshot.windows[0]);
        cr_assert_eq(snapshot.windows[0].frame_count, 10);
        dj_segment_snapshot_finish(&snapshot);
        dj_segment_unmap(&writer);
    }
}

/* If the writer was killed after it published a row and before it counted the frame, the
 * snapshot contains neither. */
Test(snapshot, a_row_that_was_never_counted_is_not_read)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    test_create(&writer);
    test_write(&writer, 1, 0, 10);
    atomic_fetch_add(&writer.window[0].shared->begun, 1);
    atomic_fetch_add(&writer.window[0].shared->published, 1);
    test_read(test_segment(), &whole, &snapshot);
    cr_assert_eq(snapshot.windows[0].frame_count, 10);
    test_check_window(&snapshot.windows[0]);
    dj_segment_snapshot_finish(&snapshot);
    dj_segment_unmap(&writer);
}

/* If the writer was killed while it wrote a row, the overwritten row is missing in the
 * snapshot and the other rows are there. */
Test(snapshot, a_partly_written_row_is_not_read)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    test_create(&writer);
    test_write(&writer, 1, 0, TEST_KEEP + 10);
    struct dj_segment_open_window *shared = writer.window[0].shared;
    struct dj_segment_row *rows = (struct dj_segment_row *)(shared + 1);
    atomic_fetch_add(&shared->begun, 1);
    atomic_store(&rows[10].value[3], 42);
    test_read(test_segment(), &whole, &snapshot);
    cr_assert_eq(snapshot.windows[0].first_index, 11);
    cr_assert_eq(snapshot.windows[0].frame_count, TEST_KEEP - 1);
    test_check_window(&snapshot.windows[0]);
    dj_segment_snapshot_finish(&snapshot);
    dj_segment_unmap(&writer);
}

Test(snapshot, the_header_is_read)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    test_create(&writer);
    atomic_store(&writer.header->pipelines, 3);
    atomic_store(&writer.header->dropped, 17);
    writer.header->interval_assumed = 1;
    dj_segment_disable(&writer, "the disk is full");
    test_read(test_segment(), &whole, &snapshot);
    cr_assert_eq(snapshot.pipelines, 3);
    cr_assert_eq(snapshot.dropped, 17);
    cr_assert(snapshot.interval_assumed);
    cr_assert_str_eq(snapshot.disabled, "the disk is full");
    dj_segment_snapshot_finish(&snapshot);
    dj_segment_unmap(&writer);
}

/* The file of an ended child can be read. */
Test(snapshot, the_segment_of_an_ended_process_can_be_read)
{
    pid_t child = fork();
    if (child == 0) {
        struct dj_segment_writer writer;
        test_create(&writer);
        test_write(&writer, 1, 0, 30);
        cr_assert_eq(rename(test_segment(), test_path("ended")), 0);
        _exit(0);
    }
    struct dj_snapshot snapshot;
    struct dj_segment_identity identity;
    waitpid(child, NULL, 0);
    test_read(test_path("ended"), &whole, &snapshot);
    cr_assert_eq(snapshot.pid, child);
    cr_assert(snapshot.ended);
    cr_assert_eq(snapshot.windows[0].frame_count, 30);
    test_check_window(&snapshot.windows[0]);
    dj_segment_snapshot_finish(&snapshot);
    cr_assert_eq(dj_segment_identify(test_path("ended"), geteuid(), &identity, NULL), 0);
    cr_assert(identity.ended);
    cr_assert_not(identity.other_boot);
}

Test(snapshot, a_segment_of_another_boot_has_ended)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    struct dj_segment_identity identity;
    test_create(&writer);
    writer.header->boot_id[0] = writer.header->boot_id[0] == 'x' ? 'y' : 'x';
    test_read(test_segment(), &whole, &snapshot);
    cr_assert(snapshot.ended);
    cr_assert_eq(dj_segment_identify(test_segment(), geteuid(), &identity, NULL), 0);
    cr_assert(identity.ended && identity.other_boot);
    dj_segment_snapshot_finish(&snapshot);
    dj_segment_unmap(&writer);
}

Test(snapshot, the_identity_of_a_segment_is_read)
{
    struct dj_segment_writer writer;
    struct dj_segment_identity identity;
    test_create(&writer);
    cr_assert_eq(dj_segment_identify(test_segment(), geteuid(), &identity, NULL), 0);
    cr_assert_eq(identity.last_ns, writer.header->created_ns, "no frame yet");
    cr_assert_not(identity.ended);
    int64_t newest = writer.header->created_ns / 40000000 + 10;
    test_write(&writer, 1, (uint64_t)newest, (uint64_t)newest + 1);
    test_write(&writer, 2, 0, 1);
    cr_assert_eq(dj_segment_identify(test_segment(), geteuid(), &identity, NULL), 0);
    cr_assert_eq(identity.last_ns,
                 test_frame(1, (uint64_t)newest).value[DJ_COLUMN_FRAME_COMPLETED]);
    cr_assert_str_eq(identity.name, "org.example.App");
    cr_assert_str_eq(identity.program, "example");
    dj_segment_unmap(&writer);
}

Test(snapshot, the_longest_names_are_read)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    char name[400];
    memset(name, 'n', sizeof(name));
    name[sizeof(name) - 1] = '\0';
    test_create_named(&writer, name, name, TEST_KEEP);
    cr_assert_not_null(dj_segment_open_window(&writer, 1, name));
    test_read(test_segment(), &whole, &snapshot);
    cr_assert_eq(strlen(snapshot.name), DJ_SEGMENT_NAME - 1);
    cr_assert_eq(strlen(snapshot.windows[0].title), DJ_SEGMENT_NAME - 1);
    dj_segment_snapshot_finish(&snapshot);
    dj_segment_unmap(&writer);
}

/* After fork(), the child unmaps the parent's segment and creates its own. */
Test(snapshot, after_fork_each_process_has_its_own_segment)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    test_create(&writer);
    test_write(&writer, 1, 0, 10);
    pid_t child = fork();
    if (child == 0) {
        dj_segment_unmap(&writer);
        test_create_named(&writer, "org.example.App:child", "example", TEST_KEEP);
        test_write(&writer, 2, 0, 3);
        cr_assert_eq(rename(test_segment(), test_path("child")), 0);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    test_write(&writer, 1, 10, 20);
    test_read(test_segment(), &whole, &snapshot);
    cr_assert_eq(snapshot.windows[0].frame_count, 20);
    test_check_window(&snapshot.windows[0]);
    dj_segment_snapshot_finish(&snapshot);
    test_read(test_path("child"), &whole, &snapshot);
    cr_assert_eq(snapshot.pid, child);
    cr_assert_str_eq(snapshot.name, "org.example.App:child");
    cr_assert_eq(snapshot.windows[0].frame_count, 3);
    dj_segment_snapshot_finish(&snapshot);
    dj_segment_unmap(&writer);
}
