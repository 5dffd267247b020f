#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "frame/interval.h"

enum { HZ_60 = 16666667, HZ_90 = 11111111, HZ_120 = 8333333, MOST = 40 };

static struct dj_frame frames[MOST];
static int64_t scratch[MOST];
static const struct dj_interval unknown = {0, false};

static void expect(struct dj_interval found, int64_t ns, bool assumed)
{
    cr_expect_eq(found.ns, ns, "found %lld", (long long)found.ns);
    cr_expect_eq(found.assumed, assumed);
}

static void set(size_t from, size_t to, int64_t interval_ns)
{
    for (size_t i = from; i < to; i++) {
        dj_frame_set(&frames[i], DJ_COLUMN_FRAME_INTERVAL, interval_ns);
    }
}

Test(interval, a_given_interval_wins)
{
    set(0, MOST, HZ_120);
    expect(dj_frame_choose_interval((struct dj_interval){HZ_90, false}, frames, MOST,
                                    scratch),
           HZ_90, false);
    expect(dj_frame_choose_interval((struct dj_interval){HZ_90, true}, frames, MOST,
                                    scratch),
           HZ_90, true);
}

Test(interval, without_a_given_interval_that_of_most_rows_is_chosen)
{
    set(0, 10, HZ_60);
    set(10, 35, HZ_120);
    set(35, 40, HZ_90);
    expect(dj_frame_choose_interval(unknown, frames, MOST, scratch), HZ_120, false);
}

Test(interval, the_order_of_the_rows_does_not_matter)
{
    for (size_t i = 0; i < MOST; i++) {
        set(i, i + 1, i % 3 == 1 ? HZ_90 : HZ_60);
    }
    expect(dj_frame_choose_interval(unknown, frames, MOST, scratch), HZ_60, false);
}

/* The lower one of two middle values is used, so the result is always an interval that
 * some row has. */
Test(interval, the_shorter_of_two_equally_frequent_intervals_is_chosen)
{
    set(0, 10, HZ_90);
    set(10, 20, HZ_120);
    expect(dj_frame_choose_interval(unknown, frames, MOST, scratch), HZ_120, false);
}

Test(interval, rows_with_an_invalid_interval_do_not_count)
{
    set(0, 20, 0);
    set(20, 39, -1);
    expect(dj_frame_choose_interval(unknown, frames, MOST, scratch),
           DJ_ASSUMED_INTERVAL_NS, true);
    set(39, 40, HZ_60);
    expect(dj_frame_choose_interval(unknown, frames, MOST, scratch), HZ_60, false);
}

Test(interval, without_any_interval_60_hz_is_assumed)
{
    expect(dj_frame_choose_interval(unknown, NULL, 0, NULL), 16666666, true);
    expect(dj_frame_choose_interval(unknown, frames, MOST, scratch), 16666666, true);
    expect(
        dj_frame_choose_interval((struct dj_interval){-5, false}, frames, MOST, scratch),
        16666666, true);
}

/* The interval varies, no two rows have the same one, and the first rows are outliers. */
Test(interval, the_median_is_chosen_if_all_rows_differ)
{
    for (size_t i = 0; i < MOST - 1; i++) {
        int64_t off_ns = (int64_t)(i * 7 % (MOST - 1)) - (MOST - 2) / 2;
        set(i, i + 1, HZ_60 + off_ns * (i < 9 ? 1000 : 1));
    }
    struct dj_interval found =
        dj_frame_choose_interval(unknown, frames, MOST - 1, scratch);
    cr_expect_lt(llabs(found.ns - HZ_60), 5, "found %lld", (long long)found.ns);
    cr_expect_not(found.assumed);
}

Test(interval, a_single_row_determines_the_interval)
{
    set(0, 1, HZ_90);
    expect(dj_frame_choose_interval(unknown, frames, 1, scratch), HZ_90, false);
}

Test(interval, the_rows_are_not_modified)
{
    for (size_t i = 0; i < MOST; i++) {
        set(i, i + 1, HZ_60 - (int64_t)i);
    }
    struct dj_frame before[MOST];
    memcpy(before, frames, sizeof(frames));
    dj_frame_choose_interval(unknown, frames, MOST, scratch);
    cr_expect_eq(memcmp(before, frames, sizeof(frames)), 0);
}
