/* The figures of the windows of one run, computed from its gfxinfo text. */
#ifndef DEJANK_METRICS_WINDOW_H
#define DEJANK_METRICS_WINDOW_H

#include "frame/recovery.h"
#include "metrics/figures.h"

/*
 * Computes the figures of windows of one run from its gfxinfo text (any number of dumps,
 * of which each frame counts once for each row there is). figures[i] is of windows[i];
 * the one of `whole` is of the whole run: all rows and the counters belong to it whatever
 * its span. Text in which there is nothing gives unknown figures, and is no error; out of
 * memory is. The caller finishes figures also after an error; they need not be zeroed.
 */
int dj_metrics_compute(const char *text, size_t length,
                       const struct dj_figure_rules *rules, const struct dj_span *windows,
                       size_t count, size_t whole, struct dj_window_figures *figures,
                       struct dj_error *err);

#endif
