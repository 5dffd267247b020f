/* Sentences and table cells that the text forms of a comparison share. All append. */
#ifndef DEJANK_REPORT_COMPARE_DESCRIBE_H
#define DEJANK_REPORT_COMPARE_DESCRIBE_H

#include "frame/stages.h"
#include "report/compare.h"

/* "1.8.2 — com.example.shop, scroll on Pixel 4a; 10 runs of batch 0a1b…": names escaped.
 */
void dj_report_describe_side(struct dj_text *text, const struct dj_side *side);

/* Cells of a metric's row; the caller escapes and finishes them. `a`, `b`: median and
 * mean over the runs of each side in the metric's unit, "17.81/17.90" (for a share, the
 * pooled value; unknown: "–"). `change`: the change. `verdict`: "regression", or the
 * reason why there is none: "inconclusive (quantised)". */
struct dj_comparison_cells {
    struct dj_text a, b, change, verdict;
};
struct dj_comparison_cells
dj_report_format_comparison_cells(const struct dj_comparison_metric *metric);

/* Explains the columns of the table and its significance levels. */
void dj_report_explain_comparison(struct dj_text *text,
                                  const struct dj_comparison *comparison);

/* A stage of a typical frame: the median over the runs of the median of each run. NaN:
 * unknown. */
double dj_report_compute_side_stage_ns(const struct dj_side *side, enum dj_stage stage);

/* "2.01 → 2.60 (+0.59)" */
void dj_report_describe_stage_change(struct dj_text *text, double a_ns, double b_ns);

/* "appeared in 9 of 10 runs of B: Slow input handling. What to look at." */
void dj_report_describe_finding_change(struct dj_text *text,
                                       const struct dj_finding_change *change);

#endif
