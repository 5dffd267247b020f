/* Computes the metrics of a run from its gfxinfo text. */
#ifndef DEJANK_METRICS_WINDOW_H
#define DEJANK_METRICS_WINDOW_H

#include "frame/recovery.h"
#include "metrics/figures.h"

/* Computes the metrics of several time windows of one run. `text` may contain any number
 * of dumps. figures[i] is the result for windows[i]. windows[whole] is the whole run: it
 * contains all rows, whatever its span, and the counters of hwui. A text without data is
 * not an error: the results are then unknown. Returns 0 or DJ_E_NO_MEMORY. The caller
 * must finish each element of `figures` even after an error. The elements need not be
 * initialized. */
int dj_metrics_compute(const char *text, size_t length,
                       const struct dj_figure_rules *rules, const struct dj_span *windows,
                       size_t count, size_t whole, struct dj_window_figures *figures,
                       struct dj_error *err);

#endif
