#include "measure/run/budget.h"

#include <criterion/criterion.h>

struct played {
    int64_t starts, counted;
    bool repeated;
};

/* Plays a batch of one build as play_slots() in rig/flow.c does. Bit i of `anomalous`
 * says whether start i is anomalous. */
static bool play_batch(struct dj_run_budget *budget, int64_t retries, uint64_t anomalous,
                       struct played *played)
{
    played->counted = 0;
    for (int64_t run = 1; run <= budget->runs; run++) {
        for (int64_t number = 1;; number++) {
            bool is_anomalous = anomalous >> (budget->starts % 64) & 1;
            budget->starts++;
            budget->retries += number > 1;
            budget->anomalous += is_anomalous && number == 1;
            if (!is_anomalous || number > retries ||
                !dj_run_budget_allows_retry(budget, budget->runs - run)) {
                break;
            }
        }
        played->counted++;
        if (dj_run_budget_is_anomalous(budget) && dj_run_budget_allows_repeat(budget)) {
            return true;
        }
    }
    return false;
}

static struct played play(int64_t runs, int64_t retries, uint64_t anomalous)
{
    struct dj_run_budget budget = {.runs = runs};
    struct played played = {0};
    if (play_batch(&budget, retries, anomalous, &played)) {
        played.repeated = true;
        dj_run_budget_begin_repeat(&budget);
        cr_assert_not(play_batch(&budget, retries, anomalous, &played));
    }
    played.starts = budget.starts;
    return played;
}

Test(run_budget, all_runs_are_made_with_at_most_two_starts_each)
{
    uint64_t state = 88172645463325252ULL;
    for (int64_t runs = 1; runs <= 12; runs++) {
        for (int64_t retries = 0; retries <= 4; retries++) {
            for (int i = 0; i < 400; i++) {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                uint64_t anomalous = i == 0       ? UINT64_MAX
                                     : i % 2 == 0 ? state
                                                  : state & state >> 9;
                struct played played = play(runs, retries, anomalous);
                cr_assert_leq(played.starts, 2 * runs);
                cr_assert_eq(played.counted, runs);
            }
        }
    }
}

Test(run_budget, an_always_anomalous_device_uses_all_starts)
{
    struct played played = play(5, 2, UINT64_MAX);
    cr_assert(played.repeated);
    cr_assert_eq(played.starts, 10);
    cr_assert_eq(play(1, 2, UINT64_MAX).starts, 2);
    cr_assert_eq(play(10, 2, UINT64_MAX).starts, 20);
}

Test(run_budget, single_anomalies_are_retried)
{
    /* The first two starts, which are those of the first run, are anomalous. */
    struct played played = play(10, 2, 3);
    cr_assert_not(played.repeated);
    cr_assert_eq(played.starts, 12);
    cr_assert_eq(play(10, 2, 0).starts, 10);
}

/* The second and the third of three runs fail once, when the first batch can no longer be
 * repeated in full. */
Test(run_budget, a_late_failure_is_retried)
{
    struct played played = play(3, 2, 1 << 1 | 1 << 3);
    cr_assert_not(played.repeated);
    cr_assert_eq(played.starts, 5);
}
