/* What speaks against trusting a comparison, each a function that adds its warnings, if
 * there is reason for any. Private to compare_warn*.c. */
#ifndef DEJANK_JUDGE_COMPARE_WARN_H
#define DEJANK_JUDGE_COMPARE_WARN_H

#include "judge/compare_parts.h"

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
