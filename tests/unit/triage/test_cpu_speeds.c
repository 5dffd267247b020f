/* Tests of work on CPUs that were slower than usual. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "made_trace.h"

TestSuite(triage_speeds, .fini = made_clear);

static void set_speed(int at, int cpu, int khz)
{
    char event[80];
    snprintf(event, sizeof(event), "cpu_frequency: state=%d cpu_id=%d", khz, cpu);
    made_line(at, 0, MAIN, ".....", event);
}

static void set_speeds(int at, int khz)
{
    set_speed(at, 0, khz);
    set_speed(at + 1, 1, khz);
}

static int draw_slowly(int at, int number)
{
    (void)number;
    made_begin(at + 1, 0, MAIN, "draw");
    set_speeds(at + 2, 600000);
    made_end(at + 20002, 0, MAIN);
    set_speeds(at + 20003, 1800000);
    return at + 20010;
}

Test(triage_speeds, work_slower_than_in_frames_in_time_is_a_cause)
{
    set_speeds(0, 1800000);
    made_frames(20, draw_slowly);
    const struct dj_triage_result *result = made_triage(NULL);
    const struct dj_triage_cause *slow = made_cause(result, DJ_CAUSE_FREQUENCY);
    const struct dj_triage_cause *work = made_cause(result, DJ_CAUSE_OWN_WORK);
    cr_assert(slow != NULL && work != NULL);
    cr_expect_str_eq(slow->name, "draw");
    cr_expect(slow->ns > 4 * 13300000LL && slow->ns < 4 * 13400000LL, "%.3f ms",
              (double)slow->ns / 1e6);
    cr_expect(work->ns > 4 * 6600000LL && work->ns < 4 * 6800000LL, "%.3f ms",
              (double)work->ns / 1e6);
    cr_expect_eq(slow->evidence[0].khz, 600000);
    cr_expect_eq(slow->evidence[0].expected_khz, 1800000);
    cr_expect_not(slow->evidence[0].is_limited);
    cr_expect_eq(slow->evidence[0].cpu, 0);
}

static int draw_a_little_slower(int at, int number)
{
    (void)number;
    set_speeds(at, 1600000);
    made_begin(at + 3, 0, MAIN, "draw");
    made_end(at + 20002, 0, MAIN);
    set_speeds(at + 20003, 1800000);
    return at + 20010;
}

Test(triage_speeds, a_little_slower_is_still_own_work)
{
    set_speeds(0, 1800000);
    made_frames(20, draw_a_little_slower);
    cr_expect_null(made_cause(made_triage(NULL), DJ_CAUSE_FREQUENCY));
}

/* Only CPU 1 reports a limit. CPU 0 always has the same frequency as CPU 1. */
static void limit_to(int at, int khz)
{
    char event[80];
    snprintf(event, sizeof(event), "cpu_frequency_limits: min=300000 max=%d cpu_id=1",
             khz);
    made_line(at, 0, MAIN, ".....", event);
    set_speeds(at + 1, khz);
}

static int draw_at_a_limit(int at, int number)
{
    (void)number;
    limit_to(at, 1000000);
    made_begin(at + 3, 0, MAIN, "draw");
    made_end(at + 20002, 0, MAIN);
    limit_to(at + 20003, 2000000);
    return at + 20010;
}

Test(triage_speeds, a_limit_of_one_cpu_holds_for_its_cluster)
{
    limit_to(0, 2000000);
    made_frames(20, draw_at_a_limit);
    const struct dj_triage_cause *slow =
        made_cause(made_triage(NULL), DJ_CAUSE_FREQUENCY);
    cr_assert_not_null(slow);
    cr_expect(slow->evidence[0].is_limited);
    cr_expect_eq(slow->evidence[0].expected_khz, 2000000);
}

/* Moves MAIN to another CPU. CPU 0 can reach 2.8 GHz, CPU 1 only 1.8 GHz, so sections on
 * CPU 1 take longer. */
static void move(int at, int from, int to)
{
    made_switch(at, from, MAIN, "R", 0);
    made_switch(at + 1, to, 0, "R", MAIN);
}

static int draw_on_a_small_core(int at, int number)
{
    (void)number;
    move(at, 0, 1);
    made_begin(at + 2, 1, MAIN, "draw");
    made_end(at + 20002, 1, MAIN);
    move(at + 20003, 1, 0);
    return at + 20010;
}

Test(triage_speeds, a_slow_kind_of_cpu_is_reported)
{
    set_speed(0, 0, 2800000);
    set_speed(1, 1, 1800000);
    made_frames(20, draw_on_a_small_core);
    const struct dj_triage_cause *slow =
        made_cause(made_triage(NULL), DJ_CAUSE_FREQUENCY);
    cr_assert_not_null(slow);
    cr_expect_str_eq(slow->name, "draw");
    cr_expect(slow->ns > 4 * 7100000LL && slow->ns < 4 * 7200000LL, "%.3f ms",
              (double)slow->ns / 1e6);
    const struct dj_triage_evidence *seen = &slow->evidence[0];
    cr_expect_eq(seen->cpu, 1);
    cr_expect_eq(seen->khz, 1800000);
    cr_expect_eq(seen->expected_khz, 2800000);
    cr_expect_eq(seen->core_khz, 1800000);
    cr_expect_eq(seen->highest_khz, 2800000);
    cr_expect_not(seen->is_limited);
}

/* All frames run on the slow CPU, so its speed is the usual one. */
static int draw_on_a_small_core_as_well(int at, int number)
{
    (void)number;
    made_begin(at + 2, 0, MAIN, "draw");
    made_end(at + 20002, 0, MAIN);
    return at + 20010;
}

Test(triage_speeds, a_cpu_that_frames_in_time_use_is_no_cause)
{
    set_speed(0, 0, 1800000);
    set_speed(1, 1, 2800000);
    made_frames(20, draw_on_a_small_core_as_well);
    cr_expect_null(made_cause(made_triage(NULL), DJ_CAUSE_FREQUENCY));
}

/* As draw_on_a_small_core(), but a reported limit allows CPU 1 2.8 GHz. So CPU 1 is not
 * of a slower kind, although the trace only shows it at 1.8 GHz. */
static int draw_on_a_core_that_idles(int at, int number)
{
    made_line(at, 0, MAIN, ".....",
              "cpu_frequency_limits: min=300000 max=2800000 cpu_id=1");
    return draw_on_a_small_core(at + 1, number);
}

Test(triage_speeds, a_cpu_with_a_higher_limit_is_not_a_slow_kind)
{
    set_speed(0, 0, 2800000);
    set_speed(1, 1, 1800000);
    made_frames(20, draw_on_a_core_that_idles);
    const struct dj_triage_cause *work = made_cause(made_triage(NULL), DJ_CAUSE_OWN_WORK);
    cr_assert_not_null(work);
    cr_expect_null(made_cause(made_triage(NULL), DJ_CAUSE_FREQUENCY));
}
