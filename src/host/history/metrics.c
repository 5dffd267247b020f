#include "history/metrics.h"

#include <math.h>
#include <stdlib.h>
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

void dj_histogram_finish(struct dj_histogram *histogram)
{
    free(histogram->buckets);
    *histogram = (struct dj_histogram){0};
}

static uint64_t add_counts(uint64_t a, uint64_t b)
{
    return a <= UINT64_MAX - b ? a + b : UINT64_MAX;
}

bool dj_histogram_merge(struct dj_histogram *into, const struct dj_histogram *other)
{
    if (other->count == 0) {
        return true;
    }
    struct dj_histogram_bucket *merged =
        calloc(into->count + other->count, sizeof(*merged));
    if (merged == NULL) {
        return false;
    }
    size_t a = 0;
    size_t b = 0;
    size_t count = 0;
    while (a < into->count || b < other->count) {
        bool from_a = b == other->count ||
                      (a < into->count && into->buckets[a].key <= other->buckets[b].key);
        struct dj_histogram_bucket next =
            from_a ? into->buckets[a++] : other->buckets[b++];
        if (count > 0 && merged[count - 1].key == next.key) {
            merged[count - 1].count = add_counts(merged[count - 1].count, next.count);
        } else {
            merged[count++] = next;
        }
    }
    free(into->buckets);
    *into = (struct dj_histogram){merged, count};
    return true;
}

void dj_window_figures_finish(struct dj_window_figures *figures)
{
    for (size_t i = 0; i < DJ_HISTOGRAM_KINDS; i++) {
        dj_histogram_finish(&figures->histogram[i]);
    }
}
