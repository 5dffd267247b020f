/* Charts of a comparison. Each function adds to the document what the sides' runs know.
 */
#ifndef DEJANK_REPORT_COMPARE_CHARTS_H
#define DEJANK_REPORT_COMPARE_CHARTS_H

#include "compare/compare.h"
#include "report/document.h"

/* The change in percent at each quantile, with its interval. */
void dj_report_add_shift_chart(struct dj_document *document,
                               const struct dj_comparison *comparison);

/* The frame times of all runs of both sides: their histograms and their cumulative
 * distributions. */
void dj_report_add_distribution_charts(struct dj_document *document,
                                       const struct dj_comparison *comparison);

/* A chart per metric that decides the verdict: the value of each run in the order of
 * measurement. */
void dj_report_add_run_charts(struct dj_document *document,
                              const struct dj_comparison *comparison);

#endif
