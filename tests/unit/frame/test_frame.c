#include <criterion/criterion.h>
#include <string.h>

#include "frame/dialect.h"
#include "frame/frame.h"

Test(columns, every_column_is_found_by_its_name)
{
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        enum dj_column column = (enum dj_column)i;
        enum dj_column found;
        const char *name = dj_frame_column_name(column);
        cr_assert(dj_frame_column_find(name, strlen(name), &found));
        cr_assert_eq(found, column, "%s", name);
        cr_assert_not(dj_frame_column_find(name, strlen(name) - 1, &found),
                      "a prefix of %s is no column", name);
    }
}

Test(columns, other_names_are_not_found)
{
    enum dj_column found = DJ_COLUMN_VSYNC;
    cr_assert_not(dj_frame_column_find("", 0, &found));
    cr_assert_not(dj_frame_column_find("vsync", 5, &found));
    cr_assert_not(dj_frame_column_find("FrameCompletedWallTime", 22, &found));
    cr_assert_eq(found, DJ_COLUMN_VSYNC);
}

Test(columns, columns_of_the_ui_thread_come_first)
{
    cr_assert_lt(DJ_COLUMN_DRAW_START, DJ_COLUMN_SYNC_QUEUED);
    cr_assert_lt(DJ_COLUMN_ANIMATION_TIME, DJ_COLUMN_SYNC_QUEUED);
    cr_assert_lt(DJ_COLUMN_SYNC_QUEUED, DJ_COLUMN_SYNC_START);
    cr_assert_lt(DJ_COLUMN_SYNC_START, DJ_COLUMN_FRAME_COMPLETED);
}

Test(dialect, release_11_is_the_default_and_is_found_by_name)
{
    const struct dj_dialect *dialect = dj_frame_dialect_default();
    cr_assert_eq(dj_frame_dialect_find("11"), dialect);
    cr_assert_eq(dialect->api, 30);
    cr_assert_eq(dialect->columns.count, 17);
    cr_assert_null(dj_frame_dialect_find("4.4"));
    cr_assert_null(dj_frame_dialect_find(""));
    for (size_t i = 1; dj_frame_dialect_at(i) != NULL; i++) {
        cr_assert_geq(dj_frame_dialect_at(i)->api, dj_frame_dialect_at(i - 1)->api);
    }
}

Test(frame, an_unknown_value_is_not_a_known_zero)
{
    struct dj_frame frame = {0};
    cr_assert_not(dj_frame_has(&frame, DJ_COLUMN_FLAGS));
    cr_assert_eq(dj_frame_get(&frame, DJ_COLUMN_FLAGS, -5), -5);
    dj_frame_set(&frame, DJ_COLUMN_FLAGS, 0);
    cr_assert(dj_frame_has(&frame, DJ_COLUMN_FLAGS));
    cr_assert_eq(dj_frame_get(&frame, DJ_COLUMN_FLAGS, -5), 0);
    struct dj_frame empty = {0};
    cr_assert_not(dj_frame_equal(&frame, &empty));
    cr_assert(dj_frame_equal(&empty, &empty));
}

Test(frame, equal_compares_only_known_values)
{
    struct dj_frame a = {0};
    struct dj_frame b = {0};
    a.value[DJ_COLUMN_VSYNC] = 1;
    cr_assert(dj_frame_equal(&a, &b));
    dj_frame_set(&a, DJ_COLUMN_SYNC_START, 3);
    dj_frame_set(&b, DJ_COLUMN_SYNC_START, 4);
    cr_assert_not(dj_frame_equal(&a, &b));
}

static struct dj_frame stamps(int64_t intended, int64_t queued, int64_t sync,
                              int64_t completed)
{
    struct dj_frame frame = {0};
    dj_frame_set(&frame, DJ_COLUMN_INTENDED_VSYNC, intended);
    dj_frame_set(&frame, DJ_COLUMN_SYNC_QUEUED, queued);
    dj_frame_set(&frame, DJ_COLUMN_SYNC_START, sync);
    dj_frame_set(&frame, DJ_COLUMN_FRAME_COMPLETED, completed);
    return frame;
}

Test(frame, duration_excludes_the_wait)
{
    static const struct {
        int64_t intended, queued, sync, completed, want;
    } rows[] = {
        {100, 110, 115, 130, 25}, /* Waits 5 ns for the previous frame. */
        {100, 110, 110, 130, 30},
        /* SyncStart is before SyncQueued, so there is no wait. */
        {100, 115, 110, 130, 30},
        {0, 110, 115, 130, 0}, /* The start is unknown. */
        {-5, 110, 115, 130, 0},
        /* Completed before the start, as in the row of an earlier frame. */
        {100, 110, 115, 90, 0},
        {100, 110, 150, 130, 0}, /* The wait is longer than the frame. */
        {1, INT64_MIN, INT64_MAX, INT64_MAX, 0},
        {1, 1, 1, INT64_MAX, INT64_MAX - 1},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct dj_frame frame =
            stamps(rows[i].intended, rows[i].queued, rows[i].sync, rows[i].completed);
        int64_t got = -1;
        cr_assert(dj_frame_duration(&frame, DJ_COLUMN_INTENDED_VSYNC,
                                    DJ_COLUMN_FRAME_COMPLETED, &got));
        cr_assert_eq(got, rows[i].want, "row %zu: %lld", i, (long long)got);
    }
}

Test(frame, duration_within_a_thread_includes_everything)
{
    struct dj_frame frame = stamps(100, 110, 115, 130);
    int64_t got;
    cr_assert(
        dj_frame_duration(&frame, DJ_COLUMN_SYNC_START, DJ_COLUMN_FRAME_COMPLETED, &got));
    cr_assert_eq(got, 15);
    cr_assert(
        dj_frame_duration(&frame, DJ_COLUMN_INTENDED_VSYNC, DJ_COLUMN_SYNC_QUEUED, &got));
    cr_assert_eq(got, 10);
}

Test(frame, duration_of_unknown_columns_is_unknown)
{
    struct dj_frame frame = stamps(100, 110, 115, 130);
    int64_t got = 77;
    cr_assert_not(
        dj_frame_duration(&frame, DJ_COLUMN_VSYNC, DJ_COLUMN_FRAME_COMPLETED, &got));
    cr_assert_not(dj_frame_duration(&frame, DJ_COLUMN_VSYNC, DJ_COLUMN_DRAW_START, &got));
    cr_assert_eq(got, 77);
    frame.known &= ~DJ_COLUMN_BIT(DJ_COLUMN_SYNC_QUEUED);
    cr_assert(dj_frame_duration(&frame, DJ_COLUMN_INTENDED_VSYNC,
                                DJ_COLUMN_FRAME_COMPLETED, &got));
    cr_assert_eq(got, 30, "without SyncQueued no wait is known");
}

Test(frame, fallback_values_leave_computed_times_right)
{
    struct dj_frame frame = stamps(100, 110, 115, 130);
    static const struct {
        enum dj_column column;
        int64_t want;
    } rows[] = {
        {DJ_COLUMN_FLAGS, 0},
        {DJ_COLUMN_VSYNC, 100},
        {DJ_COLUMN_OLDEST_INPUT_EVENT, INT64_MAX},
        {DJ_COLUMN_NEWEST_INPUT_EVENT, 0},
        {DJ_COLUMN_HANDLE_INPUT_START, 100},
        {DJ_COLUMN_DRAW_START, 100},
        {DJ_COLUMN_FRAME_DEADLINE, 116},
        {DJ_COLUMN_FRAME_INTERVAL, 16},
        {DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, 115},
        {DJ_COLUMN_SWAP_BUFFERS, 115},
        {DJ_COLUMN_DEQUEUE_BUFFER_DURATION, 0},
        {DJ_COLUMN_GPU_COMPLETED, 130},
        {DJ_COLUMN_FRAME_START_TIME, 0},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cr_assert_eq(dj_frame_fallback(&frame, rows[i].column, 16), rows[i].want, "%s",
                     dj_frame_column_name(rows[i].column));
    }
    struct dj_frame nothing = {0};
    cr_assert_eq(dj_frame_fallback(&nothing, DJ_COLUMN_SYNC_START, 16), 0);
    frame.value[DJ_COLUMN_INTENDED_VSYNC] = INT64_MAX;
    cr_assert_eq(dj_frame_fallback(&frame, DJ_COLUMN_FRAME_DEADLINE, 1), INT64_MIN);
}

Test(frame, only_a_present_orders_a_frame_without_other_times)
{
    struct dj_frame frame = {0};
    int64_t at_ns;
    cr_expect_not(dj_frame_find_time(&frame, &at_ns));
    dj_frame_set(&frame, DJ_COLUMN_DISPLAY_PRESENT_TIME, 700);
    cr_expect(dj_frame_is_present_only(&frame));
    cr_expect_eq(dj_frame_get_time(&frame, -1), 700);
    cr_expect_eq(dj_frame_get_end(&frame, -1), 700);
    cr_expect_eq(dj_frame_fallback(&frame, DJ_COLUMN_INTENDED_VSYNC, 16), 700);
    cr_expect_eq(dj_frame_fallback(&frame, DJ_COLUMN_FRAME_DEADLINE, 16), 716);
    dj_frame_set(&frame, DJ_COLUMN_FRAME_COMPLETED, 600);
    cr_expect_not(dj_frame_is_present_only(&frame),
                  "its time is unknown, but it has one");
    cr_expect_eq(dj_frame_get_end(&frame, -1), 600);
    dj_frame_set(&frame, DJ_COLUMN_INTENDED_VSYNC, 500);
    cr_expect_eq(dj_frame_get_time(&frame, -1), 500);
}
