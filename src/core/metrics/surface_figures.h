/* Computes metrics from the counters of SurfaceFlinger for the time of a run. Only text
 * that was collected from SurfaceFlinger has these metrics. In other texts, it is unknown
 * when the counters began. */
#ifndef DEJANK_METRICS_SURFACE_FIGURES_H
#define DEJANK_METRICS_SURFACE_FIGURES_H

#include "gfxinfo/dump.h"
#include "metrics/metric.h"

/* The counters of a layer. If a layer was made again, its name differs only in the
 * number, so these are one layer here. */
struct dj_surface_total {
    char *name; /* Name of the counter, without the number. */
    int64_t frames, dropped;
    bool is_whole; /* Whether the histogram contains all frames. */
    struct dj_surface_histogram presents;
};

/* Set the struct to zero before use. */
struct dj_surface_totals {
    struct dj_surface_total *layers;
    size_t count;
    bool is_collected; /* The text was collected from SurfaceFlinger. */
};

/* Adds the layers of a dump. Returns false if there is no memory. */
bool dj_surface_totals_add(struct dj_surface_totals *totals, const struct dj_dump *dump);

/* Sets the metrics of the layer with the most frames. */
void dj_surface_totals_fill(const struct dj_surface_totals *totals,
                            struct dj_metrics *metrics);

void dj_surface_totals_finish(struct dj_surface_totals *totals);

#endif
