/* The figures of one window of a run. */
#ifndef DEJANK_METRICS_FIGURES_H
#define DEJANK_METRICS_FIGURES_H

#include "base/error.h"
#include "frame/findings.h"
#include "metrics/metric.h"
#include "stats/exponential.h"

/* A histogram of integer counts. Histograms of one kind are merged by addition. */
enum dj_histogram_kind {
    DJ_HISTOGRAM_HWUI,       /* as printed; key: the bucket's label in ms */
    DJ_HISTOGRAM_HWUI_GPU,   /* the same for GPU times */
    DJ_HISTOGRAM_FRAME_TIME, /* exact frame times in ns; key: index i of an exponential
                                histogram of scale 6, for (base^i, base^(i+1)]; times of 0
                                have the key INT32_MIN */
    DJ_HISTOGRAM_KINDS
};

/* "hwui", "hwui-gpu", "frame-time-ns". */
const char *dj_metrics_histogram_kind_name(enum dj_histogram_kind kind);

/* The results for one window. */
struct dj_window_figures {
    struct dj_metrics metrics;
    struct dj_histogram histogram[DJ_HISTOGRAM_KINDS]; /* empty: unknown */
    struct dj_histogram guide_totals; /* of the usable rows, with the keys of frame times;
                                         only on request by the rules */
    bool findings_known;          /* at least one frame had a known time for some rule */
    bool found[DJ_FINDING_COUNT]; /* the findings with at least one frame */
};

void dj_metrics_window_figures_finish(struct dj_window_figures *figures);

/* Parameters of the computation. */
struct dj_figure_rules {
    const struct dj_dialect *release; /* known; NULL: inferred from the text */
    bool guide_totals;                /* compute their histogram */
};

#endif
