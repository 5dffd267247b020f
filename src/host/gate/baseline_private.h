/* Functions that the files for choosing a baseline share. */
#ifndef DEJANK_GATE_BASELINE_PRIVATE_H
#define DEJANK_GATE_BASELINE_PRIVATE_H

#include "gate/baseline.h"
#include "gate/commits.h"

struct dj_baseline_choice {
    const struct dj_catalogue *catalogue;
    const struct dj_cells_options *wish;
    struct dj_baseline_option baseline;
    struct dj_cells *cells;
    const struct dj_batch_row *candidate; /* The newest batch of the candidate. */
    const struct dj_batch_row *release;   /* The newest batch of the last release. */
    /* The merge base, or the measured commit nearest to it. */
    char commit[DJ_GATE_COMMIT_BYTES];
    struct dj_text commits; /* The commits of the branch, one per line. */
};

/* Returns whether the batch's build has a version, commit or label that identifies it. */
bool dj_gate_baseline_has_identity(const struct dj_batch_row *batch);

/* Returns whether both batches were measured interleaved. If a batch is NULL, returns
 * false. */
bool dj_gate_baseline_is_grouped(const struct dj_batch_row *a,
                                 const struct dj_batch_row *b);

/* Returns whether the batch is of the candidate's build. */
bool dj_gate_baseline_is_candidate_batch(const struct dj_baseline_choice *choosing,
                                         const struct dj_batch_row *batch);

/* Returns whether `batch` is a baseline for the batch `candidate`. */
bool dj_gate_baseline_is_baseline_batch(const struct dj_baseline_choice *choosing,
                                        const struct dj_batch_row *batch,
                                        const struct dj_batch_row *candidate);

/* Returns whether the user wants the batch's flow and device. */
bool dj_gate_baseline_is_wanted(const struct dj_baseline_choice *choosing,
                                const struct dj_batch_row *batch);

/* Each of these functions fills members of `choosing`. They return the errors of
 * dj_gate_cells_choose(). */
int dj_gate_baseline_find_candidate(struct dj_baseline_choice *choosing,
                                    struct dj_error *err);
int dj_gate_baseline_find(struct dj_baseline_choice *choosing, struct dj_error *err);

#endif
