/* What the batches of a `dejank run` gave, as its result on stdout: a line for each. */
#ifndef DEJANK_REPORT_RUN_SUMS_H
#define DEJANK_REPORT_RUN_SUMS_H

#include "measure/play.h"

enum { DJ_SUM_FIGURES = 3 };

/* One batch's clean runs of this process. */
struct dj_run_sum {
    char batch[DJ_STORE_ID_BYTES];
    size_t device;
    const struct dj_flow_plan *flow;
    const struct dj_build_plan *build;
    bool resumed, left_out;
    double *figures[DJ_SUM_FIGURES]; /* of each run; owned */
    size_t runs, attempts;
    size_t disturbed; /* of the runs */
};

/* Zero it, but for the plan. */
struct dj_run_sums {
    const struct dj_batch_plan *plan;
    struct dj_run_sum *sums;
    size_t count;
};

void dj_report_run_sums_add(struct dj_run_sums *sums, const struct dj_play_event *event);
void dj_report_run_sums_text(struct dj_text *text, const struct dj_run_sums *sums);
void dj_report_run_sums_finish(struct dj_run_sums *sums);

#endif
