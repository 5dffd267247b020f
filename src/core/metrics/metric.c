#include "metrics/metric.h"

#include <math.h>
#include <string.h>

#include "base/count_of.h"

static const struct {
    const char *name;
    enum dj_metrics_direction direction;
} metrics[DJ_METRIC_COUNT] = {
#define DJ_METRIC_ROW(symbol, name, direction, about) {#name, DJ_METRIC_##direction},
    DJ_METRIC_MAP(DJ_METRIC_ROW)
#undef DJ_METRIC_ROW
};

void dj_metrics_clear(struct dj_metrics *all)
{
    for (size_t i = 0; i < DJ_METRIC_COUNT; i++) {
        all->value[i] = (double)NAN;
    }
}

const char *dj_metrics_name(enum dj_metric metric)
{
    return metrics[metric].name;
}

enum dj_metrics_direction dj_metrics_direction(enum dj_metric metric)
{
    return metrics[metric].direction;
}

bool dj_metrics_find(const char *name, enum dj_metric *metric)
{
    for (size_t i = 0; i < DJ_METRIC_COUNT; i++) {
        if (strcmp(metrics[i].name, name) == 0) {
            *metric = (enum dj_metric)i;
            return true;
        }
    }
    return false;
}

static const struct dj_metrics_units units[] = {
    {"_ms_per_s", {{"ms/s", 1}, {"", 1}}, "a ratio in ms per s, such as 5 ms/s"},
    {"_fps", {{"fps", 1}, {"", 1}}, "a rate in fps, such as 58 fps"},
    {"_s", {{"s", 1}, {"ms", 1e-3}, {"", 1}}, "a time in s, such as 0.2 s"},
    {"_ns",
     {{"ms", 1e6}, {"us", 1e3}, {"ns", 1}, {"s", 1e9}},
     "a time with its unit, such as 16 ms"},
    {"_ms", {{"ms", 1}, {"", 1}}, "a time in ms, such as 16 ms"},
    {"_pct", {{"%", 1}, {"", 1}}, "a share in percent, such as 10 %"},
    {"_hz", {{"Hz", 1}, {"", 1}}, "a rate in Hz, such as 58 Hz"},
    {"", {{"", 1}}, "a number"},
};

static bool ends_with(const char *name, const char *suffix)
{
    size_t length = strlen(name);
    return length >= strlen(suffix) &&
           strcmp(name + length - strlen(suffix), suffix) == 0;
}

const struct dj_metrics_units *dj_metrics_units(const char *name)
{
    size_t i = 0;
    while (!ends_with(name, units[i].suffix)) {
        i++;
    }
    return &units[i];
}

const struct dj_metric_share *dj_metrics_find_share(enum dj_metric metric)
{
    static const struct dj_metric_share shares[] = {
        {DJ_METRIC_JANKY_PCT, DJ_METRIC_JANKY_FRAMES, DJ_METRIC_FRAMES},
        {DJ_METRIC_HWUI_JANKY_PCT, DJ_METRIC_HWUI_JANKY, DJ_METRIC_HWUI_TOTAL},
        {DJ_METRIC_ROWS_JANKY_PCT, DJ_METRIC_ROWS_JANKY, DJ_METRIC_ROWS_JUDGED},
    };
    for (size_t i = 0; i < COUNT_OF(shares); i++) {
        if (shares[i].share == metric) {
            return &shares[i];
        }
    }
    return NULL;
}

_Static_assert(DJ_METRIC_SWAP_P95 - DJ_METRIC_APP_P50 + 1 == 2 * DJ_STAGE_COUNT,
               "two metrics for each stage, in their order");

enum dj_metric dj_metrics_stage_median(enum dj_stage stage)
{
    return (enum dj_metric)(DJ_METRIC_APP_P50 + 2 * stage);
}

_Static_assert((int)DJ_METRIC_DROPPED_PCT - (int)DJ_METRIC_FIRST_OF_MAP_2 + 1 ==
                   (int)DJ_JANK_RULES,
               "one metric for each rule, in their order");

enum dj_metric dj_metrics_of_jank_rule(enum dj_jank_rule_id id)
{
    return (enum dj_metric)((int)DJ_METRIC_FIRST_OF_MAP_2 + (int)id);
}

static const struct {
    enum dj_metric metric, substitute;
} substitutes[] = {
    {DJ_METRIC_FRAME_TIME_P50, DJ_METRIC_GUIDE_TOTAL_P50},
    {DJ_METRIC_FRAME_TIME_P90, DJ_METRIC_GUIDE_TOTAL_P90},
    {DJ_METRIC_FRAME_TIME_P95, DJ_METRIC_GUIDE_TOTAL_P95},
    {DJ_METRIC_FRAME_TIME_P99, DJ_METRIC_GUIDE_TOTAL_P99},
    {DJ_METRIC_FRAME_TIME_MEAN, DJ_METRIC_GUIDE_TOTAL_MEAN},
};

void dj_metrics_known_add(struct dj_known_metrics *known, const struct dj_metrics *run)
{
    for (size_t i = 0; i < DJ_METRIC_COUNT; i++) {
        known->known[i] = known->known[i] || isfinite(run->value[i]);
    }
}

enum dj_metric dj_metrics_substitute(enum dj_metric metric)
{
    for (size_t i = 0; i < COUNT_OF(substitutes); i++) {
        if (substitutes[i].metric == metric) {
            return substitutes[i].substitute;
        }
    }
    return metric;
}

enum dj_metric dj_metrics_choose(enum dj_metric metric,
                                 const struct dj_known_metrics *known)
{
    enum dj_metric substitute = dj_metrics_substitute(metric);
    return !known->known[metric] && known->known[substitute] ? substitute : metric;
}
