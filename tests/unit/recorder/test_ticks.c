#include <criterion/criterion.h>
#include <time.h>

#include "recorder/recorder.h"
#include "recorder/ticks.h"

static void sleep_for(long ns)
{
    const struct timespec time = {0, ns};
    nanosleep(&time, NULL);
}

/* Checks that each value is between two readings of the clock. The tolerance covers
 * the error of a pair, and the error of the rate within 10 ms. */
static void check_against_the_clock(struct dj_ticks *ticks, int rounds)
{
    const int64_t slack_ns = 10000;
    for (int i = 0; i < rounds; i++) {
        int64_t before_ns = dj_recorder_clock_ns();
        int64_t now_ns = dj_ticks_ns(ticks);
        int64_t after_ns = dj_recorder_clock_ns();
        cr_assert_geq(now_ns, before_ns - slack_ns, "round %d", i);
        cr_assert_leq(now_ns, after_ns + slack_ns, "round %d", i);
    }
}

Test(ticks, ticks_equal_the_clock_from_the_first_reading)
{
    struct dj_ticks ticks = {0};
    dj_ticks_load();
    for (int i = 0; i < 50; i++) {
        check_against_the_clock(&ticks, 2000);
        sleep_for(i % 10 == 0 ? 30000000 : 100000);
    }
    if (dj_ticks_are_used()) {
        cr_assert_gt(ticks.valid_ticks, 0, "the counter is in use by now");
    }
}

Test(ticks, ticks_never_decrease)
{
    struct dj_ticks ticks = {0};
    int64_t last_ns = 0;
    dj_ticks_load();
    for (int i = 0; i < 2000000; i++) {
        int64_t now_ns = dj_ticks_ns(&ticks);
        cr_assert_geq(now_ns, last_ns);
        last_ns = now_ns;
    }
}

Test(ticks, without_a_counter_the_clock_is_read)
{
    struct dj_ticks ticks = {0}; /* dj_ticks_load() was not called, so the counter is
                                  * not used. */
    check_against_the_clock(&ticks, 1000);
    cr_assert_eq(ticks.valid_ticks, 0);
}

/* After the machine was suspended or migrated, the counter may have any value. */
Test(ticks, a_counter_that_jumped_is_detected)
{
    struct dj_ticks ticks = {0};
    dj_ticks_load();
    check_against_the_clock(&ticks, 10);
    sleep_for(20000000);
    check_against_the_clock(&ticks, 10);
    ticks.base_ticks += UINT64_C(1) << 40;
    check_against_the_clock(&ticks, 1000);
    sleep_for(20000000);
    check_against_the_clock(&ticks, 1000);
    sleep_for(20000000);
    check_against_the_clock(&ticks, 1000);
}
