/* Charts of batches. */
#ifndef DEJANK_REPORT_BATCHES_CHARTS_H
#define DEJANK_REPORT_BATCHES_CHARTS_H

#include "report/batches.h"
#include "report/document.h"

/* Adds a chart of one figure. Each run is a point of the chart. */
void dj_batches_add_run_chart(struct dj_document *document,
                              const struct dj_batches *batches,
                              const struct dj_batch_figure *figure);

/* Adds a chart for each headline figure. Each run is a point of the chart. */
void dj_batches_add_run_charts(struct dj_document *document,
                               const struct dj_batches *batches);

/* Adds the histogram of the frame times of all valid runs of a batch. */
void dj_batches_add_histogram(struct dj_document *document,
                              const struct dj_batches *batches, size_t index);

#endif
