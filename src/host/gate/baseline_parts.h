/* What the files that choose a baseline share. Private to them. */
#ifndef DEJANK_GATE_BASELINE_PARTS_H
#define DEJANK_GATE_BASELINE_PARTS_H

#include "gate/baseline.h"
#include "gate/commits.h"

struct dj_choosing {
    const struct dj_catalogue *catalogue;
    const struct dj_cells_wish *wish;
    struct dj_baseline_wish baseline;
    struct dj_cells *cells;
    const struct dj_batch_row *candidate; /* the newest of it */
    const struct dj_batch_row *release;   /* of the last one */
    char commit[DJ_COMMIT];               /* merge base, or near it */
    struct dj_text commits;               /* of the branch, a line each */
};

/* Something tells it from other builds. */
bool dj_choosing_has_identity(const struct dj_batch_row *batch);

/* Measured interleaved. NULL is with nothing. */
bool dj_choosing_is_grouped(const struct dj_batch_row *a, const struct dj_batch_row *b);

/* Whether a batch is of the candidate's build; of the baseline, as one for `candidate`;
 * of a flow and device that is wished. */
bool dj_choosing_is_candidates(const struct dj_choosing *choosing,
                               const struct dj_batch_row *batch);
bool dj_choosing_is_baselines(const struct dj_choosing *choosing,
                              const struct dj_batch_row *batch,
                              const struct dj_batch_row *candidate);
bool dj_choosing_is_wished(const struct dj_choosing *choosing,
                           const struct dj_batch_row *batch);

/* Fill what they find in. Errors as of dj_cells_choose(). */
int dj_choosing_find_candidate(struct dj_choosing *choosing, struct dj_error *err);
int dj_choosing_find_baseline(struct dj_choosing *choosing, struct dj_error *err);

#endif
