/* The results that are computed for a time window of a run. */
#ifndef DEJANK_METRICS_FIGURES_H
#define DEJANK_METRICS_FIGURES_H

#include "base/error.h"
#include "frame/findings.h"
#include "metrics/metric.h"
#include "stats/exponential.h"

/* Kinds of histograms. Histograms of the same kind are merged by adding their counts. */
enum dj_histogram_kind {
    /* Frame times as gfxinfo printed them. The key is the label of the bucket in ms. */
    DJ_HISTOGRAM_HWUI,
    /* GPU times as gfxinfo printed them. The key is the label of the bucket in ms. */
    DJ_HISTOGRAM_HWUI_GPU,
    /* Frame times computed from the timestamps of the frames, in ns. The key is that of
     * an exponential histogram with DJ_EXPONENTIAL_SCALE (stats/exponential.h). */
    DJ_HISTOGRAM_FRAME_TIME,
    DJ_HISTOGRAM_KINDS
};

/* Returns "hwui", "hwui-gpu" or "frame-time-ns". */
const char *dj_metrics_histogram_kind_name(enum dj_histogram_kind kind);

/* The results for one window. */
struct dj_window_figures {
    struct dj_metrics metrics;
    /* A histogram without buckets is unknown. */
    struct dj_histogram histogram[DJ_HISTOGRAM_KINDS];
    /* Histogram of FrameCompleted − IntendedVsync of the usable rows. It has the same
     * bucket keys as DJ_HISTOGRAM_FRAME_TIME. It is computed only if guide_totals of
     * the window's rules is set. */
    struct dj_histogram guide_totals;
    /* Whether at least one frame had the timestamps that a finding needs. */
    bool findings_known;
    bool found[DJ_FINDING_COUNT]; /* The findings that apply to at least one frame. */
};

void dj_metrics_window_figures_finish(struct dj_window_figures *figures);

/* Parameters of the computation. */
struct dj_figure_rules {
    /* The Android release whose rules apply, or NULL to detect it from the text. */
    const struct dj_dialect *release;
    bool guide_totals; /* Compute the histogram guide_totals. */
};

#endif
