#include "history/metrics.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    const char *about;
    enum dj_metric_sense sense;
} metrics[DJ_METRIC_COUNT] = {
#define DJ_METRIC_ROW(symbol, name, sense, about) {#name, about, DJ_METRIC_##sense},
    DJ_METRIC_MAP(DJ_METRIC_ROW)
#undef DJ_METRIC_ROW
};

void dj_metrics_clear(struct dj_metrics *all)
{
    for (size_t i = 0; i < DJ_METRIC_COUNT; i++) {
        all->value[i] = (double)NAN;
    }
}

const char *dj_metric_name(enum dj_metric metric)
{
    return metrics[metric].name;
}

const char *dj_metric_about(enum dj_metric metric)
{
    return metrics[metric].about;
}

enum dj_metric_sense dj_metric_sense(enum dj_metric metric)
{
    return metrics[metric].sense;
}

bool dj_metric_find(const char *name, enum dj_metric *metric)
{
    for (size_t i = 0; i < DJ_METRIC_COUNT; i++) {
        if (strcmp(metrics[i].name, name) == 0) {
            *metric = (enum dj_metric)i;
            return true;
        }
    }
    return false;
}

/* ---- substitutes ---- */

static const struct {
    enum dj_metric metric, substitute;
} substitutes[] = {
    {DJ_METRIC_FRAME_TIME_P50, DJ_METRIC_GUIDE_TOTAL_P50},
    {DJ_METRIC_FRAME_TIME_P90, DJ_METRIC_GUIDE_TOTAL_P90},
    {DJ_METRIC_FRAME_TIME_P95, DJ_METRIC_GUIDE_TOTAL_P95},
    {DJ_METRIC_FRAME_TIME_P99, DJ_METRIC_GUIDE_TOTAL_P99},
    {DJ_METRIC_FRAME_TIME_MEAN, DJ_METRIC_GUIDE_TOTAL_MEAN},
};

void dj_known_metrics_add(struct dj_known_metrics *known, const struct dj_metrics *run)
{
    for (size_t i = 0; i < DJ_METRIC_COUNT; i++) {
        known->known[i] = known->known[i] || isfinite(run->value[i]);
    }
}

enum dj_metric dj_metric_substitute(enum dj_metric metric)
{
    for (size_t i = 0; i < sizeof(substitutes) / sizeof(substitutes[0]); i++) {
        if (substitutes[i].metric == metric) {
            return substitutes[i].substitute;
        }
    }
    return metric;
}

enum dj_metric dj_metric_choose(enum dj_metric metric,
                                const struct dj_known_metrics *known)
{
    enum dj_metric substitute = dj_metric_substitute(metric);
    return !known->known[metric] && known->known[substitute] ? substitute : metric;
}

/* ---- histograms ---- */

static const char *const kinds[DJ_HISTOGRAM_KINDS] = {
    [DJ_HISTOGRAM_HWUI] = "hwui",
    [DJ_HISTOGRAM_HWUI_GPU] = "hwui-gpu",
    [DJ_HISTOGRAM_FRAME_TIME] = "frame-time-ns",
};

const char *dj_histogram_kind_name(enum dj_histogram_kind kind)
{
    return kinds[kind];
}

void dj_window_figures_finish(struct dj_window_figures *figures)
{
    for (size_t i = 0; i < DJ_HISTOGRAM_KINDS; i++) {
        dj_histogram_finish(&figures->histogram[i]);
    }
}
