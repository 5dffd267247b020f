/* Writes, reads and recomputes the figures of runs in a store. */
#ifndef DEJANK_STORE_FIGURES_FIGURES_H
#define DEJANK_STORE_FIGURES_FIGURES_H

#include "store/sql/statement.h"

/* Inserts the metrics and histograms of a window. The window must not
 * have metrics or histograms yet. */
int dj_figures_insert(struct dj_store *store, int64_t window,
                      const struct dj_window_figures *figures, struct dj_error *err);

/* Everything from which the figures of a run are computed, read from the store. Zero the
 * struct before use. */
struct dj_figures_source {
    struct dj_text text; /* The gfxinfo texts of the run. */
    struct dj_span *spans;
    int64_t *windows; /* Keys of the windows. */
    size_t count, whole;
    /* The release that wrote the text, or NULL if the release is inferred from the
     * text. */
    const struct dj_dialect *release;
    struct dj_window_figures *figures; /* The computed figures, one per window. */
};

/* Reads the text and windows of a run and computes the figures. Call
 * dj_figures_source_finish() in every case. */
int dj_figures_source_read(struct dj_store *store, int64_t run,
                           struct dj_figures_source *stored, struct dj_error *err);
void dj_figures_source_finish(struct dj_figures_source *stored);

/* Compares the stored metrics and histograms of the window with `figures`. Sets *same
 * to true if all of them are equal. NaN equals NaN. */
int dj_figures_compare(struct dj_store *store, int64_t window,
                       const struct dj_window_figures *figures, bool *same,
                       struct dj_error *err);

#endif
