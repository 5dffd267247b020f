/* Steps of a comparison. */
#ifndef DEJANK_COMPARE_COMPARE_PARTS_H
#define DEJANK_COMPARE_COMPARE_PARTS_H

#include "compare/compare.h"

/* Stores in `when` the time of each run, for ordering: by the host's clock, else by its
 * index in batch or group, else by the device's clock. Returns false if no source covers
 * all runs. */
bool dj_order_of(const struct dj_side *side, double *when);

/* Fills metric->past of each metric from earlier batches of the segment that both sides
 * belong to. */
int dj_compare_past(struct dj_comparison *comparison, struct dj_history *store,
                    struct dj_error *err);

/* Each fills its part of the comparison. dj_compare_shift() returns DJ_E_USAGE if alpha
 * is too small for a level. */
int dj_compare_shift(struct dj_comparison *comparison);
void dj_compare_findings(struct dj_comparison *comparison);
void dj_compare_warn(struct dj_comparison *comparison);

/* Each function adds its warnings, if there is a reason for any. */

/* Adds a warning. dj_warn() takes the text out of `words`. */
void dj_warn(struct dj_comparison *comparison, enum dj_warning_id id,
             struct dj_text *words);
void dj_warn_format(struct dj_comparison *comparison, enum dj_warning_id id,
                    const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Returns side A for 0 and B for 1. */
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
