/* What a comparison is put together from. Private to compare*.c. */
#ifndef DEJANK_COMPARE_COMPARE_PARTS_H
#define DEJANK_COMPARE_COMPARE_PARTS_H

#include "compare/compare.h"

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

/* What speaks against trusting a comparison: each function adds its warnings, if there is
 * reason for any. */

/* Adds one. The first takes the words over. */
void dj_warn(struct dj_comparison *comparison, enum dj_warning_id id,
             struct dj_text *words);
void dj_warn_format(struct dj_comparison *comparison, enum dj_warning_id id,
                    const char *format, ...) __attribute__((format(printf, 3, 4)));

/* 0: A; 1: B. */
const struct dj_side *dj_warned_side(const struct dj_comparison *comparison, int which);

void dj_warn_of_few_runs(struct dj_comparison *comparison);
void dj_warn_of_unequal(struct dj_comparison *comparison);
void dj_warn_of_disturbed(struct dj_comparison *comparison);
void dj_warn_of_left_out(struct dj_comparison *comparison);
void dj_warn_of_duplicates(struct dj_comparison *comparison);
void dj_warn_of_order(struct dj_comparison *comparison);
void dj_warn_of_drift(struct dj_comparison *comparison);
void dj_warn_of_clocks(struct dj_comparison *comparison);

#endif
