/* Metrics from the rows in a time window of a run. A row is the record of one frame. The
 * rows may belong to any number of processes and app windows. */
#ifndef DEJANK_METRICS_ROW_FIGURES_H
#define DEJANK_METRICS_ROW_FIGURES_H

#include "jank/figures.h"
#include "metrics/figures.h"
#include "metrics/judged_rows.h"

/* The times of all rows. They are all stored, because the quantiles of all app windows
 * together cannot be computed from the quantiles of each app window. */
struct dj_numbers {
    int64_t *ns;
    size_t count;
};

/* Sums over the rows of all app windows. struct dj_summary (frame/summary.h) explains the
 * numbers. Set the struct to zero before use. */
struct dj_row_figures {
    /* Whether the text has a section for rows. If so, the number of rows is known even if
     * it is 0. */
    bool has_rows;
    size_t rows, usable, judged, janky, guide_frames, guide_over, making_frames, dropped;
    int64_t making_ns;
    struct dj_stats exact;
    bool found[DJ_FINDING_COUNT];
    bool findings_known;
    int64_t interval_ns;  /* Display interval of the app window with the most rows. */
    size_t interval_rows; /* Number of rows of that app window, or 0 if there is none. */
    struct dj_numbers frame_times, guide_totals, stage[DJ_STAGE_COUNT];
    struct dj_jank_totals jank;
};

/* Adds the rows of one app window. Returns false if there is no memory. */
bool dj_row_figures_add(struct dj_row_figures *collected,
                        const struct dj_judged_rows *judged);

/* Sets the metrics and histograms that need rows. Reorders the stored times, so it may be
 * called only once. Returns false if there is no memory. */
bool dj_row_figures_fill(struct dj_row_figures *collected,
                         const struct dj_figure_rules *rules,
                         struct dj_window_figures *figures);

void dj_row_figures_finish(struct dj_row_figures *collected);

#endif
