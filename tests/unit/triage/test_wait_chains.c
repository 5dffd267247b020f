/* Tests of waits for a thread that itself waits for a third thread. */
#include <criterion/criterion.h>

#include "made_trace.h"

TestSuite(triage_chains, .fini = made_clear);

enum { LONG = 20000 };

/* When HOLDER falls asleep (µs), which third thread wakes it, and which thread had woken
 * the third one (0 for a timer). */
static struct {
    int asleep_at, third, asked_by;
} chain;

static void begin_third(int at)
{
    if (chain.asked_by == 0) {
        made_wake_by_timer(at, 2, 0, chain.third);
    } else {
        made_wake(at, 0, chain.asked_by, chain.third);
    }
    made_switch(at + 10, 2, 0, "R", chain.third);
}

static int wait_for_keeper(int at, int number)
{
    (void)number;
    begin_third(at);
    made_wake_by_timer(at + 30, 1, 0, HOLDER);
    made_switch(at + 40, 1, 0, "R", HOLDER);
    if (chain.asleep_at < 400) {
        made_switch(at + chain.asleep_at, 1, HOLDER, "S", 0);
    }
    made_begin(at + 390, 0, MAIN, "save");
    made_switch(at + 400, 0, MAIN, "S", 0);
    if (chain.asleep_at > 400) {
        made_switch(at + chain.asleep_at, 1, HOLDER, "S", 0);
    }
    made_wake(at + LONG, 2, chain.third, HOLDER);
    made_switch(at + LONG + 10, 1, 0, "R", HOLDER);
    made_switch(at + LONG + 50, 2, chain.third, "S", 0);
    made_wake(at + LONG + 100, 1, HOLDER, MAIN);
    made_switch(at + LONG + 110, 0, 0, "R", MAIN);
    made_switch(at + LONG + 200, 1, HOLDER, "S", 0);
    made_end(at + LONG + 300, 0, MAIN);
    return at + LONG + 300;
}

static const struct dj_triage_cause *first(int asleep_at, int third, int asked_by)
{
    chain.asleep_at = asleep_at;
    chain.third = third;
    chain.asked_by = asked_by;
    made_frames(40, wait_for_keeper);
    const struct dj_triage_result *result = made_triage(NULL);
    cr_assert(result->cause_count > 0);
    cr_expect_eq(result->causes[0].saved_frames, 8);
    return &result->causes[0];
}

static void expect_lock_of_keeper(const struct dj_triage_cause *cause)
{
    cr_expect_eq(cause->kind, DJ_CAUSE_LOCK);
    cr_expect_str_eq(cause->name, "save");
    cr_expect_str_eq(cause->thread, "main");
    cr_expect_str_eq(cause->holder, "keeper");
    cr_expect(cause->holder_ran_ns > 8 * 19000000LL, "the third thread ran");
}

Test(triage_chains, a_holder_that_later_waits_is_still_the_holder)
{
    expect_lock_of_keeper(first(600, WORKER, 0));
}

Test(triage_chains, a_holder_that_already_waits_is_the_holder)
{
    expect_lock_of_keeper(first(200, WORKER, 0));
}

Test(triage_chains, a_thread_that_waits_for_another_process_is_no_holder)
{
    const struct dj_triage_cause *cause = first(200, PEER, 0);
    cr_expect_eq(cause->kind, DJ_CAUSE_IPC);
    cr_expect_str_eq(cause->holder, "peer");
}

Test(triage_chains, a_thread_that_waits_for_a_called_thread_is_no_holder)
{
    const struct dj_triage_cause *cause = first(200, WORKER, MAIN);
    cr_expect_eq(cause->kind, DJ_CAUSE_OWN_WORK);
    cr_expect_str_eq(cause->thread, "worker");
}
