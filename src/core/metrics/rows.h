/* What the rows of one window of a run come to, whatever number of processes and view
 * windows they are of. */
#ifndef DEJANK_METRICS_ROWS_H
#define DEJANK_METRICS_ROWS_H

#include "metrics/figures.h"
#include "metrics/judged.h"

/* Numbers of all view windows and processes together: their quantiles cannot be had from
 * those of each. */
struct dj_numbers {
    int64_t *ns;
    size_t count;
};

/* Zero it. */
struct dj_row_figures {
    bool has_rows; /* the text has a place for rows: their number is known, if it is 0 */
    size_t rows, usable, judged, janky, guide_frames, guide_over, making_frames, dropped;
    int64_t making_ns;
    struct dj_stats exact;
    bool found[DJ_FINDING_COUNT];
    bool findings_known;
    int64_t interval_ns;  /* of the view window with the most rows */
    size_t interval_rows; /* it has; 0: unknown */
    struct dj_numbers frame_times, guide_totals, stage[DJ_STAGE_COUNT];
};

/* Adds those of one view window. False: out of memory. */
bool dj_row_figures_add(struct dj_row_figures *gathering,
                        const struct dj_judged_rows *judged);

/* Sets the metrics and the histograms that only rows can tell. Moves numbers about: once.
 * False: out of memory. */
bool dj_row_figures_settle(struct dj_row_figures *gathering,
                           const struct dj_figure_rules *rules,
                           struct dj_window_figures *figures);

void dj_row_figures_finish(struct dj_row_figures *gathering);

#endif
