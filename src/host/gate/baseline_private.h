/* Steps of choosing a baseline. */
#ifndef DEJANK_GATE_BASELINE_PRIVATE_H
#define DEJANK_GATE_BASELINE_PRIVATE_H

#include "gate/baseline.h"
#include "gate/commits.h"

struct dj_baseline_choice {
    const struct dj_catalogue *catalogue;
    const struct dj_cells_options *wish;
    struct dj_baseline_option baseline;
    struct dj_cells *cells;
    const struct dj_batch_row *candidate; /* its newest batch */
    const struct dj_batch_row *release;   /* of the last release */
    char commit[DJ_GATE_COMMIT_BYTES];    /* the merge base, or a commit near it */
    struct dj_text commits;               /* commits of the branch, one per line */
};

/* Returns whether the build has any identity that separates it from other builds. */
bool dj_gate_baseline_has_identity(const struct dj_batch_row *batch);

/* Returns whether both batches were measured interleaved. NULL is interleaved with
 * nothing. */
bool dj_gate_baseline_is_grouped(const struct dj_batch_row *a,
                                 const struct dj_batch_row *b);

/* Return whether a batch is of the candidate's build, of the baseline for `candidate`, or
 * of a wanted flow and device. */
bool dj_gate_baseline_is_candidate_batch(const struct dj_baseline_choice *choosing,
                                         const struct dj_batch_row *batch);
bool dj_gate_baseline_is_baseline_batch(const struct dj_baseline_choice *choosing,
                                        const struct dj_batch_row *batch,
                                        const struct dj_batch_row *candidate);
bool dj_gate_baseline_is_wanted(const struct dj_baseline_choice *choosing,
                                const struct dj_batch_row *batch);

/* Fill `choosing`. Errors as of dj_gate_cells_choose(). */
int dj_gate_baseline_find_candidate(struct dj_baseline_choice *choosing,
                                    struct dj_error *err);
int dj_gate_baseline_find(struct dj_baseline_choice *choosing, struct dj_error *err);

#endif
