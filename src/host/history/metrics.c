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
