/* The result of `dejank run`: the usable runs of each batch, and the reasons why other
 * runs are not usable. */
#ifndef DEJANK_REPORT_RUN_SUMS_H
#define DEJANK_REPORT_RUN_SUMS_H

#include "measure/play.h"
#include "report/document.h"

enum { DJ_SUM_FIGURES = 3 };

/* The usable runs of one batch that this process has made. */
struct dj_run_sum {
    char batch[DJ_STORE_ID_BYTES];
    size_t device;
    const struct dj_flow_plan *flow;
    const struct dj_build_plan *build;
    bool resumed, left_out;
    /* For each figure, an array with one value per run. Owned by this struct. */
    double *figures[DJ_SUM_FIGURES];
    size_t runs, attempts;
    size_t disturbed; /* Number of runs that are usable but were disturbed. */
};

enum dj_run_fault {
    DJ_FAULT_FAILED,    /* The attempt gave no usable run. */
    DJ_FAULT_DISTURBED, /* The run is usable but was disturbed. */
    DJ_FAULT_REPEATED,  /* The run was disturbed, and another run replaces it. */
    DJ_FAULT_COUNT
};

/* Attempts of one batch with the same fault and the same cause. */
struct dj_run_cause {
    size_t sum; /* Index of the batch in `sums`. */
    enum dj_run_fault fault;
    char cause[32];    /* Name of the cause, such as "load" or "app crashed". */
    char example[200]; /* Details of the last of these attempts, or "". */
    size_t attempts;
};

/* The sums over the runs of a plan. Zero the struct before use, and set the plan. */
struct dj_run_sums {
    const struct dj_batch_plan *plan;
    struct dj_run_sum *sums;
    size_t count;
    struct dj_run_cause *causes;
    size_t cause_count;
};

void dj_report_run_sums_add(struct dj_run_sums *sums, const struct dj_play_event *event);
void dj_report_run_sums_finish(struct dj_run_sums *sums);

/* Builds the summary of all batches. `store` is the store that the user named, or NULL.
 * The commands in the document then name the store, too. */
void dj_report_build_run_sums(struct dj_document *document,
                              const struct dj_run_sums *sums,
                              const struct dj_play_result *result, const char *store);

#endif
