/* Functions that the files of the comparison share. */
#ifndef DEJANK_COMPARE_COMPARE_PRIVATE_H
#define DEJANK_COMPARE_COMPARE_PRIVATE_H

#include "compare/compare.h"

/* Writes one number per run to `when`. These numbers order the runs in time. They are the
 * starts by the host's clock, else the indexes in the batch or group, else the starts by
 * the device's clock. Returns false if no kind of number is known for all runs. */
bool dj_compare_run_times(const struct dj_side *side, double *when);

/* Fills metric->past of each metric with the centres of earlier batches. Does nothing if
 * the batches of both sides differ in project, flow or device. */
int dj_compare_read_past(struct dj_comparison *comparison, struct dj_store *store,
                         struct dj_error *err);

/* Each of these functions computes one part of the comparison. dj_compare_compute_shift()
 * returns DJ_E_USAGE if alpha is too small. */
int dj_compare_compute_shift(struct dj_comparison *comparison);
void dj_compare_add_findings(struct dj_comparison *comparison);
void dj_compare_add_warnings(struct dj_comparison *comparison);

/* Adds a warning. dj_compare_add_warning() moves the text out of `words` and leaves
 * `words` empty. */
void dj_compare_add_warning(struct dj_comparison *comparison,
                            enum dj_compare_warning_id id, struct dj_text *words);
void dj_compare_format_warning(struct dj_comparison *comparison,
                               enum dj_compare_warning_id id, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns side A for 0 and B for 1. */
const struct dj_side *dj_compare_get_side(const struct dj_comparison *comparison,
                                          int which);

/* Each of these functions adds a warning if its reason applies. */
void dj_compare_warn_few_runs(struct dj_comparison *comparison);
void dj_compare_warn_unequal_runs(struct dj_comparison *comparison);
void dj_compare_warn_disturbed_runs(struct dj_comparison *comparison);
void dj_compare_warn_excluded_runs(struct dj_comparison *comparison);
void dj_compare_warn_duplicates(struct dj_comparison *comparison);
void dj_compare_warn_order(struct dj_comparison *comparison);
void dj_compare_warn_drift(struct dj_comparison *comparison);
void dj_compare_warn_clocks(struct dj_comparison *comparison);

#endif
