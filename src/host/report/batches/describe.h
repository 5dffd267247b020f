/* Sentences and labels for reports of batches. All functions append to `text`. */
#ifndef DEJANK_REPORT_BATCHES_DESCRIBE_H
#define DEJANK_REPORT_BATCHES_DESCRIBE_H

#include "report/batches.h"

/* Appends the name of the batch from dj_batches_format_name(), escaped. */
void dj_batches_write_name(struct dj_text *text, const struct dj_batches *batches,
                           size_t index);

/* Appends "com.example.shop on Pixel 4a (serial), Android 11" with escaped names. */
void dj_batches_describe_app(struct dj_text *text, const struct dj_batch *batch);

/* Appends the numbers of runs: "10 clean runs of 10 planned, 1 that failed, 1 warm-up".
 */
void dj_batches_describe_runs(struct dj_text *text, const struct dj_batch *batch);

/* Appends `before` and the outcomes of the runs: "3 ok, 1 app-crashed". Excludes warm-up
 * runs. */
void dj_batches_describe_outcomes(struct dj_text *text, const char *before,
                                  const struct dj_batch *batch);

/* Appends the name of the figure with its unit: "Frame time, mean, ms". */
void dj_batches_format_figure_title(struct dj_text *text,
                                    const struct dj_batch_figure *figure);

/* Appends `before` and a value in the figure's unit. Does not append the unit. */
void dj_batches_format_value(struct dj_text *text, const char *before,
                             const struct dj_batch_figure *figure, double value);

/* Appends the conditions of the runs: "1.8.2: battery 80 … 85 %, thermal status 0", or
 * "1.8.2: none recorded". */
void dj_batches_describe_conditions(struct dj_text *text,
                                    const struct dj_batches *batches, size_t index);

/* Appends the counts that are zero in all runs: "In no run: Missed Vsync, Slow UI
 * thread.". Appends nothing if there are none. */
void dj_batches_describe_zero_counts(struct dj_text *text,
                                     const struct dj_batches *batches);

/* Returns the name of the method by which the times of the histogram were measured. */
const char *dj_batches_get_times_name(const struct dj_batch *batch);

#endif
