/* Charts of a comparison. Each function omits a chart if no run has its data. */
#ifndef DEJANK_REPORT_COMPARE_CHARTS_H
#define DEJANK_REPORT_COMPARE_CHARTS_H

#include "compare/compare.h"
#include "report/document.h"

/* Adds a chart of the change in percent at each quantile, with its confidence interval.
 */
void dj_report_add_shift_chart(struct dj_document *document,
                               const struct dj_comparison *comparison);

/* Adds the histograms and the cumulative distributions of the frame times of all runs of
 * both sides. */
void dj_report_add_distribution_charts(struct dj_document *document,
                                       const struct dj_comparison *comparison);

/* Adds a chart for each metric that decides the verdict. The chart shows the value of
 * each run in the order of measurement. */
void dj_report_add_run_charts(struct dj_document *document,
                              const struct dj_comparison *comparison);

#endif
