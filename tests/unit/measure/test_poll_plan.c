#include <criterion/criterion.h>

#include "measure/poll_plan.h"

static const int64_t second_ns = 1000000000;

static double delay_s(const struct dj_poll_plan *plan)
{
    return (double)dj_measure_poll_plan_delay_ns(plan) / 1e9;
}

/* Returns the plan for an Android device on which an app was observed for a second at
 * this rate. */
static struct dj_poll_plan watched(double rate_hz, int64_t interval_ns)
{
    struct dj_poll_plan plan = {.ring_rows = 120, .interval_ns = interval_ns};
    dj_measure_poll_plan_observe(&plan, (uint64_t)rate_hz, second_ns);
    return plan;
}

Test(poll_plan, delays_suit_androids_ring)
{
    static const struct {
        double rate_hz;
        int64_t interval_ns;
        double want_s;
    } rows[] = {
        {60, 16666667, 1.5},
        {60, 0, 1.5},
        {120, 8333333, 0.75},
        /* The display's rate decides, because the app may become as fast. */
        {90, 11111111, 1.0},
        {24, 16666667, 1.5},
        /* The app's rate decides if it is higher than the display's. */
        {240, 16666667, 0.375},
        {24, 41666667, 2.0},     /* The delay is at most two seconds. */
        {100000, 8333333, 0.05}, /* The delay is at least a twentieth of a second. */
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct dj_poll_plan plan = watched(rows[i].rate_hz, rows[i].interval_ns);
        cr_assert_float_eq(delay_s(&plan), rows[i].want_s, 0.001, "row %zu: %f", i,
                           delay_s(&plan));
    }
}

Test(poll_plan, no_ring_overruns_at_a_steady_rate)
{
    for (int rate_hz = 1; rate_hz <= 1500; rate_hz++) {
        struct dj_poll_plan plan = watched(rate_hz, 0);
        cr_assert_lt(delay_s(&plan) * rate_hz, 120, "%d Hz", rate_hz);
    }
}

Test(poll_plan, the_first_delay_is_short)
{
    struct dj_poll_plan plan = {.ring_rows = 4096};
    cr_assert_float_eq(delay_s(&plan), 0.5, 0.001);
    plan.ring_rows = 120;
    plan.rate_hz = 1000; /* The rate that the newest rows of the first reading show. */
    cr_assert_float_eq(delay_s(&plan), 0.09, 0.001);
}

Test(poll_plan, a_large_ring_is_read_rarely)
{
    struct dj_poll_plan plan = {.ring_rows = 4096, .interval_ns = 16666667};
    dj_measure_poll_plan_observe(&plan, 60, second_ns);
    cr_assert_float_eq(delay_s(&plan), 2.0, 0.001);
    dj_measure_poll_plan_observe(&plan, 4000, second_ns);
    cr_assert_float_eq(delay_s(&plan), 0.768, 0.001);
}

Test(poll_plan, a_higher_rate_counts_at_once_and_a_lower_one_slowly)
{
    struct dj_poll_plan plan = watched(480, 16666667);
    dj_measure_poll_plan_observe(&plan, 0, second_ns);
    cr_assert_float_eq(plan.rate_hz, 240, 0.1);
    dj_measure_poll_plan_observe(&plan, 0, second_ns);
    cr_assert_float_eq(plan.rate_hz, 120, 0.1);
    dj_measure_poll_plan_observe(&plan, 960, second_ns);
    cr_assert_float_eq(plan.rate_hz, 960, 0.1);
}

Test(poll_plan, readings_take_at_most_a_fifth_of_the_time)
{
    struct dj_poll_plan plan = watched(1000, 0);
    plan.cost_ns = second_ns / 2;
    cr_assert_float_eq(delay_s(&plan), 2.0, 0.001);
}

Test(poll_plan, the_time_of_a_reading_is_part_of_the_period)
{
    struct dj_poll_plan plan = watched(60, 16666667);
    plan.cost_ns = second_ns / 5;
    cr_assert_float_eq(delay_s(&plan), 1.3, 0.001);
}

Test(poll_plan, an_empty_span_is_ignored)
{
    struct dj_poll_plan plan = {.ring_rows = 120};
    dj_measure_poll_plan_observe(&plan, 1000, 0);
    dj_measure_poll_plan_observe(&plan, 1000, -5);
    cr_assert_not(plan.observed);
    cr_assert_eq(plan.rate_hz, 0);
}
