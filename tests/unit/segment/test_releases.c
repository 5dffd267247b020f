/* Tests that the statistics of a segment follow the rules of its release, and that its
 * dump is printed for this release. */
#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

#include "gfxinfo/parse.h"
#include "gfxinfo/print.h"
#include "support.h"

TestSuite(releases, .init = test_setup, .fini = test_teardown);

enum { FRAMES = 60, LATE_EVERY = 10 };

static const int64_t IV = 16666666;
static const int64_t START_NS = INT64_C(1000000000000);

/* Returns a frame as recorded, without deadline and GPU time. Every tenth frame is 150
 * ms late. */
static struct dj_frame recorded(size_t index)
{
    struct dj_frame frame = {0};
    int64_t at_ns = START_NS + (int64_t)index * 12 * IV;
    bool late = index % LATE_EVERY == 0;
    dj_frame_set(&frame, DJ_COLUMN_FLAGS, 0);
    dj_frame_set(&frame, DJ_COLUMN_INTENDED_VSYNC, at_ns);
    dj_frame_set(&frame, DJ_COLUMN_VSYNC, at_ns);
    dj_frame_set(&frame, DJ_COLUMN_SYNC_QUEUED, at_ns + 2000000);
    dj_frame_set(&frame, DJ_COLUMN_SYNC_START, at_ns + 2000000);
    dj_frame_set(&frame, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, at_ns + 2100000);
    dj_frame_set(&frame, DJ_COLUMN_SWAP_BUFFERS, at_ns + 3000000);
    dj_frame_set(&frame, DJ_COLUMN_FRAME_COMPLETED, at_ns + (late ? 150000000 : 4000000));
    dj_frame_set(&frame, DJ_COLUMN_FRAME_INTERVAL, IV);
    return frame;
}

static void create(struct dj_segment_writer *writer, const struct dj_dialect *dialect)
{
    const struct dj_segment_options options = {.directory = test_directory,
                                               .name = "org.example.App",
                                               .program = "example",
                                               .dialect = dialect,
                                               .keep = TEST_KEEP,
                                               .interval_ns = IV,
                                               .now_ns = START_NS - 1};
    struct dj_error err = {0};
    unlink(test_segment());
    cr_assert_eq(dj_segment_create(writer, &options, &err), 0, "%s", err.message);
}

static void write_all(struct dj_segment_writer *writer,
                      struct dj_frame (*frame_at)(size_t), size_t count)
{
    struct dj_window_writer *window = dj_segment_open_window(writer, 7, "Window");
    cr_assert_not_null(window);
    for (size_t i = 0; i < count; i++) {
        struct dj_frame frame = frame_at(i);
        cr_assert(dj_segment_write_frame(writer, window, 7, &frame, NULL));
    }
}

/* Prints the segment's dump and parses it. */
static void print_and_read(const struct dj_snapshot *snapshot, struct dj_text *text,
                           struct dj_dump *got)
{
    struct dj_dump dump = {0};
    const struct dj_print_options options = {.dialect = snapshot->dialect,
                                             .framestats = true};
    cr_assert_eq(dj_segment_snapshot_to_dump(snapshot, &dump), 0);
    dj_gfxinfo_print_process(text, &dump.processes[0], &options);
    dj_gfxinfo_dump_finish(&dump);
    dj_gfxinfo_parse_dump(dj_text_get(text), text->length, got, NULL, NULL);
}

static void check_dump(const struct dj_dialect *dialect, const struct dj_text *text,
                       const struct dj_dump *got)
{
    const struct dj_dump_window *window = &got->processes[0].windows[0];
    cr_assert_eq(got->processes[0].window_count, 1);
    cr_assert_eq(strstr(dj_text_get(text), "Total frames rendered:") != NULL,
                 dialect->columns.count > 0, "%s", dialect->name);
    cr_assert_eq(strstr(dj_text_get(text), "\nWindow: ") != NULL, dialect->window_stats,
                 "%s", dialect->name);
    cr_assert_eq(window->has_frames, dialect->columns.count > 0);
    cr_assert_eq(window->frame_count, dialect->columns.count > 0 ? FRAMES : 0);
    for (size_t i = 0; i < window->frame_count; i++) {
        struct dj_frame want = recorded(i);
        for (size_t k = 0; k < dialect->columns.count; k++) {
            size_t column = dialect->columns.column[k];
            cr_assert_eq(window->frames[i].known & DJ_COLUMN_BIT(column),
                         want.known & DJ_COLUMN_BIT(column), "%s, row %zu, %s",
                         dialect->name, i, dj_frame_column_name((enum dj_column)column));
            cr_assert_eq(window->frames[i].value[column], want.value[column]);
        }
    }
}

Test(releases, each_release_is_recorded_and_printed)
{
    for (size_t k = 0; dj_frame_dialect_at(k) != NULL; k++) {
        const struct dj_dialect *dialect = dj_frame_dialect_at(k);
        struct dj_segment_writer writer;
        struct dj_snapshot snapshot;
        struct dj_text text = {0};
        struct dj_dump got;
        create(&writer, dialect);
        write_all(&writer, recorded, FRAMES);
        test_read(test_segment(), &(struct dj_snapshot_options){0}, &snapshot);
        cr_assert_eq(snapshot.dialect, dialect);
        cr_assert_eq(snapshot.windows[0].stats.counter[DJ_COUNTER_TOTAL], FRAMES,
                     "%s: the number of rows differs from the number of frames",
                     dialect->name);
        cr_assert_eq(snapshot.windows[0].frame_count, FRAMES);
        cr_assert_eq(snapshot.windows[0].stats.counter[DJ_COUNTER_JANKY],
                     dialect->columns.count > 0 ? FRAMES / LATE_EVERY : 0, "%s",
                     dialect->name);
        print_and_read(&snapshot, &text, &got);
        check_dump(dialect, &text, &got);
        dj_gfxinfo_dump_finish(&got);
        dj_text_finish(&text);
        dj_segment_snapshot_finish(&snapshot);
        dj_segment_unmap(&writer);
    }
}

/* Android 6.0 counts long frames twice only in the printed dump. The segment counts them
 * once. */
Test(releases, double_counts_of_6_0_are_only_printed)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    struct dj_text text = {0};
    struct dj_dump got;
    create(&writer, dj_frame_dialect_find("6.0"));
    write_all(&writer, recorded, FRAMES);
    test_read(test_segment(), &(struct dj_snapshot_options){0}, &snapshot);
    print_and_read(&snapshot, &text, &got);
    cr_assert_eq(got.processes[0].stats.stats.counter[DJ_COUNTER_TOTAL],
                 FRAMES + FRAMES / LATE_EVERY);
    dj_gfxinfo_dump_finish(&got);
    dj_text_finish(&text);
    dj_segment_snapshot_finish(&snapshot);
    dj_segment_unmap(&writer);
}

/* Returns one of consecutive frames. The first is late, so the second waits for a
 * buffer. */
static struct dj_frame with_deadline(size_t index)
{
    struct dj_frame frame = recorded(1);
    int64_t at_ns = START_NS + (int64_t)index * IV;
    int64_t by_ns = at_ns - frame.value[DJ_COLUMN_INTENDED_VSYNC];
    for (size_t i = DJ_COLUMN_INTENDED_VSYNC; i <= DJ_COLUMN_FRAME_COMPLETED; i++) {
        bool stamp =
            dj_frame_has(&frame, (enum dj_column)i) && i != DJ_COLUMN_FRAME_INTERVAL;
        frame.value[i] += stamp ? by_ns : 0;
    }
    dj_frame_set(&frame, DJ_COLUMN_FRAME_COMPLETED,
                 at_ns + (index == 0 ? 20 : 4) * 1000000);
    dj_frame_set(&frame, DJ_COLUMN_FRAME_DEADLINE, at_ns + IV);
    return frame;
}

Test(releases, rows_contain_the_deadline_that_the_tracker_changed)
{
    struct dj_segment_writer writer;
    struct dj_snapshot snapshot;
    create(&writer, dj_frame_dialect_find("13"));
    write_all(&writer, with_deadline, 2);
    test_read(test_segment(), &(struct dj_snapshot_options){0}, &snapshot);
    const struct dj_frame *frames = snapshot.windows[0].frames;
    cr_assert_eq(frames[0].value[DJ_COLUMN_FRAME_DEADLINE], START_NS + IV);
    cr_assert_eq(frames[1].value[DJ_COLUMN_FRAME_DEADLINE], START_NS + 3 * IV);
    cr_assert_eq(snapshot.windows[0].stats.counter[DJ_COUNTER_HIGH_INPUT_LATENCY], 3,
                 "the legacy rule counts both frames, the new rule the second one");
    dj_segment_snapshot_finish(&snapshot);
    dj_segment_unmap(&writer);
}

/* Reads a snapshot of frames whose statistics were recorded by the rules of `from`. */
static void record_as(const struct dj_dialect *from, struct dj_frame (*frame_at)(size_t),
                      size_t count, struct dj_snapshot *snapshot)
{
    struct dj_segment_writer writer;
    create(&writer, from);
    write_all(&writer, frame_at, count);
    test_read(test_segment(), &(struct dj_snapshot_options){0}, snapshot);
    dj_segment_unmap(&writer);
}

static void expect_same_counts(const struct dj_snapshot *got,
                               const struct dj_snapshot *want, const char *from)
{
    const struct dj_snapshot_window *left = &got->windows[0];
    const struct dj_snapshot_window *right = &want->windows[0];
    cr_expect_eq(got->dialect, want->dialect);
    cr_expect_eq(memcmp(&left->stats, &right->stats, sizeof(left->stats)), 0,
                 "%s computed again as %s", from, want->dialect->name);
    cr_expect_eq(memcmp(&left->process, &right->process, sizeof(left->process)), 0,
                 "%s computed again as %s", from, want->dialect->name);
    cr_assert_eq(left->frame_count, right->frame_count);
    for (size_t i = 0; i < left->frame_count; i++) {
        cr_expect(dj_frame_equal(&left->frames[i], &right->frames[i]),
                  "%s computed again as %s, row %zu", from, want->dialect->name, i);
    }
}

/* If statistics are computed again for another release, they equal those of a recording
 * with that release. */
Test(releases, recounting_equals_recording_as_that_release)
{
    for (size_t i = 0; dj_frame_dialect_at(i) != NULL; i++) {
        for (size_t k = 0; dj_frame_dialect_at(k) != NULL; k++) {
            struct dj_snapshot got;
            struct dj_snapshot want;
            record_as(dj_frame_dialect_at(k), recorded, FRAMES, &want);
            record_as(dj_frame_dialect_at(i), recorded, FRAMES, &got);
            struct dj_recount recount =
                dj_segment_snapshot_recount(&got, dj_frame_dialect_at(k));
            expect_same_counts(&got, &want, dj_frame_dialect_at(i)->name);
            cr_expect_eq(recount.from, dj_frame_dialect_at(i));
            cr_expect_eq(recount.counted, FRAMES);
            cr_expect_eq(recount.kept, FRAMES);
            dj_segment_snapshot_finish(&got);
            dj_segment_snapshot_finish(&want);
        }
    }
}

/* A deadline that the rule of Android 13 has changed is not changed again for 16. A
 * deadline that the rule of 11 did not change is changed. */
Test(releases, deadlines_are_changed_once)
{
    static const char *const from[] = {"11", "12", "13", "16"};
    struct dj_snapshot want;
    record_as(dj_frame_dialect_find("16"), with_deadline, 2, &want);
    for (size_t i = 0; i < sizeof(from) / sizeof(from[0]); i++) {
        struct dj_snapshot got;
        record_as(dj_frame_dialect_find(from[i]), with_deadline, 2, &got);
        dj_segment_snapshot_recount(&got, dj_frame_dialect_find("16"));
        expect_same_counts(&got, &want, from[i]);
        dj_segment_snapshot_finish(&got);
    }
    dj_segment_snapshot_finish(&want);
}

/* If the ring buffer contains fewer frames than were counted, the new statistics count
 * only these, and the dump states both numbers. */
Test(releases, frames_that_left_the_ring_are_not_recounted)
{
    struct dj_snapshot snapshot;
    record_as(dj_frame_dialect_find("11"), recorded, TEST_KEEP + 30, &snapshot);
    cr_assert_eq(snapshot.windows[0].stats.counter[DJ_COUNTER_TOTAL], TEST_KEEP + 30);
    struct dj_recount recount =
        dj_segment_snapshot_recount(&snapshot, dj_frame_dialect_find("9"));
    cr_expect_eq(recount.counted, TEST_KEEP + 30);
    cr_expect_eq(recount.kept, snapshot.windows[0].frame_count);
    cr_expect_leq(recount.kept, TEST_KEEP);
    cr_expect_geq(recount.kept, TEST_KEEP - 1);
    cr_expect_eq(snapshot.windows[0].stats.counter[DJ_COUNTER_TOTAL], recount.kept);
    cr_expect_eq(snapshot.windows[0].cumulative.counter[DJ_COUNTER_TOTAL],
                 TEST_KEEP + 30);
    dj_segment_snapshot_finish(&snapshot);
}
