#include <criterion/criterion.h>

#include "recorder/claims.h"
#include "recorder/recorder.h"
#include "recorder/thread.h"

#define MS INT64_C(1000000)

enum { LOOP = 100000 };

Test(claims, work_before_a_rest_belongs_to_the_frame_and_the_rest_does_not)
{
    struct dj_claim claim = {0};
    cr_assert(dj_claim_begin(&claim, 10 * MS));
    dj_claim_add_rest(&claim, 22 * MS, 27 * MS);
    cr_assert_eq(dj_claim_end(&claim), 12 * MS);
}

Test(claims, all_work_until_the_frame_counts)
{
    struct dj_claim claim = {0};
    dj_claim_begin(&claim, 10 * MS);
    dj_claim_add_rest(&claim, 11 * MS, 15 * MS);
    dj_claim_add_rest(&claim, 45 * MS, 50 * MS);
    cr_assert_eq(dj_claim_end(&claim), 31 * MS);
    cr_assert_eq(dj_claim_end(&claim), 0);
}

Test(claims, work_without_a_claim_does_not_count)
{
    struct dj_claim claim = {0};
    dj_claim_add_rest(&claim, 22 * MS, 27 * MS);
    cr_assert_eq(dj_claim_end(&claim), 0);
}

Test(claims, the_first_of_several_claims_stays)
{
    struct dj_claim claim = {0};
    dj_claim_begin(&claim, 10 * MS);
    dj_claim_add_rest(&claim, 12 * MS, 20 * MS);
    cr_assert_not(dj_claim_begin(&claim, 20 * MS));
    cr_assert_eq(dj_claim_end(&claim), 2 * MS);
    cr_assert(dj_claim_begin(&claim, 30 * MS));
}

Test(claims, long_rests_end_a_claim)
{
    struct dj_claim claim = {0};
    dj_claim_begin(&claim, 10 * MS);
    dj_claim_add_rest(&claim, 12 * MS, 200 * MS);
    dj_claim_add_rest(&claim, 230 * MS, 300 * MS);
    cr_assert_eq(dj_claim_end(&claim), 0);
}

Test(claims, long_work_without_a_rest_stays_claimed)
{
    struct dj_claim claim = {0};
    dj_claim_begin(&claim, 10 * MS);
    dj_claim_add_rest(&claim, 5010 * MS, 5015 * MS);
    cr_assert_eq(dj_claim_end(&claim), 5000 * MS);
}

/* The tests below claim the work of the calling thread. */

Test(claims, a_claim_starts_when_the_loop_woke)
{
    dj_recorder_thread.waits.woke_ns = 16 * MS;
    cr_assert(dj_recorder_claim_work(0));
    cr_assert_eq(dj_recorder_thread.claim.working_ns, 16 * MS);
}

Test(claims, a_claim_starts_at_the_latest_time)
{
    dj_recorder_thread.waits.woke_ns = 16 * MS;
    cr_assert(dj_recorder_claim_work(20 * MS));
    cr_assert_eq(dj_recorder_thread.claim.working_ns, 20 * MS);
}

Test(claims, a_transfer_returns_the_work_and_ends_the_claim)
{
    dj_recorder_thread.waits.woke_ns = 16 * MS;
    dj_recorder_claim_work(0);
    dj_claim_add_rest(&dj_recorder_thread.claim, 28 * MS, 33 * MS);
    dj_recorder_thread.waits.woke_ns = 33 * MS;
    struct dj_frame_transfer made = dj_recorder_transfer_frame();
    cr_assert(made.claimed);
    cr_assert_eq(made.woke_ns, 33 * MS);
    cr_assert_eq(made.worked_ns, 12 * MS);
    cr_assert_not(dj_recorder_thread.waits.swaps,
                  "a thread that only transfers presents nothing");
    made = dj_recorder_transfer_frame();
    cr_assert_not(made.claimed);
    cr_assert_eq(made.worked_ns, 0);
    cr_assert_gt(made.woke_ns, 33 * MS, "the next work starts where this work ended");
}

Test(claims, only_a_wait_of_the_loop_is_a_rest)
{
    int64_t now_ns = dj_recorder_clock_ns();
    dj_recorder_end_poll(now_ns - 5 * MS, LOOP); /* LOOP is the stack address of the
                                                  * loop. */
    dj_recorder_claim_work(0);
    int64_t before_ns = dj_recorder_thread.claim.rested_ns;
    dj_recorder_end_poll(dj_recorder_clock_ns() - 2 * MS, LOOP - 4000);
    cr_assert_eq(dj_recorder_thread.claim.rested_ns, before_ns);
    dj_recorder_end_poll(dj_recorder_clock_ns() - 2 * MS, LOOP);
    cr_assert_geq(dj_recorder_thread.claim.rested_ns, before_ns + 2 * MS);
}

Test(claims, a_wait_before_the_swap_is_part_of_the_swap)
{
    int64_t begin_ns = dj_recorder_clock_ns() - 7 * MS;
    dj_recorder_add_wait_before_swap(begin_ns);
    cr_assert_eq(dj_recorder_thread.frame.entry_ns, begin_ns);
    cr_assert_geq(dj_recorder_thread.frame.waited_ns, 7 * MS);
}
