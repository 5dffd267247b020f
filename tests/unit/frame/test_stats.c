#include <criterion/criterion.h>
#include <string.h>

#include "frame/stats.h"

static struct dj_stats of_times(const int64_t *times_ms, size_t count)
{
    struct dj_stats stats = {0};
    for (size_t i = 0; i < count; i++) {
        struct dj_verdict verdict = {
            .counters = DJ_COUNTER_BIT(DJ_COUNTER_TOTAL),
            .frame_bucket = (int16_t)dj_frame_bucket(times_ms[i] * 1000000),
            .gpu_bucket = DJ_NO_BUCKET,
        };
        dj_frame_stats_add(&stats, &verdict);
    }
    return stats;
}

Test(stats, a_verdict_counts_once_per_bit)
{
    struct dj_stats stats = {0};
    struct dj_verdict verdict = {
        .counters = DJ_COUNTER_BIT(DJ_COUNTER_TOTAL) | DJ_COUNTER_BIT(DJ_COUNTER_JANKY) |
                    DJ_COUNTER_BIT(DJ_COUNTER_DEADLINE_MISSED_LEGACY),
        .frame_bucket = 3,
        .gpu_bucket = 25,
    };
    dj_frame_stats_add(&stats, &verdict);
    dj_frame_stats_add(&stats, &verdict);
    cr_assert_eq(stats.counter[DJ_COUNTER_TOTAL], 2);
    cr_assert_eq(stats.counter[DJ_COUNTER_JANKY], 2);
    cr_assert_eq(stats.counter[DJ_COUNTER_DEADLINE_MISSED_LEGACY], 2);
    cr_assert_eq(stats.counter[DJ_COUNTER_MISSED_VSYNC], 0);
    cr_assert_eq(stats.frame_histogram[3], 2);
    cr_assert_eq(stats.gpu_histogram[25], 2);
    cr_assert(dj_frame_verdict_is_janky(&verdict));
}

Test(stats, a_verdict_without_bucket_changes_no_histogram)
{
    struct dj_stats stats = {0};
    struct dj_stats nothing = {0};
    struct dj_verdict verdict = {.frame_bucket = DJ_NO_BUCKET,
                                 .gpu_bucket = DJ_NO_BUCKET};
    dj_frame_stats_add(&stats, &verdict);
    cr_assert_eq(memcmp(&stats, &nothing, sizeof(stats)), 0);
}

Test(stats, a_window_is_the_difference_of_two_readings)
{
    static const int64_t times_ms[] = {5, 8, 17, 40, 200};
    struct dj_stats before = of_times(times_ms, 2);
    struct dj_stats after = of_times(times_ms, 5);
    struct dj_stats rest = of_times(times_ms + 2, 3);
    after.since_ns = 9;
    dj_frame_stats_subtract(&after, &before);
    cr_assert_eq(after.since_ns, 9);
    after.since_ns = 0;
    cr_assert_eq(memcmp(&after, &rest, sizeof(rest)), 0);
    dj_frame_stats_merge(&after, &before);
    cr_assert_eq(after.counter[DJ_COUNTER_TOTAL], 5);
}

Test(stats, differences_are_right_after_an_overflow)
{
    struct dj_stats before = {.counter = {UINT32_MAX - 1}};
    struct dj_stats after = {.counter = {3}};
    dj_frame_stats_subtract(&after, &before);
    cr_assert_eq(after.counter[0], 5);
}

Test(stats, merging_keeps_the_earlier_start)
{
    struct dj_stats a = {.since_ns = 50};
    struct dj_stats b = {.since_ns = 20};
    struct dj_stats none = {0};
    dj_frame_stats_merge(&a, &b);
    cr_assert_eq(a.since_ns, 20);
    dj_frame_stats_merge(&a, &none);
    cr_assert_eq(a.since_ns, 20, "0 is no time");
    dj_frame_stats_merge(&none, &a);
    cr_assert_eq(none.since_ns, 20);
}

/* hwui's percentile is the label of a bucket, searched from the slowest one. It does not
 * interpolate. */
Test(stats, percentiles_are_labels_of_buckets)
{
    int64_t times_ms[100];
    for (int64_t i = 0; i < 100; i++) {
        times_ms[i] = i + 1;
    }
    struct dj_stats stats = of_times(times_ms, 100);
    cr_assert_eq(dj_frame_stats_percentile_ms(&stats, 50), 48); /* Bucket of 48–51 ms. */
    cr_assert_eq(dj_frame_stats_percentile_ms(&stats, 90), 89);
    cr_assert_eq(dj_frame_stats_percentile_ms(&stats, 99), 101);
    static const int64_t one = 23;
    stats = of_times(&one, 1);
    cr_assert_eq(dj_frame_stats_percentile_ms(&stats, 50), 23);
    cr_assert_eq(dj_frame_stats_percentile_ms(&stats, 99), 23);
}

Test(stats, percentiles_without_frames_are_4950)
{
    struct dj_stats stats = {0};
    cr_assert_eq(dj_frame_stats_percentile_ms(&stats, 50), 4950);
    cr_assert_eq(dj_frame_stats_gpu_percentile_ms(&stats, 99), 4950);
    cr_assert_eq(dj_frame_stats_janky_pct(&stats, DJ_COUNTER_JANKY), 0.0);
}

Test(stats, frames_in_no_bucket_give_the_last_label)
{
    struct dj_stats stats = {.counter = {[DJ_COUNTER_TOTAL] = 10}};
    stats.frame_histogram[4] = 2;
    cr_assert_eq(dj_frame_stats_percentile_ms(&stats, 50), 0);
}

Test(stats, many_frames_do_not_overflow)
{
    struct dj_stats stats = {.counter = {[DJ_COUNTER_TOTAL] = UINT32_MAX}};
    stats.frame_histogram[0] = UINT32_MAX - 10;
    stats.frame_histogram[DJ_FRAME_BUCKETS - 1] = 10;
    cr_assert_eq(dj_frame_stats_percentile_ms(&stats, 99), 5);
}

/* The percentage is (float)janky / (float)total * 100, so its two printed decimals equal
 * hwui's. */
Test(stats, the_percentage_is_computed_in_floats)
{
    struct dj_stats stats = {.counter = {[DJ_COUNTER_TOTAL] = 3, [DJ_COUNTER_JANKY] = 1}};
    cr_assert_eq(dj_frame_stats_janky_pct(&stats, DJ_COUNTER_JANKY),
                 (double)(1.0F / 3.0F * 100.0F));
}

Test(stats, gpu_percentiles_use_only_gpu_times)
{
    struct dj_stats stats = {.counter = {[DJ_COUNTER_TOTAL] = 1000}};
    stats.gpu_histogram[1] = 3;
    stats.gpu_histogram[9] = 1;
    cr_assert_eq(dj_frame_stats_gpu_percentile_ms(&stats, 50), 2);
    cr_assert_eq(dj_frame_stats_gpu_percentile_ms(&stats, 90), 10);
}
