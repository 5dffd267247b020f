/* Tests of waits for a CPU that would be gone together with another cause. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "made_trace.h"

TestSuite(cpu_waits, .fini = made_clear);

static void is_about(int64_t ns, double expected_ms)
{
    double ms = (double)ns / 1e6;
    cr_expect(ms > expected_ms - 0.1 && ms < expected_ms + 0.1, "%.3f ms, expected %.3f",
              ms, expected_ms);
}

static int run_and_lose(int at, int run, int lose, int by)
{
    made_switch(at + run, 0, MAIN, "R", by);
    made_switch(at + run + lose, 0, by, "S", MAIN);
    return at + run + lose;
}

/* MAIN gets a third of the CPU, so 18 ms of work take 48 ms. */
static int work_on_a_shared_core(int at, int number)
{
    (void)number;
    made_begin(at, 0, MAIN, "parse");
    for (int i = 0; i < 5; i++) {
        at = run_and_lose(at, 3000, 6000, RIVAL);
    }
    made_end(at + 3000, 0, MAIN);
    return at + 3000;
}

Test(cpu_waits, waits_during_removed_work_are_saved)
{
    made_frames(40, work_on_a_shared_core);
    const struct dj_triage_result *result = made_triage(NULL);
    const struct dj_triage_cause *work = made_cause(result, DJ_CAUSE_OWN_WORK);
    cr_expect_eq(result->janky, 8);
    cr_assert_not_null(work);
    cr_expect_str_eq(work->name, "parse");
    is_about(work->ns, 8 * 18.0);
    cr_expect_eq(work->saved_frames, 8);
    cr_expect_eq(work->saved_ns, result->late_ns);
    is_about(work->cpu_wait_ns, 8 * 30.0);
}

/* Two thirds of the work are more than usual, so two thirds of the waits for a CPU can be
 * saved. */
static int work_more_on_a_shared_core(int at, int number)
{
    (void)number;
    made_begin(at, 0, MAIN, "work");
    at = run_and_lose(at, 4000, 9000, RIVAL);
    at = run_and_lose(at, 4000, 8000, RIVAL);
    made_end(at + 4000, 0, MAIN);
    return at + 4000;
}

Test(cpu_waits, waits_during_usual_work_are_not_saved)
{
    made_frames(40, work_more_on_a_shared_core);
    char *base = made_text();
    made_clear();
    made_frames(40, work_more_on_a_shared_core);
    const struct dj_triage_cause *work = made_cause(made_triage(NULL), DJ_CAUSE_OWN_WORK);
    cr_assert_not_null(work);
    is_about(work->usual_ns, 2.0);
    cr_expect_eq(work->saved_frames, 8, "the usual 2 ms do not lose the CPU");
    cr_expect_null(made_cause(made_triage(base), DJ_CAUSE_OWN_WORK));
    free(base);
}

/* RIVAL runs once. Without the little work before, RIVAL would have run during the work
 * after it. */
static int lose_the_core_once(int at, int number)
{
    (void)number;
    made_begin(at, 0, MAIN, "parse");
    at = run_and_lose(at, 1500, 20000, RIVAL);
    made_end(at + 1500, 0, MAIN);
    made_begin(at + 1501, 0, MAIN, "draw");
    made_end(at + 6500, 0, MAIN);
    return at + 6500;
}

Test(cpu_waits, a_wait_that_would_come_anyway_is_not_saved)
{
    made_frames(40, lose_the_core_once);
    const struct dj_triage_result *result = made_triage(NULL);
    size_t seen = 0;
    for (size_t i = 0; i < result->cause_count; i++) {
        if (result->causes[i].kind == DJ_CAUSE_OWN_WORK) {
            cr_expect_eq(result->causes[i].saved_frames, 0, "%s", result->causes[i].name);
            seen++;
        }
    }
    cr_expect_eq(seen, 2);
    cr_expect_eq(result->causes[0].kind, DJ_CAUSE_RUNNABLE);
    cr_expect_eq(result->causes[0].saved_frames, 8);
}

/* Two threads run, one after the other, when MAIN has almost nothing left to do. */
static int lose_the_core_at_the_end(int at, int number)
{
    (void)number;
    made_begin(at, 0, MAIN, "work");
    made_switch(at + 1000, 0, MAIN, "R", RIVAL);
    made_switch(at + 11000, 0, RIVAL, "S", OTHER_RIVAL);
    made_switch(at + 21000, 0, OTHER_RIVAL, "S", MAIN);
    made_end(at + 21400, 0, MAIN);
    return at + 21400;
}

Test(cpu_waits, a_little_work_does_not_account_for_long_waits)
{
    made_frames(40, lose_the_core_at_the_end);
    const struct dj_triage_result *result = made_triage(NULL);
    const struct dj_triage_cause *work = made_cause(result, DJ_CAUSE_OWN_WORK);
    cr_assert(result->cause_count > 1);
    cr_expect_eq(result->causes[0].kind, DJ_CAUSE_RUNNABLE);
    cr_assert_not_null(work);
    cr_expect_eq(work->saved_frames, 0);
    is_about(work->cpu_wait_ns, 0);
}

/* MAIN sleeps for 9 ms, and then waits for a CPU for 12 ms. */
static int sleep_and_come_back_late(int at, int number)
{
    (void)number;
    made_begin(at, 0, MAIN, "nap");
    made_switch(at + 100, 0, MAIN, "S", RIVAL);
    made_wake_by_timer(at + 9100, 0, RIVAL, MAIN);
    made_switch(at + 21100, 0, RIVAL, "S", MAIN);
    made_end(at + 27000, 0, MAIN);
    return at + 27000;
}

Test(cpu_waits, a_wait_after_a_removed_sleep_is_saved)
{
    made_frames(40, sleep_and_come_back_late);
    const struct dj_triage_result *result = made_triage(NULL);
    const struct dj_triage_cause *nap = made_cause(result, DJ_CAUSE_SLEEP);
    cr_assert_not_null(nap);
    is_about(nap->ns, 8 * 9.0);
    cr_expect_eq(nap->saved_frames, 8);
    cr_expect_eq(nap->saved_ns, result->late_ns);
    is_about(nap->cpu_wait_ns, 8 * 12.0);
}
