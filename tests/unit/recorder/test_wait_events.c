#include <criterion/criterion.h>
#include <pthread.h>

#include "recorder/recorder.h"
#include "recorder/thread.h"

#define MS INT64_C(1000000)

enum { LOOP = 100000 }; /* Stack address of the event loop. */

/* The objects are adjacent, so that they never share a slot of the wake table. */
static const int64_t objects[2];
static const int64_t *const object = objects, *const other = objects + 1;

TestSuite(wait_events, .timeout = 60);

/* A thread that wakes the threads waiting on `object`, after its own loop woke. */
static void *wake_waiters(void *woke_ns)
{
    dj_recorder_end_poll(dj_recorder_clock_ns() - 20 * MS, LOOP);
    *(int64_t *)woke_ns = dj_recorder_thread.waits.woke_ns;
    dj_recorder_note_wake_up(object);
    return NULL;
}

/* Returns the time at which the other thread's loop woke. */
static int64_t wake_by_other_thread(void)
{
    pthread_t thread;
    int64_t woke_ns = 0;
    cr_assert_eq(pthread_create(&thread, NULL, wake_waiters, &woke_ns), 0);
    pthread_join(thread, NULL);
    return woke_ns;
}

static void pass_time(int64_t length_ns)
{
    int64_t end_ns = dj_recorder_clock_ns() + length_ns;
    while (dj_recorder_clock_ns() <= end_ns) {
    }
}

Test(wait_events, a_frame_starts_when_the_waking_thread_woke)
{
    int64_t begin_ns = dj_recorder_begin_wait(object);
    int64_t woke_ns = wake_by_other_thread();
    dj_recorder_end_wait(object, true, begin_ns, LOOP);
    cr_assert_eq(dj_waits_begin_frame(&dj_recorder_thread.waits, 1), woke_ns);
}

Test(wait_events, a_wait_that_times_out_removes_only_its_own_waiter)
{
    int64_t first_ns = dj_recorder_begin_wait(object);
    int64_t second_ns = dj_recorder_begin_wait(object);
    dj_recorder_end_wait(object, false, second_ns, LOOP); /* This wait timed out. */
    int64_t woke_ns = wake_by_other_thread();
    dj_recorder_end_wait(object, true, first_ns, LOOP);
    cr_assert_eq(dj_waits_begin_frame(&dj_recorder_thread.waits, 1), woke_ns);
}

Test(wait_events, a_signal_before_the_wait_is_ignored)
{
    int64_t woke_ns = wake_by_other_thread();
    int64_t begin_ns = dj_recorder_begin_wait(object);
    pass_time(1 * MS);
    dj_recorder_end_wait(object, true, begin_ns, LOOP);
    cr_assert_gt(dj_waits_begin_frame(&dj_recorder_thread.waits, 1), begin_ns);
    cr_assert_lt(woke_ns, begin_ns);
}

static bool is_recorded(void)
{
    return dj_waits_is_affected(&dj_recorder_thread.waits, object, true);
}

Test(wait_events, a_signal_is_recorded_only_if_a_thread_waits)
{
    dj_recorder_note_wake_up(object);
    cr_assert_not(is_recorded(), "no thread waits");
    int64_t begin_ns = dj_recorder_begin_wait(other);
    dj_recorder_note_wake_up(object);
    cr_assert_not(is_recorded(), "a thread waits on another object");
    dj_recorder_end_wait(other, true, begin_ns, LOOP);
    begin_ns = dj_recorder_begin_wait(object);
    dj_recorder_note_wake_up(object);
    cr_assert(is_recorded());
    dj_recorder_end_wait(object, true, begin_ns, LOOP);
}

Test(wait_events, a_wait_that_has_ended_removes_its_waiter)
{
    for (int is_woken = 0; is_woken < 2; is_woken++) {
        int64_t begin_ns = dj_recorder_begin_wait(object);
        dj_recorder_end_wait(object, is_woken, begin_ns, LOOP);
    }
    dj_recorder_note_wake_up(object);
    cr_assert_not(is_recorded());
}

static void check_that_no_wait_counts(void)
{
    cr_assert_eq(dj_recorder_begin_wait(object), 0);
    dj_recorder_note_wake_up(object);
    cr_assert_not(is_recorded());
    dj_recorder_end_wait(object, true, 0, LOOP);
    dj_recorder_end_wait(object, false, 0, LOOP);
    cr_assert_eq(dj_recorder_thread.waits.woke_ns, 0);
    cr_assert_eq(dj_recorder_thread.slept_ns, 0);
}

Test(wait_events, waits_inside_a_swap_or_request_have_no_effect)
{
    dj_recorder_thread.swap_depth = 1;
    check_that_no_wait_counts();
    dj_recorder_thread.swap_depth = 0;
    dj_recorder_thread.reply_depth = 1;
    check_that_no_wait_counts();
}

Test(wait_events, a_poll_inside_a_request_counts_only_inside_a_swap)
{
    dj_recorder_thread.reply_depth = 1;
    cr_assert_eq(dj_recorder_begin_poll(), 0);
    dj_recorder_end_poll(0, LOOP);
    dj_recorder_end_fd_poll(1, true, 0, LOOP);
    cr_assert_eq(dj_recorder_thread.waits.woke_ns, 0);
    dj_recorder_thread.swap_depth = 1;
    int64_t begin_ns = dj_recorder_begin_poll();
    pass_time(1 * MS);
    dj_recorder_end_fd_poll(1, true, begin_ns, LOOP);
    cr_assert_geq(dj_recorder_thread.swap_waited_ns, 1 * MS);
}

Test(wait_events, the_first_wait_sets_the_time_of_the_first_call)
{
    dj_recorder_thread.first_seen_ns = 0;
    dj_recorder_thread.reply_depth = 1;
    int64_t before_ns = dj_recorder_clock_ns();
    cr_assert_eq(dj_recorder_begin_poll(), 0);
    int64_t seen_ns = dj_recorder_thread.first_seen_ns;
    cr_assert(seen_ns >= before_ns && seen_ns <= dj_recorder_clock_ns());
    dj_recorder_begin_wait(object);
    cr_assert_eq(dj_recorder_thread.first_seen_ns, seen_ns);
}
