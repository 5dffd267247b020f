/* Work on cores that were slower than usual. */
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

Test(triage_speeds, work_slower_than_in_frames_in_time_is_told_apart)
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
    cr_expect_eq(slow->evidence[0].ought_khz, 1800000);
    cr_expect_not(slow->evidence[0].limited);
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

/* The limit is told of CPU 1 alone, whose frequency CPU 0 always has. */
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

Test(triage_speeds, a_limit_of_one_core_is_that_of_its_cluster)
{
    limit_to(0, 2000000);
    made_frames(20, draw_at_a_limit);
    const struct dj_triage_cause *slow =
        made_cause(made_triage(NULL), DJ_CAUSE_FREQUENCY);
    cr_assert_not_null(slow);
    cr_expect(slow->evidence[0].limited);
    cr_expect_eq(slow->evidence[0].ought_khz, 2000000);
}
