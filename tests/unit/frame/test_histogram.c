#include <criterion/criterion.h>

#include "frame/histogram.h"

static uint32_t label_of(int64_t ms)
{
    return dj_frame_bucket_label_ms(dj_frame_bucket(ms * 1000000));
}

Test(histogram, whole_milliseconds_have_hwuis_labels)
{
    static const struct {
        int64_t ms;
        uint32_t label;
    } rows[] = {
        {0, 5},     {5, 5},     {6, 6},       {32, 32},     {33, 32},         {34, 34},
        {35, 34},   {48, 48},   {51, 48},     {52, 53},     {55, 53},         {132, 133},
        {135, 133}, {136, 150}, {139, 150},   {140, 150},   {199, 150},       {200, 200},
        {249, 200}, {250, 250}, {4949, 4900}, {4950, 4950}, {99999999, 4950},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cr_assert_eq(label_of(rows[i].ms), rows[i].label, "%lld ms: got %u, want %u",
                     (long long)rows[i].ms, label_of(rows[i].ms), rows[i].label);
    }
}

Test(histogram, labels_increase_up_to_4950)
{
    for (size_t i = 1; i < DJ_FRAME_BUCKETS; i++) {
        cr_assert_gt(dj_frame_bucket_label_ms(i), dj_frame_bucket_label_ms(i - 1));
    }
    cr_assert_eq(dj_frame_bucket_label_ms(DJ_FRAME_BUCKETS - 1), 4950);
}

Test(histogram, negative_times_count_as_zero)
{
    cr_assert_eq(dj_frame_bucket(-1), 0);
    cr_assert_eq(dj_frame_histogram_gpu_bucket(INT64_MIN), 0);
}

Test(histogram, gpu_times_have_hwuis_buckets)
{
    cr_assert_eq(dj_frame_gpu_bucket_label_ms(dj_frame_histogram_gpu_bucket(999999)), 1);
    cr_assert_eq(dj_frame_gpu_bucket_label_ms(dj_frame_histogram_gpu_bucket(1000000)), 2);
    cr_assert_eq(dj_frame_gpu_bucket_label_ms(dj_frame_histogram_gpu_bucket(24999999)),
                 25);
    cr_assert_eq(dj_frame_gpu_bucket_label_ms(dj_frame_histogram_gpu_bucket(25000000)),
                 4950);
    cr_assert_eq(dj_frame_gpu_bucket_label_ms(dj_frame_histogram_gpu_bucket(INT64_MAX)),
                 4950);
}

/* The start of a bucket is the first whole ms that is in it. */
Test(histogram, starts_are_the_least_times_of_the_buckets)
{
    for (size_t bucket = 0; bucket < DJ_FRAME_BUCKETS; bucket++) {
        int64_t start_ms = dj_frame_bucket_start_ms(bucket);
        cr_expect_eq(dj_frame_bucket(start_ms * 1000000), bucket, "%zu", bucket);
        cr_expect(bucket == 0 || dj_frame_bucket(start_ms * 1000000 - 1) == bucket - 1,
                  "%zu", bucket);
    }
}
