/* Sentences of a comparison. All functions append. */
#ifndef DEJANK_REPORT_COMPARE_DESCRIBE_H
#define DEJANK_REPORT_COMPARE_DESCRIBE_H

#include "frame/stages.h"
#include "report/compare.h"

/* Appends "1.8.2 — com.example.shop, scroll on Pixel 4a; 10 runs of batch 0a1b…" with
 * escaped names. */
void dj_report_describe_side(struct dj_text *text, const struct dj_side *side);

/* Explains the meaning of the verdict, with the margins of the metrics that decide it. */
void dj_report_explain_verdict(struct dj_text *text,
                               const struct dj_comparison *comparison);
/* Explains the columns of the tables and their significance levels. */
void dj_report_explain_comparison(struct dj_text *text,
                                  const struct dj_comparison *comparison);

/* Returns the time of a stage in a typical frame: the median over the runs of the median
 * of each run. Returns NaN if the time is unknown. */
double dj_report_compute_side_stage_ns(const struct dj_side *side, enum dj_stage stage);

/* Appends "appeared in 9 of 10 runs of B: Slow input handling." and the advice on this
 * finding. */
void dj_report_describe_finding_change(struct dj_text *text,
                                       const struct dj_finding_change *change);

#endif
