/* Tests of traces that do not mark interrupts or do not name processes. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "made_trace.h"

static void plain(void)
{
    made_plain = true;
}

TestSuite(missing_flags, .init = plain, .fini = made_clear);

enum { WAIT_US = 18000 };

static bool has_limit(const struct dj_triage_result *result, const char *words)
{
    for (size_t i = 0; i < result->limit_count; i++) {
        if (strstr(result->limits[i].text, words) != NULL) {
            return true;
        }
    }
    return false;
}

/* MAIN sleeps in a section until the thread that runs on CPU 1 wakes it. */
static int sleep_until(int at, const char *section, int waker)
{
    made_begin(at, 0, MAIN, section);
    made_switch(at + 100, 0, MAIN, "S", 0);
    made_wake(at + WAIT_US, 1, waker, MAIN);
    made_switch(at + WAIT_US + 10, 0, 0, "R", MAIN);
    made_end(at + WAIT_US + 20, 0, MAIN);
    return at + WAIT_US + 20;
}

static int sleep_next_to_a_rival(int at, int number)
{
    (void)number;
    made_switch(at + 50, 1, 0, "R", RIVAL);
    int end = sleep_until(at, "pace", RIVAL);
    made_switch(end - 5, 1, RIVAL, "S", 0);
    return end;
}

Test(missing_flags, a_thread_that_was_not_called_does_not_answer)
{
    made_frames(20, sleep_next_to_a_rival);
    const struct dj_triage_result *result = made_triage(NULL);
    cr_expect_null(made_cause(result, DJ_CAUSE_IPC));
    cr_expect(result->unexplained_ns > 4 * 17800000LL);
    cr_expect(has_limit(result, "is unexplained unless that thread had been called "
                                "(hrtimer_start events would show timers)"));
}

static const char *expires;

static int sleep_for_a_time(int at, int number)
{
    char event[160];
    snprintf(event, sizeof(event),
             "hrtimer_start: hrtimer=00000000a1b2c3d4 function=hrtimer_wakeup "
             "expires=%s softexpires=%s mode=ABS",
             expires, expires);
    made_line(at + 90, 0, MAIN, ".....", event);
    return sleep_next_to_a_rival(at, number);
}

/* The timer uses CLOCK_REALTIME. */
Test(missing_flags, a_timer_of_another_clock_may_have_ended_the_sleep)
{
    expires = "1790000000000000000";
    made_frames(20, sleep_for_a_time);
    const struct dj_triage_result *result = made_triage(NULL);
    const struct dj_triage_cause *sleep = made_cause(result, DJ_CAUSE_SLEEP);
    cr_assert_not_null(sleep);
    cr_expect_str_eq(sleep->name, "pace");
    cr_expect_eq(sleep->saved_frames, 4);
    cr_expect_null(made_cause(result, DJ_CAUSE_LATE_WAKE));
    cr_expect_eq(result->unexplained_ns, 0);
}

/* A timeout of a minute did not end a sleep of 18 ms. */
Test(missing_flags, a_timer_that_was_not_due_did_not_end_the_sleep)
{
    expires = "60000000000";
    made_frames(20, sleep_for_a_time);
    const struct dj_triage_result *result = made_triage(NULL);
    cr_expect_null(made_cause(result, DJ_CAUSE_SLEEP));
    cr_expect(result->unexplained_ns > 4 * 17800000LL);
}

static int ask_by_way_of_a_bus(int at, int number)
{
    (void)number;
    made_wake(at + 10, 0, MAIN, BUS);
    made_switch(at + 20, 1, 0, "R", BUS);
    made_wake(at + 30, 1, BUS, PEER);
    made_switch(at + 40, 1, BUS, "S", PEER);
    int end = sleep_until(at, "query", PEER);
    made_switch(end - 5, 1, PEER, "S", 0);
    return end;
}

Test(missing_flags, a_called_thread_answers)
{
    made_frames(20, ask_by_way_of_a_bus);
    const struct dj_triage_cause *answer = made_cause(made_triage(NULL), DJ_CAUSE_IPC);
    cr_assert_not_null(answer);
    cr_expect_str_eq(answer->name, "query");
    cr_expect_str_eq(answer->holder, "peer");
    cr_expect_eq(answer->saved_frames, 4);
}

/* Name of the section in which MAIN waits for HOLDER ("keeper"). MAIN seems to wake
 * HOLDER, because HOLDER's timer expires while MAIN runs. */
static const char *lock_section;

static int wait_for_keeper(int at, int number)
{
    (void)number;
    made_wake(at - 30, 0, MAIN, HOLDER);
    made_switch(at - 20, 1, 0, "R", HOLDER);
    int end = sleep_until(at, lock_section, HOLDER);
    made_switch(end - 5, 1, HOLDER, "S", 0);
    return end;
}

Test(missing_flags, a_section_named_after_a_lock_is_a_lock)
{
    lock_section = "lock db";
    made_frames(20, wait_for_keeper);
    const struct dj_triage_cause *lock = made_cause(made_triage(NULL), DJ_CAUSE_LOCK);
    cr_assert_not_null(lock);
    cr_expect_str_eq(lock->name, "lock db");
    cr_expect_str_eq(lock->holder, "keeper");
    cr_expect(lock->holder_ran_ns > 4 * 17000000LL);
}

Test(missing_flags, processes_guessed_from_ids_are_reported)
{
    lock_section = "join";
    made_frames(20, wait_for_keeper);
    const struct dj_triage_result *result = made_triage(NULL);
    cr_expect_not_null(made_cause(result, DJ_CAUSE_OWN_WORK));
    cr_expect(has_limit(result, "attributed to the app because of its id"));
    made_clear();
    made_frames(20, wait_for_keeper);
    cr_expect_not(
        has_limit(made_triage(NULL), "attributed to the app because of its id"));
}
