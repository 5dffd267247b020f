#include "measure/run/budget.h"

/* Returns the number of anomalous runs from which on the whole batch is anomalous: half
 * of the runs. Returns 0 for a batch of one run, which is never anomalous. */
static int64_t compute_half(const struct dj_run_budget *budget)
{
    return budget->runs > 1 ? (budget->runs + 1) / 2 : 0;
}

bool dj_run_budget_allows_repeat(const struct dj_run_budget *budget)
{
    return !budget->is_repeat &&
           budget->starts + budget->runs <= DJ_STARTS_PER_RUN * budget->runs;
}

bool dj_run_budget_allows_retry(const struct dj_run_budget *budget, int64_t left)
{
    bool is_reserved = budget->retries < budget->runs - compute_half(budget) ||
                       !dj_run_budget_allows_repeat(budget);
    return is_reserved && budget->starts + left < DJ_STARTS_PER_RUN * budget->runs;
}

bool dj_run_budget_is_anomalous(const struct dj_run_budget *budget)
{
    return budget->runs > 1 && budget->anomalous >= compute_half(budget);
}

void dj_run_budget_begin_repeat(struct dj_run_budget *budget)
{
    budget->is_repeat = true;
    budget->anomalous = budget->retries = 0;
}
