#include <criterion/criterion.h>

#include "recorder/waits.h"

#define MS INT64_C(1000000)

/* Stack addresses. The functions that the loop calls have lower addresses than the
 * loop. */
enum { LOOP = 100000, SAME_LOOP = LOOP - 150, DEEPER = LOOP - 4000 };

/* Makes a frame of a loop: a wait from `sleep` to `wake`, and then a swap that returns
 * at `leave`. Returns the start of the frame. */
static int64_t make_frame(struct dj_waits *waits, int64_t sleep, int64_t wake,
                          int64_t leave)
{
    dj_waits_end_wait(waits, sleep, wake, LOOP);
    int64_t start = dj_waits_begin_frame(waits, 1);
    dj_waits_end_frame(waits, leave);
    return start;
}

Test(waits, a_frame_starts_when_the_loop_woke)
{
    struct dj_waits waits = {0};
    cr_assert_eq(make_frame(&waits, 2 * MS, 16 * MS, 26 * MS), 16 * MS);
    cr_assert_eq(make_frame(&waits, 26 * MS, 33 * MS, 43 * MS), 33 * MS);
}

Test(waits, without_a_wait_a_frame_starts_when_the_last_swap_returned)
{
    struct dj_waits waits = {0};
    make_frame(&waits, 2 * MS, 16 * MS, 26 * MS);
    cr_assert_eq(dj_waits_begin_frame(&waits, 1), 26 * MS);
    dj_waits_end_frame(&waits, 36 * MS);
    cr_assert_eq(dj_waits_begin_frame(&waits, 1), 36 * MS);
}

Test(waits, a_first_frame_without_a_wait_starts_at_the_given_time)
{
    struct dj_waits waits = {0};
    cr_assert_eq(dj_waits_begin_frame(&waits, 7 * MS), 7 * MS);
}

Test(waits, idle_time_belongs_to_no_frame)
{
    struct dj_waits waits = {0};
    make_frame(&waits, 2 * MS, 16 * MS, 26 * MS);
    cr_assert_eq(make_frame(&waits, 26 * MS, 5026 * MS, 5036 * MS), 5026 * MS);
}

Test(waits, pauses_up_to_100_us_are_no_waits)
{
    struct dj_waits waits = {0};
    make_frame(&waits, 2 * MS, 16 * MS, 26 * MS);
    dj_waits_end_wait(&waits, 30 * MS, 30 * MS + 100000, LOOP);
    cr_assert_eq(dj_waits_begin_frame(&waits, 1), 26 * MS);
    dj_waits_end_frame(&waits, 40 * MS);
    dj_waits_end_wait(&waits, 45 * MS, 45 * MS + 100001, LOOP);
    cr_assert_eq(dj_waits_begin_frame(&waits, 1), 45 * MS + 100001);
}

Test(waits, a_deeper_wait_starts_no_frame)
{
    struct dj_waits waits = {0};
    make_frame(&waits, 2 * MS, 16 * MS, 26 * MS);
    dj_waits_end_wait(&waits, 26 * MS, 33 * MS, LOOP);
    dj_waits_end_wait(&waits, 41 * MS, 44 * MS, DEEPER);
    cr_assert_eq(dj_waits_begin_frame(&waits, 1), 33 * MS);
}

Test(waits, waits_of_one_loop_may_differ_a_little_in_depth)
{
    struct dj_waits waits = {0};
    make_frame(&waits, 2 * MS, 16 * MS, 26 * MS);
    make_frame(&waits, 26 * MS, 33 * MS, 43 * MS);
    dj_waits_end_wait(&waits, 43 * MS, 60 * MS, SAME_LOOP);
    cr_assert_eq(dj_waits_begin_frame(&waits, 1), 60 * MS);
}

Test(waits, a_loop_that_moved_deeper_is_recognised_within_two_epochs)
{
    struct dj_waits waits = {0};
    make_frame(&waits, 2 * MS, 16 * MS, 26 * MS);
    make_frame(&waits, 26 * MS, 36 * MS, 46 * MS);
    int64_t now = 46 * MS;
    int64_t start = 0;
    for (int i = 0; i < 121; i++) {
        dj_waits_end_wait(&waits, now, now + 6 * MS, DEEPER);
        start = dj_waits_begin_frame(&waits, 1);
        now += 16 * MS;
        dj_waits_end_frame(&waits, now);
    }
    cr_assert_eq(start, now - 10 * MS, "the deep wait is taken for the loop's by then");
}

Test(waits, waits_of_start_up_do_not_define_the_loop)
{
    struct dj_waits waits = {0};
    dj_waits_end_wait(&waits, 1 * MS, 900 * MS,
                      LOOP + 5000); /* A splash screen that sleeps in main(). */
    dj_waits_begin_frame(&waits, 1);
    dj_waits_end_frame(&waits, 950 * MS);
    cr_assert_eq(make_frame(&waits, 950 * MS, 960 * MS, 970 * MS), 960 * MS);
}

Test(waits, a_wait_for_the_next_event_counts_at_any_depth)
{
    struct dj_waits waits = {0};
    make_frame(&waits, 2 * MS, 16 * MS, 26 * MS);
    make_frame(&waits, 26 * MS, 33 * MS, 43 * MS);
    dj_waits_end_event_wait(&waits, 43 * MS, 5000 * MS);
    cr_assert_eq(dj_waits_begin_frame(&waits, 1), 5000 * MS);
}

Test(waits, a_short_wait_for_an_event_does_not_count)
{
    struct dj_waits waits = {0};
    make_frame(&waits, 2 * MS, 16 * MS, 26 * MS);
    dj_waits_end_event_wait(&waits, 30 * MS, 30 * MS + 50000);
    cr_assert_eq(dj_waits_begin_frame(&waits, 1), 26 * MS);
}

/* Two threads: `main` works and wakes `render`, which swaps. */
struct pair {
    struct dj_waits main, render;
    int work, done; /* Objects that the threads wait on. Only the addresses matter. */
};

static int64_t make_threaded_frame(struct pair *pair, int64_t main_woke_at,
                                   int64_t woken_at, int64_t swapped_at)
{
    dj_waits_end_wait(&pair->main, main_woke_at - 5 * MS, main_woke_at, LOOP);
    dj_waits_note_waking(&pair->main, &pair->work, woken_at);
    dj_waits_note_woken(&pair->render, &pair->work, woken_at - 8 * MS, woken_at + 20000,
                        LOOP);
    int64_t start = dj_waits_begin_frame(&pair->render, 1);
    dj_waits_end_frame(&pair->render, swapped_at);
    dj_waits_note_waking(&pair->render, &pair->done, swapped_at);
    dj_waits_note_woken(&pair->main, &pair->done, woken_at, swapped_at + 20000, LOOP);
    return start;
}

Test(waits, a_frame_starts_when_the_waking_thread_woke)
{
    struct pair pair = {0};
    make_threaded_frame(&pair, 16 * MS, 24 * MS, 26 * MS);
    cr_assert_eq(make_threaded_frame(&pair, 33 * MS, 41 * MS, 43 * MS), 33 * MS);
    cr_assert_eq(make_threaded_frame(&pair, 50 * MS, 58 * MS, 60 * MS), 50 * MS);
}

Test(waits, a_short_wait_for_the_waking_thread_counts)
{
    struct pair pair = {0};
    make_threaded_frame(&pair, 16 * MS, 24 * MS, 26 * MS);
    dj_waits_end_wait(&pair.main, 26 * MS, 33 * MS, LOOP);
    dj_waits_note_waking(&pair.main, &pair.work, 41 * MS);
    dj_waits_note_woken(&pair.render, &pair.work, 41 * MS - 10, 41 * MS + 10, LOOP);
    cr_assert_eq(dj_waits_begin_frame(&pair.render, 1), 33 * MS);
}

Test(waits, a_waking_thread_without_waits_leaves_the_start_at_the_last_swap)
{
    struct pair pair = {0};
    int64_t now = 0;
    for (int i = 0; i < 3; i++) {
        dj_waits_note_waking(&pair.main, &pair.work, now + 8 * MS);
        dj_waits_note_woken(&pair.render, &pair.work, now + 1, now + 8 * MS + 10, LOOP);
        int64_t start = dj_waits_begin_frame(&pair.render, 1);
        if (i > 0) {
            cr_assert_eq(start, now);
        }
        now += 9 * MS;
        dj_waits_end_frame(&pair.render, now);
        dj_waits_note_waking(&pair.render, &pair.done, now);
        dj_waits_note_woken(&pair.main, &pair.done, now - MS, now + 10, LOOP);
    }
}

Test(waits, a_frame_may_start_before_the_last_swap_returned)
{
    struct pair pair = {0};
    make_threaded_frame(&pair, 16 * MS, 24 * MS, 40 * MS);
    dj_waits_end_wait(&pair.main, 25 * MS, 33 * MS, LOOP);
    dj_waits_note_waking(&pair.main, &pair.work, 45 * MS);
    dj_waits_note_woken(&pair.render, &pair.work, 40 * MS, 45 * MS + 10, LOOP);
    cr_assert_eq(dj_waits_begin_frame(&pair.render, 1), 33 * MS);
}

Test(waits, a_helpers_answer_starts_no_frame)
{
    struct dj_waits render = {0}, helper = {0};
    int job = 0, answer = 0;
    make_frame(&render, 2 * MS, 16 * MS, 26 * MS);
    dj_waits_end_wait(&render, 26 * MS, 33 * MS, LOOP);
    dj_waits_note_waking(&render, &job, 35 * MS);
    dj_waits_note_woken(&helper, &job, 20 * MS, 35 * MS + 10, LOOP);
    dj_waits_note_waking(&helper, &answer, 38 * MS);
    dj_waits_note_woken(&render, &answer, 35 * MS, 38 * MS + 10, LOOP);
    cr_assert_eq(dj_waits_begin_frame(&render, 1), 33 * MS);
}

Test(waits, a_wait_after_an_old_wake_up_is_an_ordinary_wait)
{
    struct dj_waits waits = {0}, other = {0};
    int object = 0;
    make_frame(&waits, 2 * MS, 16 * MS, 26 * MS);
    dj_waits_note_waking(&other, &object, 20 * MS);
    dj_waits_note_woken(&waits, &object, 26 * MS, 40 * MS, LOOP);
    cr_assert_eq(dj_waits_begin_frame(&waits, 1), 40 * MS);
}

Test(waits, a_swap_that_waited_sets_the_depth_of_the_loop)
{
    struct dj_waits waits = {0};
    make_frame(&waits, 2 * MS, 16 * MS, 26 * MS);
    dj_waits_begin_frame(&waits, 1);
    dj_recorder_waits_swap_waited(&waits, 8 * MS, LOOP);
    dj_waits_end_frame(&waits, 43 * MS);
    dj_waits_end_wait(&waits, 51 * MS, 54 * MS, DEEPER);
    cr_assert_eq(dj_waits_begin_frame(&waits, 1), 43 * MS,
                 "the wait was deeper than the swap");
}

Test(waits, a_swap_that_hardly_waited_does_not_set_the_depth)
{
    struct dj_waits waits = {0};
    dj_waits_begin_frame(&waits, 1);
    dj_waits_end_frame(&waits, 10 * MS);
    dj_recorder_waits_swap_waited(&waits, MS, LOOP);
    dj_waits_end_wait(&waits, 10 * MS, 16 * MS, DEEPER);
    cr_assert_eq(dj_waits_begin_frame(&waits, 1), 16 * MS);
}

Test(waits, the_reply_to_a_request_starts_no_frame)
{
    struct dj_waits waits = {0};
    int descriptor = 0;
    make_frame(&waits, 2 * MS, 16 * MS, 26 * MS);
    dj_waits_end_wait(&waits, 26 * MS, 33 * MS, LOOP);
    dj_waits_note_waking(&waits, &descriptor, 41 * MS);
    cr_assert(dj_waits_is_affected(&waits, &descriptor, false));
    dj_waits_note_woken(&waits, &descriptor, 41 * MS, 44 * MS, LOOP);
    cr_assert_eq(dj_waits_begin_frame(&waits, 1), 33 * MS);
    dj_waits_end_frame(&waits, 46 * MS);
    cr_assert_not(dj_waits_is_affected(&waits, &descriptor, true),
                  "one request has one reply");
    dj_waits_note_woken(&waits, &descriptor, 46 * MS, 50 * MS, LOOP);
    cr_assert_eq(dj_waits_begin_frame(&waits, 1), 50 * MS);
}

Test(waits, another_threads_wake_up_affects_only_a_wait_for_nothing_else)
{
    struct dj_waits loop = {0}, worker = {0};
    int descriptor = 0;
    dj_waits_note_waking(&worker, &descriptor, 5 * MS);
    cr_assert(dj_waits_is_affected(&loop, &descriptor, true));
    cr_assert_not(dj_waits_is_affected(&loop, &descriptor, false));
}

Test(waits, a_reported_nested_loop_sets_the_depth_at_once)
{
    struct dj_waits waits = {0};
    make_frame(&waits, 2 * MS, 16 * MS, 26 * MS);
    make_frame(&waits, 26 * MS, 33 * MS, 43 * MS);
    dj_waits_end_wait(&waits, 43 * MS, 900 * MS, DEEPER);
    dj_recorder_waits_loop_moved(&waits);
    cr_assert_eq(dj_waits_begin_frame(&waits, 1), 900 * MS);
    dj_waits_end_frame(&waits, 910 * MS);
    dj_waits_end_wait(&waits, 910 * MS, 1900 * MS, DEEPER);
    cr_assert_eq(dj_waits_begin_frame(&waits, 1), 1900 * MS, "later frames too");
    dj_waits_end_frame(&waits, 1910 * MS);
    dj_recorder_waits_loop_moved(&waits);
    cr_assert_eq(make_frame(&waits, 1910 * MS, 2900 * MS, 2910 * MS), 2900 * MS,
                 "after the nested loop ended");
}

Test(waits, a_nested_loop_without_waits_changes_nothing)
{
    struct dj_waits waits = {0};
    make_frame(&waits, 2 * MS, 16 * MS, 26 * MS);
    dj_recorder_waits_loop_moved(&waits);
    cr_assert_eq(dj_waits_begin_frame(&waits, 1), 26 * MS);
}
