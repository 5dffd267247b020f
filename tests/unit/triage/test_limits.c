/* Tests of the notes about what a trace cannot show. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "made_trace.h"

TestSuite(triage_limits, .fini = made_clear);

static bool has_limit(const struct dj_triage_result *result, const char *words)
{
    for (size_t i = 0; i < result->limit_count; i++) {
        if (strstr(result->limits[i].text, words) != NULL) {
            return true;
        }
    }
    return false;
}

static void make_section(int at, const char *frame, const char *section, int length)
{
    made_begin(at, 0, MAIN, frame);
    made_begin(at + 1, 0, MAIN, section);
    made_end(at + length - 1, 0, MAIN);
    made_end(at + length, 0, MAIN);
}

Test(triage_limits, without_a_scheduler_sections_count_as_work)
{
    make_section(1000, "frame 1", "layout", 2000);
    make_section(21000, "frame 2", "layout", 30000);
    const struct dj_triage_result *result = made_triage(NULL);
    cr_assert_eq(result->cause_count, 1);
    cr_expect_eq(result->causes[0].kind, DJ_CAUSE_OWN_WORK);
    cr_expect(has_limit(result, "no scheduler events"));
}

Test(triage_limits, without_a_scheduler_sections_name_waits)
{
    char contention[120];
    snprintf(contention, sizeof(contention),
             "monitor contention with owner keeper (%d) at void a.b() waiters=0", HOLDER);
    made_begin(20000, 1, HOLDER, "fill cache");
    make_section(21000, "frame 1", contention, 30000);
    made_end(52000, 1, HOLDER);
    made_begin(60000, 1, WORKER, "Background concurrent copying GC");
    make_section(61000, "frame 2", "GC: Wait For Completion Alloc", 31000);
    made_end(91990, 1, WORKER);
    make_section(101000, "frame 3", "waiting for GPU completion 7", 32000);
    const struct dj_triage_result *result = made_triage(NULL);
    cr_assert_eq(result->cause_count, 3);
    const struct dj_triage_cause *lock = made_cause(result, DJ_CAUSE_LOCK);
    const struct dj_triage_cause *gc = made_cause(result, DJ_CAUSE_GC);
    cr_assert_not_null(lock);
    cr_assert_not_null(gc);
    cr_expect_str_eq(lock->holder, "keeper");
    cr_expect_str_eq(lock->evidence[0].holder_section, "fill cache");
    cr_expect_eq(lock->frames, 1);
    cr_expect_str_eq(gc->holder, "worker");
    cr_expect_not_null(made_cause(result, DJ_CAUSE_GPU));
}

static void make_unwoken_frame(const char *section)
{
    made_switch(990, 0, 0, "R", MAIN);
    made_begin(1000, 0, MAIN, "frame 1");
    made_begin(1001, 0, MAIN, section);
    made_switch(1100, 0, MAIN, "S", 0);
    made_switch(29000, 0, 0, "R", MAIN);
    made_end(29100, 0, MAIN);
    made_end(29200, 0, MAIN);
}

Test(triage_limits, without_wake_ups_a_lock_has_no_holder)
{
    make_unwoken_frame("lock db");
    const struct dj_triage_result *result = made_triage(NULL);
    cr_assert_eq(result->cause_count, 1);
    cr_expect_eq(result->causes[0].kind, DJ_CAUSE_LOCK);
    cr_expect_str_eq(result->causes[0].holder, "");
    cr_expect(has_limit(result,
                        "unprivileged: waits for locks are known, but not the holders"));
    cr_expect(has_limit(result, "no frame was in time"));
}

Test(triage_limits, time_that_goes_backwards_is_reported)
{
    make_section(21000, "frame 2", "layout", 30000);
    make_section(1000, "frame 1", "layout", 2000);
    cr_expect(has_limit(made_triage(NULL), "time went backwards: 4 events"));
}

static void make_alone(int at, int number)
{
    char name[32];
    snprintf(name, sizeof(name), "frame %d", number);
    made_wake_by_timer(at - 10, 0, 0, MAIN);
    made_switch(at, 0, 0, "R", MAIN);
    made_begin(at + 1, 0, MAIN, name);
    made_switch(at + 2000, 0, MAIN, "R", RIVAL);
    made_switch(at + (number % 2 == 0 ? 2100 : 20000), 0, RIVAL, "S", MAIN);
    made_end(at + 20100, 0, MAIN);
    made_switch(at + 20200, 0, MAIN, "S", 0);
}

Test(triage_limits, other_programs_are_seen_without_kernel_threads)
{
    for (int i = 0; i < 20; i++) {
        make_alone(10000 + 30000 * i, i);
    }
    const struct dj_triage_result *result = made_triage(NULL);
    const struct dj_triage_cause *wait = made_cause(result, DJ_CAUSE_RUNNABLE);
    cr_assert_not_null(wait);
    cr_expect_str_eq(wait->holder, "rival-1");
    cr_expect_not(has_limit(result, "other programs"));
}

Test(triage_limits, ticks_are_rejected)
{
    struct dj_error err = {0};
    made_raw("# clock: x86-tsc\n");
    make_section(1000, "frame 1", "layout", 2000);
    cr_expect_eq(made_triage_code(NULL, &err), DJ_E_NO_DATA);
    cr_expect(strstr(err.message, "ticks of x86-tsc") != NULL, "%s", err.message);
}

Test(triage_limits, without_wake_ups_sections_name_waits)
{
    make_unwoken_frame("something");
    const struct dj_triage_result *result = made_triage(NULL);
    cr_assert_eq(result->cause_count, 1);
    cr_expect_eq(result->causes[0].kind, DJ_CAUSE_SLEEP);
    cr_expect(result->causes[0].evidence[0].reason_unknown);
    cr_expect_str_eq(result->causes[0].name, "something");
    cr_expect(has_limit(result, "other waits count as sleep"));
}

Test(triage_limits, without_wake_ups_other_programs_can_be_seen)
{
    make_unwoken_frame("lock db");
    made_switch(30000, 1, 0, "R", KERNEL);
    made_switch(30010, 1, KERNEL, "S", 0);
    const struct dj_triage_result *result = made_triage(NULL);
    cr_assert_eq(result->cause_count, 1);
    cr_expect_eq(result->causes[0].kind, DJ_CAUSE_LOCK);
    cr_expect_str_eq(result->causes[0].holder, "");
    cr_expect(
        has_limit(result, "no wake-ups: waits for locks are known, but not the holders"));
    cr_expect_not(has_limit(result, "unprivileged"));
}

/* A trace of only the program's own threads shows when they ran, were preempted or
 * slept. */
Test(triage_limits, own_threads_show_work_sleeps_and_cpu_waits)
{
    made_switch(990, 0, 0, "R", MAIN);
    made_begin(1000, 0, MAIN, "frame 1");
    made_begin(1000, 0, MAIN, "layout");
    made_switch(9000, 0, MAIN, "R", 0);
    made_switch(14000, 0, 0, "R", MAIN);
    made_switch(15000, 0, MAIN, "S", 0);
    made_switch(31000, 0, 0, "R", MAIN);
    made_end(32000, 0, MAIN);
    made_end(32000, 0, MAIN);
    const struct dj_triage_result *result = made_triage(NULL);
    const struct dj_triage_cause *work = made_cause(result, DJ_CAUSE_OWN_WORK);
    const struct dj_triage_cause *ready = made_cause(result, DJ_CAUSE_RUNNABLE);
    const struct dj_triage_cause *sleep = made_cause(result, DJ_CAUSE_SLEEP);
    cr_assert(work != NULL && ready != NULL && sleep != NULL);
    cr_expect_eq(work->ns, 10000000);
    cr_expect_eq(ready->ns, 5000000);
    cr_expect_str_eq(ready->holder, "");
    cr_expect_eq(sleep->ns, 16000000);
    cr_expect_str_eq(sleep->name, "layout");
    cr_expect_eq(result->unexplained_ns, 0);
    cr_expect(has_limit(result, "no threads of other programs"));
}

Test(triage_limits, a_wait_of_unknown_reason_is_unexplained)
{
    make_unwoken_frame("something");
    made_switch(30000, 1, 0, "R", WORKER);
    made_wake(30001, 1, WORKER, HOLDER);
    const struct dj_triage_result *result = made_triage(NULL);
    cr_expect_eq(result->cause_count, 0);
    cr_expect_eq(result->unexplained_ns, 27900000);
}

static int lose_events(int at, int number)
{
    if (number == 7) {
        made_line(at + 5000, 1, KERNEL, ".....", "workqueue_execute_end: x");
        made_raw("CPU:0 [LOST 13 EVENTS]\n");
    }
    return at + 18000;
}

Test(triage_limits, frames_with_lost_events_are_not_analysed)
{
    made_frames(20, lose_events);
    const struct dj_triage_result *result = made_triage(NULL);
    cr_expect_eq(result->janky, 4);
    cr_expect_eq(result->incomplete, 1);
    cr_assert_eq(result->cause_count, 1);
    cr_expect_eq(result->causes[0].frames, 3);
    cr_expect(has_limit(result,
                        "1 frame has lost or unrecorded events: its causes are unknown"));
}

/* A capture around one janky frame contains the app's sections for the whole time, but
 * thread states only during that frame. */
Test(triage_limits, frames_outside_of_the_capture_are_not_analysed)
{
    for (int i = 0; i < 3; i++) {
        int at = 1000 + i * 100000;
        made_begin(at, 0, MAIN, "frame");
        if (i == 1) {
            made_raw("CPU:1 [LOST 13 EVENTS]\n");
            made_switch(at + 1, 1, 0, "R", RIVAL);
            made_switch(at + 24999, 1, RIVAL, "S", 0);
        }
        made_end(at + 25000, 0, MAIN);
    }
    const struct dj_triage_result *result = made_triage(NULL);
    cr_expect_eq(result->janky, 3);
    cr_expect_eq(result->incomplete, 2);
    cr_expect(has_limit(result, "2 frames have lost or unrecorded events"));
}

Test(triage_limits, no_frames_is_an_error_that_lists_slices)
{
    struct dj_error err = {0};
    make_section(1000, "turn 1", "layout", 2000);
    cr_expect_eq(made_triage_code(NULL, &err), DJ_E_NO_DATA);
    cr_expect_not_null(strstr(err.message, "--frames"));
    cr_expect_not_null(strstr(err.message, "turn"));
    cr_expect_eq(made_triage_code("step*", &err), DJ_E_NO_DATA);
    cr_expect_not_null(strstr(err.message, "step*"));
    cr_expect_eq(made_triage_code("turn*", &err), 0);
}

Test(triage_limits, async_slices_are_not_listed)
{
    struct dj_error err = {0};
    made_line(1000, 0, MAIN, ".....", "tracing_mark_write: S|100|turn|1");
    made_line(3000, 0, MAIN, ".....", "tracing_mark_write: F|100|turn|1");
    cr_expect_eq(made_triage_code("step*", &err), DJ_E_NO_DATA);
    cr_expect_not_null(strstr(err.message, "no slices that could be frames"));
}
