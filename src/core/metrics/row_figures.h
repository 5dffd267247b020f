/* The figures of the rows in one window of a run, for any number of processes and view
 * windows. */
#ifndef DEJANK_METRICS_ROW_FIGURES_H
#define DEJANK_METRICS_ROW_FIGURES_H

#include "metrics/figures.h"
#include "metrics/judged_rows.h"

/* Values of all view windows and processes together: quantiles cannot be combined from
 * separate ones. */
struct dj_numbers {
    int64_t *ns;
    size_t count;
};

/* Zero it before use. */
struct dj_row_figures {
    bool has_rows; /* the text has a place for rows: their number is known, even if 0 */
    size_t rows, usable, judged, janky, guide_frames, guide_over, making_frames, dropped;
    int64_t making_ns;
    struct dj_stats exact;
    bool found[DJ_FINDING_COUNT];
    bool findings_known;
    int64_t interval_ns;  /* of the view window with the most rows */
    size_t interval_rows; /* rows of that view window; 0: unknown */
    struct dj_numbers frame_times, guide_totals, stage[DJ_STAGE_COUNT];
};

/* Adds the rows of one view window. Returns false without memory. */
bool dj_row_figures_add(struct dj_row_figures *gathering,
                        const struct dj_judged_rows *judged);

/* Sets the metrics and histograms that need rows. Reorders numbers, so call it once.
 * Returns false without memory. */
bool dj_row_figures_fill(struct dj_row_figures *gathering,
                         const struct dj_figure_rules *rules,
                         struct dj_window_figures *figures);

void dj_row_figures_finish(struct dj_row_figures *gathering);

#endif
