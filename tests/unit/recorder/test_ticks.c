#include <criterion/criterion.h>
#include <time.h>

#include "recorder/recorder.h"
#include "recorder/ticks.h"

static void nap(long ns)
{
    const struct timespec time = {0, ns};
    nanosleep(&time, NULL);
}

/* Between two readings of the clock, but for what a pair of both can be apart and what
 * the rate can be wrong by within 10 ms. */
static void check_against_the_clock(struct dj_ticks *ticks, int rounds)
{
    const int64_t slack_ns = 10000;
    for (int i = 0; i < rounds; i++) {
        int64_t before_ns = dj_clock_ns();
        int64_t now_ns = dj_ticks_ns(ticks);
        int64_t after_ns = dj_clock_ns();
        cr_assert_geq(now_ns, before_ns - slack_ns, "round %d", i);
        cr_assert_leq(now_ns, after_ns + slack_ns, "round %d", i);
    }
}

Test(ticks, are_the_clock_from_the_first_one_on)
{
    struct dj_ticks ticks = {0};
    dj_ticks_load();
    for (int i = 0; i < 50; i++) {
        check_against_the_clock(&ticks, 2000);
        nap(i % 10 == 0 ? 30000000 : 100000);
    }
    if (dj_ticks_are_used()) {
        cr_assert_gt(ticks.valid_ticks, 0, "the counter is in use by now");
    }
}

Test(ticks, never_go_back)
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

Test(ticks, without_a_counter_are_the_clock)
{
    struct dj_ticks ticks = {0}; /* nobody has looked whether there is one */
    check_against_the_clock(&ticks, 1000);
    cr_assert_eq(ticks.valid_ticks, 0);
}

/* As after a suspended or moved machine: the counter is anywhere. */
Test(ticks, a_counter_that_jumped_is_found_out)
{
    struct dj_ticks ticks = {0};
    dj_ticks_load();
    check_against_the_clock(&ticks, 10);
    nap(20000000);
    check_against_the_clock(&ticks, 10);
    ticks.base_ticks += UINT64_C(1) << 40;
    check_against_the_clock(&ticks, 1000);
    nap(20000000);
    check_against_the_clock(&ticks, 1000);
    nap(20000000);
    check_against_the_clock(&ticks, 1000);
}
