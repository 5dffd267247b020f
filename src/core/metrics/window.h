/* Computes the figures of the windows of one run from its gfxinfo text. */
#ifndef DEJANK_METRICS_WINDOW_H
#define DEJANK_METRICS_WINDOW_H

#include "frame/recovery.h"
#include "metrics/figures.h"

/* Computes the figures of the windows of one run from its gfxinfo text (any number of
 * dumps; each frame counts once per row). figures[i] belongs to windows[i].
 * windows[whole] is the whole run: all rows and the counters belong to it, regardless
 * of its span. A text without data gives unknown figures and is not an error; missing
 * memory is. The caller finishes the figures also after an error; they need not be
 * zeroed. */
int dj_metrics_compute(const char *text, size_t length,
                       const struct dj_figure_rules *rules, const struct dj_span *windows,
                       size_t count, size_t whole, struct dj_window_figures *figures,
                       struct dj_error *err);

#endif
