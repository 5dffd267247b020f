#include <criterion/criterion.h>

#include "recorder/gpu_time.h"

#define MS INT64_C(1000000)
#define US INT64_C(1000)

/* Submitted at 100 ms, last unfinished at 105 ms, first finished at 120 ms. */
static const struct dj_gpu_sighting seen = {100 * MS, 105 * MS, 120 * MS};

static bool judge(int64_t stamp_ns, int64_t *completed_ns)
{
    *completed_ns = -1;
    return dj_recorder_gpu_judge_stamp(&seen, stamp_ns, 10 * US, completed_ns);
}

Test(gpu_time, a_stamp_inside_the_bounds_is_accepted)
{
    int64_t completed_ns;
    cr_assert(judge(112 * MS, &completed_ns));
    cr_assert_eq(completed_ns, 112 * MS);
}

Test(gpu_time, a_stamp_before_the_work_is_rejected)
{
    int64_t completed_ns;
    cr_assert_not(judge(0, &completed_ns));
    cr_assert_not(judge(99 * MS, &completed_ns));
    /* The work was submitted before 102 ms but was still unfinished later. */
    cr_assert_not(judge(102 * MS, &completed_ns));
    cr_assert_eq(completed_ns, -1, "a wrong stamp gives no time");
}

Test(gpu_time, a_stamp_after_the_end_is_rejected)
{
    int64_t completed_ns;
    cr_assert_not(judge(121 * MS, &completed_ns));
    cr_assert_not(judge(INT64_MAX, &completed_ns));
    cr_assert_eq(completed_ns, -1);
}

Test(gpu_time, a_stamp_may_be_wrong_by_the_clock_deviation)
{
    int64_t completed_ns;
    cr_assert(judge(105 * MS - 10 * US, &completed_ns));
    cr_assert_eq(completed_ns, 105 * MS);
    cr_assert(judge(120 * MS + 10 * US, &completed_ns));
    cr_assert_eq(completed_ns, 120 * MS);
}

Test(gpu_time, bounds_are_used_if_clocks_cannot_be_compared)
{
    int64_t completed_ns = -1;
    cr_assert_not(dj_recorder_gpu_judge_stamp(&seen, 112 * MS, MS, &completed_ns));
    cr_assert_eq(completed_ns, -1);
}

Test(gpu_time, close_bounds_give_a_time_without_a_stamp)
{
    int64_t completed_ns = -1;
    struct dj_gpu_sighting close = {100 * MS, 119 * MS + 600 * US, 120 * MS};
    cr_assert(dj_recorder_gpu_judge_fence(&close, &completed_ns));
    cr_assert_eq(completed_ns, 120 * MS);
    struct dj_gpu_sighting at_once = {100 * MS, 0, 100 * MS + 200 * US};
    cr_assert(dj_recorder_gpu_judge_fence(&at_once, &completed_ns));
    cr_assert_not(dj_recorder_gpu_judge_fence(&seen, &completed_ns));
}

Test(gpu_time, ticks_are_scaled_and_wrap_around)
{
    const struct dj_gpu_clock clock = {
        .ticks = 1000, .at_ns = 50 * MS, .tick_ns = 52.0833, .valid_bits = 36};
    cr_assert_eq(dj_recorder_gpu_clock_ns(&clock, 1000), 50 * MS);
    cr_assert_eq(dj_recorder_gpu_clock_ns(&clock, 2000), 50 * MS + 52083);
    cr_assert_eq(dj_recorder_gpu_clock_ns(&clock, 0), 50 * MS - 52083);
    cr_assert_eq(dj_recorder_gpu_clock_ns(&clock, (UINT64_C(1) << 36) - 1000),
                 50 * MS - 104166);
    const struct dj_gpu_clock whole = {
        .ticks = UINT64_MAX, .at_ns = 50 * MS, .tick_ns = 1, .valid_bits = 64};
    cr_assert_eq(dj_recorder_gpu_clock_ns(&whole, 9), 50 * MS + 10);
}

Test(gpu_time, extreme_values_do_not_overflow)
{
    const struct dj_gpu_clock clock = {
        .ticks = 0, .at_ns = INT64_MAX - 10, .tick_ns = 1e9, .valid_bits = 64};
    cr_assert_eq(dj_recorder_gpu_clock_ns(&clock, 1), INT64_MAX);
    cr_assert_eq(dj_recorder_gpu_clock_ns(&clock, INT64_MAX), INT64_MAX);
    cr_assert_eq(dj_recorder_gpu_clock_ns(&clock, (uint64_t)INT64_MIN), INT64_MIN);
}
