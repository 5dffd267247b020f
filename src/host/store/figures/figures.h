/* Writes, reads and recomputes the figures of runs. */
#ifndef DEJANK_STORE_FIGURES_FIGURES_H
#define DEJANK_STORE_FIGURES_FIGURES_H

#include "store/sql/statement.h"

/* Inserts the metrics and histograms of a window that has none yet. */
int dj_figures_insert(struct dj_store *store, int64_t window,
                      const struct dj_window_figures *figures, struct dj_error *err);

/* The inputs of a run's figures, read from the store. Initialise it with zeros. */
struct dj_figures_source {
    struct dj_text text; /* its gfxinfo evidence */
    struct dj_span *spans;
    int64_t *windows; /* keys */
    size_t count, whole;
    const struct dj_dialect *release;  /* NULL: inferred */
    struct dj_window_figures *figures; /* `count` of them, computed */
};

/* Reads the inputs and computes the figures. Finish `stored` also after an error. */
int dj_figures_source_read(struct dj_store *store, int64_t run,
                           struct dj_figures_source *stored, struct dj_error *err);
void dj_figures_source_finish(struct dj_figures_source *stored);

/* Sets *same to whether the stored figures of the window are bit for bit equal. */
int dj_figures_compare(struct dj_store *store, int64_t window,
                       const struct dj_window_figures *figures, bool *same,
                       struct dj_error *err);

#endif
