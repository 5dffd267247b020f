/* Limits how often the runs of one build are started in a flow. An anomalous run is
 * repeated. If half of the runs are anomalous, the whole batch is repeated once instead,
 * and the runs of the first batch are excluded. In total there are at most twice as many
 * starts as runs, without warm-ups. These functions are pure. */
#ifndef DEJANK_MEASURE_RUN_BUDGET_H
#define DEJANK_MEASURE_RUN_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

enum { DJ_STARTS_PER_RUN = 2 };

/* Set `runs` and initialize the rest with zero. */
struct dj_run_budget {
    int64_t runs;    /* Runs of one batch. */
    int64_t starts;  /* Starts in the first and the second batch. */
    int64_t retries; /* Starts that repeated a run of the current batch. */
    /* Runs of the current batch that were anomalous at their first start. */
    int64_t anomalous;
    bool is_repeat; /* The current batch is the second one. */
};

/* Returns whether a run may be started again. `left` is the number of further runs that
 * are still to be started. A first batch reserves enough starts for a second batch if
 * possible. */
bool dj_run_budget_allows_retry(const struct dj_run_budget *budget, int64_t left);

bool dj_run_budget_is_anomalous(const struct dj_run_budget *budget);

/* Returns whether a second batch is possible and enough starts remain for it. */
bool dj_run_budget_allows_repeat(const struct dj_run_budget *budget);

/* Begins the second batch. */
void dj_run_budget_begin_repeat(struct dj_run_budget *budget);

#endif
