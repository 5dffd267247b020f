/* Limits how often the runs of one build are started in a flow. An anomalous run is
 * repeated. If half of the runs are anomalous, the whole batch is repeated once instead.
 * The second batch then replaces the first one. All starts together, without warm-ups,
 * are at most twice the number of runs. The functions are pure. */
#ifndef DEJANK_MEASURE_RUN_BUDGET_H
#define DEJANK_MEASURE_RUN_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

enum { DJ_STARTS_PER_RUN = 2 };

/* Number of starts so far. Set `runs` and zero the other members. */
struct dj_run_budget {
    int64_t runs;   /* Number of runs of one batch. */
    int64_t starts; /* Number of starts in the first and in the second batch together. */
    /* Number of starts in the current batch that repeated an anomalous run. */
    int64_t retries;
    /* Number of runs of the current batch whose first attempt was anomalous. */
    int64_t anomalous;
    bool is_repeat; /* True if the current batch is the second one. */
};

/* Returns true if a run may be repeated. `left` is the number of later runs that will be
 * started. In the first batch, enough starts are reserved for a second batch, if
 * possible. */
bool dj_run_budget_allows_retry(const struct dj_run_budget *budget, int64_t left);

bool dj_run_budget_is_anomalous(const struct dj_run_budget *budget);

/* Returns true if the current batch is the first one and enough starts remain for a
 * second one. */
bool dj_run_budget_allows_repeat(const struct dj_run_budget *budget);

void dj_run_budget_begin_repeat(struct dj_run_budget *budget);

#endif
