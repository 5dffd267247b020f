/*
 * How often the runs of one build are started in a flow. A run that was anomalous is
 * repeated. If half of the runs were, the batch is repeated once instead, and the runs of
 * the first batch are excluded. In total there are at most twice as many starts as runs,
 * warm-ups excluded. Pure.
 */
#ifndef DEJANK_MEASURE_RUN_BUDGET_H
#define DEJANK_MEASURE_RUN_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

enum { DJ_STARTS_PER_RUN = 2 };

/* Set `runs` and zero the rest. */
struct dj_run_budget {
    int64_t runs;      /* of the batch */
    int64_t starts;    /* of all its batches */
    int64_t retries;   /* of them: repetitions of a run in the current batch */
    int64_t anomalous; /* runs of the current batch whose first start was anomalous */
    bool is_repeat;    /* the current batch is the second one */
};

/* Whether a run may be started again, before `left` further runs are started at all. A
 * first batch keeps enough starts for a second one as long as that is possible. */
bool dj_run_budget_allows_retry(const struct dj_run_budget *budget, int64_t left);

bool dj_run_budget_is_anomalous(const struct dj_run_budget *budget);

/* Whether there is a second batch to come, and starts for it. */
bool dj_run_budget_allows_repeat(const struct dj_run_budget *budget);

/* The second batch begins. */
void dj_run_budget_begin_repeat(struct dj_run_budget *budget);

#endif
