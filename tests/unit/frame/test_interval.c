#include <criterion/criterion.h>

#include "frame/interval.h"

enum { HZ_60 = 16666667, HZ_90 = 11111111, HZ_120 = 8333333, MOST = 40 };

static struct dj_frame frames[MOST];
static const struct dj_interval nobody = {0, false};

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

Test(interval, what_was_told_wins)
{
    set(0, MOST, HZ_120);
    expect(dj_interval_of((struct dj_interval){HZ_90, false}, frames, MOST), HZ_90,
           false);
    expect(dj_interval_of((struct dj_interval){HZ_90, true}, frames, MOST), HZ_90, true);
}

Test(interval, else_what_most_rows_have)
{
    set(0, 10, HZ_60);
    set(10, 30, HZ_120);
    set(30, 35, HZ_90);
    expect(dj_interval_of(nobody, frames, MOST), HZ_120, false);
}

Test(interval, of_two_as_frequent_the_earlier)
{
    set(0, 10, HZ_90);
    set(10, 20, HZ_120);
    expect(dj_interval_of(nobody, frames, MOST), HZ_90, false);
}

Test(interval, rows_without_a_sensible_one_do_not_count)
{
    set(0, 20, 0);
    set(20, 39, -1);
    expect(dj_interval_of(nobody, frames, MOST), DJ_ASSUMED_INTERVAL_NS, true);
    set(39, 40, HZ_60);
    expect(dj_interval_of(nobody, frames, MOST), HZ_60, false);
}

Test(interval, else_sixty_hertz_is_assumed)
{
    expect(dj_interval_of(nobody, NULL, 0), 16666666, true);
    expect(dj_interval_of(nobody, frames, MOST), 16666666, true);
    expect(dj_interval_of((struct dj_interval){-5, false}, frames, MOST), 16666666, true);
}

Test(interval, as_many_different_ones_as_there_are_rows)
{
    for (size_t i = 0; i < MOST; i++) {
        set(i, i + 1, HZ_60 + (int64_t)i);
    }
    expect(dj_interval_of(nobody, frames, MOST), HZ_60, false);
}
