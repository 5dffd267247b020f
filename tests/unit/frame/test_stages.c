#include <criterion/criterion.h>

#include "frame/stages.h"

static struct dj_frame full_frame(void)
{
    static const enum dj_column columns[] = {
        DJ_COLUMN_INTENDED_VSYNC,  DJ_COLUMN_HANDLE_INPUT_START,
        DJ_COLUMN_ANIMATION_START, DJ_COLUMN_PERFORM_TRAVERSALS_START,
        DJ_COLUMN_DRAW_START,      DJ_COLUMN_SYNC_QUEUED,
        DJ_COLUMN_SYNC_START,      DJ_COLUMN_ISSUE_DRAW_COMMANDS_START,
        DJ_COLUMN_SWAP_BUFFERS,    DJ_COLUMN_FRAME_COMPLETED,
    };
    struct dj_frame frame = {0};
    int64_t stamp_ns = 1000;
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
        dj_frame_set(&frame, columns[i], stamp_ns);
        /* The first stage lasts 1 ns, the next one 2 ns, and so on. */
        stamp_ns += (int64_t)i + 1;
    }
    return frame;
}

static int64_t sum_of(const struct dj_stages *stages)
{
    int64_t sum = 0;
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        sum += i != DJ_STAGE_WAIT ? stages->ns[i] : 0;
    }
    return sum;
}

static void expect_sum_is_the_frame_time(const struct dj_frame *frame)
{
    struct dj_stages stages;
    int64_t time_ns;
    dj_frame_compute_stages(frame, &stages);
    cr_assert(dj_frame_duration(frame, DJ_COLUMN_INTENDED_VSYNC,
                                DJ_COLUMN_FRAME_COMPLETED, &time_ns));
    cr_assert_eq(sum_of(&stages), time_ns);
}

Test(stages, a_complete_frame_has_all_stages)
{
    struct dj_frame frame = full_frame();
    struct dj_stages stages;
    dj_frame_compute_stages(&frame, &stages);
    cr_assert_not(stages.known & (1U << DJ_STAGE_APP));
    for (size_t i = DJ_STAGE_VSYNC_DELAY; i < DJ_STAGE_COUNT; i++) {
        cr_assert(stages.known & (1U << i), "%s", dj_frame_stage_name((enum dj_stage)i));
        cr_assert_eq(stages.ns[i], (int64_t)i, "%s lasts %lld",
                     dj_frame_stage_name((enum dj_stage)i), (long long)stages.ns[i]);
    }
    expect_sum_is_the_frame_time(&frame);
}

/* If timestamps between the start and the end of a frame are unknown, the remaining
 * stages still add up to the frame time. */
Test(stages, stages_add_up_if_timestamps_are_unknown)
{
    static const enum dj_column between[] = {
        DJ_COLUMN_HANDLE_INPUT_START,        DJ_COLUMN_ANIMATION_START,
        DJ_COLUMN_PERFORM_TRAVERSALS_START,  DJ_COLUMN_DRAW_START,
        DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, DJ_COLUMN_SWAP_BUFFERS,
    };
    for (unsigned mask = 0; mask < 1U << 6; mask++) {
        struct dj_frame frame = full_frame();
        for (size_t i = 0; i < 6; i++) {
            if ((mask & (1U << i)) != 0) {
                frame.known &= ~DJ_COLUMN_BIT(between[i]);
            }
        }
        expect_sum_is_the_frame_time(&frame);
    }
}

Test(stages, a_frame_without_ui_thread_timestamps_has_the_app_stage)
{
    struct dj_frame frame = full_frame();
    struct dj_stages stages;
    frame.known &= ~(DJ_COLUMN_BIT(DJ_COLUMN_HANDLE_INPUT_START) |
                     DJ_COLUMN_BIT(DJ_COLUMN_ANIMATION_START) |
                     DJ_COLUMN_BIT(DJ_COLUMN_PERFORM_TRAVERSALS_START) |
                     DJ_COLUMN_BIT(DJ_COLUMN_DRAW_START));
    dj_frame_compute_stages(&frame, &stages);
    cr_assert_eq(stages.ns[DJ_STAGE_APP], 1 + 2 + 3 + 4 + 5);
    cr_assert_not(stages.known & (1U << DJ_STAGE_DRAW));
    cr_assert_not(stages.known & (1U << DJ_STAGE_VSYNC_DELAY));
}

Test(stages, decreasing_timestamps_give_zero)
{
    struct dj_frame frame = full_frame();
    struct dj_stages stages;
    frame.value[DJ_COLUMN_ANIMATION_START] = INT64_MIN;
    frame.value[DJ_COLUMN_SWAP_BUFFERS] = INT64_MAX;
    dj_frame_compute_stages(&frame, &stages);
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        cr_assert_geq(stages.ns[i], 0);
    }
    cr_assert_eq(stages.ns[DJ_STAGE_SWAP], 0);
}

Test(stages, an_empty_frame_has_no_stages)
{
    struct dj_frame frame = {0};
    struct dj_stages stages = {.known = 99};
    dj_frame_compute_stages(&frame, &stages);
    cr_assert_eq(stages.known, 0);
    cr_assert_eq(sum_of(&stages), 0);
}

/* Another tool's log contains only the start and the end of a frame. */
Test(stages, a_frame_with_only_start_and_end_has_no_stages)
{
    struct dj_frame frame = {0};
    struct dj_stages stages;
    dj_frame_set(&frame, DJ_COLUMN_INTENDED_VSYNC, 1000);
    dj_frame_set(&frame, DJ_COLUMN_FRAME_COMPLETED, 17000);
    dj_frame_compute_stages(&frame, &stages);
    cr_assert_eq(stages.known, 0);
    dj_frame_set(&frame, DJ_COLUMN_SYNC_QUEUED, 9000);
    dj_frame_compute_stages(&frame, &stages);
    cr_assert_eq(stages.ns[DJ_STAGE_APP], 8000);
}

Test(stages, each_stage_has_a_name_and_two_columns)
{
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        enum dj_column start;
        enum dj_column end;
        dj_frame_stage_columns((enum dj_stage)i, &start, &end);
        cr_assert_lt(start, end);
        cr_assert_not_null(dj_frame_stage_name((enum dj_stage)i));
    }
}

/* One division applies to all frames with the same known columns. Each stage is between
 * the columns that it is named after. */
Test(stages, the_division_and_the_frame_have_the_same_stages)
{
    struct dj_frame frame = full_frame();
    frame.value[DJ_COLUMN_DRAW_START] = 1; /* Decreases. */
    for (uint64_t known = frame.known;; known = (known - 1) & frame.known) {
        struct dj_stage_division division;
        struct dj_stages stages;
        frame.known = known;
        dj_frame_divide_stages(known, &division);
        dj_frame_compute_stages(&frame, &stages);
        cr_assert_eq(division.known, known);
        cr_assert_eq(division.stages, stages.known);
        for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
            if ((division.stages & (1U << i)) != 0) {
                cr_assert(dj_frame_has(&frame, (enum dj_column)division.start[i]));
                cr_assert(dj_frame_has(&frame, (enum dj_column)division.end[i]));
                cr_assert_eq(dj_stages_duration_ns(&division, &frame, (enum dj_stage)i),
                             stages.ns[i]);
            } else {
                cr_assert_eq(stages.ns[i], 0);
            }
        }
        frame = full_frame();
        frame.value[DJ_COLUMN_DRAW_START] = 1;
        if (known == 0) {
            break;
        }
    }
}
