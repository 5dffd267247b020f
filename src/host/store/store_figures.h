/* The figures of a run in the store: put in, read, and computed anew. */
#ifndef DEJANK_STORE_STORE_FIGURES_H
#define DEJANK_STORE_STORE_FIGURES_H

#include "store/sql.h"

/* Metrics and histograms of a window that has none. */
int dj_store_put_figures(struct dj_history *history, int64_t window,
                         const struct dj_window_figures *figures, struct dj_error *err);

/* DJ_METRIC_COUNT columns from `first` on, in the order of DJ_METRIC_COLUMNS. */
void dj_store_row_metrics(struct dj_statement *row, int first,
                          struct dj_metrics *metrics);

/* Where the figures of a run come from, as it stands in the store. Zero it. */
struct dj_stored_run {
    struct dj_text text; /* its gfxinfo evidence */
    struct dj_span *spans;
    int64_t *windows; /* keys */
    size_t count, whole;
    const struct dj_dialect *release;  /* NULL: inferred */
    struct dj_window_figures *figures; /* count, computed */
};

/* Reads it and computes its figures. Finish it also after an error. */
int dj_stored_run_read(struct dj_history *history, int64_t run,
                       struct dj_stored_run *stored, struct dj_error *err);
void dj_stored_run_finish(struct dj_stored_run *stored);

/* Whether what stands in the store for a window is just that, bit by bit. */
int dj_store_same_figures(struct dj_history *history, int64_t window,
                          const struct dj_window_figures *figures, bool *same,
                          struct dj_error *err);

#endif
