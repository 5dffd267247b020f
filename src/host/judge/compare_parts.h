/* What a comparison is put together from. Private to compare*.c. */
#ifndef DEJANK_JUDGE_COMPARE_PARTS_H
#define DEJANK_JUDGE_COMPARE_PARTS_H

#include "judge/compare.h"

/* When a run was made, for putting runs in order: by the host's clock, else by its place
 * in batch or group, else by the device's clock. False: nobody knows of all runs. */
bool dj_order_of(const struct dj_side *side, double *when);

/* Fills metric->past of each from earlier batches of the segment that both sides are of.
 */
int dj_compare_past(struct dj_comparison *comparison, struct dj_history *history,
                    struct dj_error *err);

/* Fill their parts of the comparison. DJ_E_USAGE: alpha is too small for a level. */
int dj_compare_shift(struct dj_comparison *comparison);
void dj_compare_findings(struct dj_comparison *comparison);
void dj_compare_warn(struct dj_comparison *comparison);

#endif
