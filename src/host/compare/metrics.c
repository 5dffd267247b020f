#include <math.h>
#include <string.h>

#include "compare/compare.h"
#include "memory/memory.h"

#define TIME(name_, words_, value_, p, margin_, gates_)                                  \
    {                                                                                    \
        .name = name_, .words = words_, .unit = "ms", .factor = 1e6, .value = value_,    \
        .of = DJ_METRIC_ROWS_USABLE, .quantile = p, .margin = margin_, .gates = gates_,  \
    }
#define FRAME_TIME(percent, p, margin_, gates_)                                          \
    TIME("frame_time_p" #percent, "p" #percent " frame time",                            \
         DJ_METRIC_FRAME_TIME_P##percent, p, margin_, gates_)
#define GUIDE_TOTAL(percent, p, margin_)                                                 \
    TIME("guide_total_p" #percent, "p" #percent " guide_total",                          \
         DJ_METRIC_GUIDE_TOTAL_P##percent, p, margin_, false)
#define STAGE(symbol, name_, words_)                                                     \
    TIME("stage_" name_ "_p95", "p95 stage " words_, DJ_METRIC_##symbol##_P95, 0.95,     \
         0.1, false)
#define SHARE(name_, words_, value_, of_, replacement_value_, replacement_of_, gates_)   \
    {                                                                                    \
        .name = name_, .words = words_, .unit = "%", .factor = 0.01,                     \
        .kind = DJ_EFFECT_SHARE, .value = value_, .of = of_,                             \
        .replacement_value = replacement_value_, .replacement_of = replacement_of_,      \
        .margin = 0.2, .gates = gates_,                                                  \
    }
/* Defines a metric from a figure of a jank rule or of presents. */
#define REQUESTED(name_, words_, unit_, factor_, symbol, more_)                          \
    {                                                                                    \
        .name = name_, .words = words_, .unit = unit_, .factor = factor_,                \
        .value = DJ_METRIC_##symbol, .of = DJ_METRIC_FRAMES, .more_is_better = more_,    \
        .margin = 0.1, .on_request = true,                                               \
    }
/* The same for a figure that is also compared if only presents are known. */
#define OF_PRESENTS(name_, words_, unit_, factor_, symbol, more_)                        \
    {                                                                                    \
        .name = name_, .words = words_, .unit = unit_, .factor = factor_,                \
        .value = DJ_METRIC_##symbol, .of = DJ_METRIC_FRAMES, .more_is_better = more_,    \
        .margin = 0.1, .on_request = true, .for_presents = true,                         \
    }
#define REQUESTED_COUNT(name_, words_, symbol, of_)                                      \
    {                                                                                    \
        .name = name_, .words = words_, .unit = "%", .factor = 0.01,                     \
        .kind = DJ_EFFECT_SHARE, .value = DJ_METRIC_##symbol, .of = of_,                 \
        .replacement_value = DJ_METRIC_##symbol, .replacement_of = of_, .margin = 0.2,   \
        .on_request = true,                                                              \
    }
/* A margin is the smallest change that matters and that ten runs per side can detect. p99
 * and jank vary far more between runs than p50, so their margins are larger. */
static const struct dj_compare_metric all[] = {
    FRAME_TIME(50, 0.5, 0.05, true),
    FRAME_TIME(90, 0.9, 0.05, false),
    FRAME_TIME(95, 0.95, 0.05, true),
    FRAME_TIME(99, 0.99, 0.1, false),
    TIME("frame_time_mean", "mean frame time", DJ_METRIC_FRAME_TIME_MEAN, 0, 0.05, false),
    GUIDE_TOTAL(50, 0.5, 0.05),
    GUIDE_TOTAL(90, 0.9, 0.05),
    GUIDE_TOTAL(95, 0.95, 0.05),
    GUIDE_TOTAL(99, 0.99, 0.1),
    TIME("guide_total_mean", "mean guide_total", DJ_METRIC_GUIDE_TOTAL_MEAN, 0, 0.05,
         false),
    {.name = "frame_rate",
     .words = "average frame rate",
     .unit = "Hz",
     .factor = 1,
     .value = DJ_METRIC_FRAME_RATE,
     .of = DJ_METRIC_ROWS_USABLE,
     .more_is_better = true,
     .margin = 0.05},
    SHARE("jank_rate", "jank rate", DJ_METRIC_JANKY_FRAMES, DJ_METRIC_FRAMES,
          DJ_METRIC_ROWS_JANKY, DJ_METRIC_ROWS_JUDGED, true),
    SHARE("missed_deadlines", "missed deadlines", DJ_METRIC_HWUI_DEADLINE_MISSED,
          DJ_METRIC_HWUI_TOTAL, DJ_METRIC_ROWS_DEADLINE_MISSED, DJ_METRIC_ROWS_USABLE,
          false),
    STAGE(APP, "app", "App"),
    STAGE(VSYNC_DELAY, "vsync_delay", "Vsync delay"),
    STAGE(INPUT, "input", "Input"),
    STAGE(ANIMATION, "animation", "Animation"),
    STAGE(LAYOUT, "layout", "Layout"),
    STAGE(DRAW, "draw", "Draw"),
    STAGE(WAIT, "wait", "Wait (not counted)"),
    STAGE(SYNC, "sync", "Sync"),
    STAGE(ISSUE, "issue", "Issue"),
    STAGE(SWAP, "swap", "Swap"),
    REQUESTED("legacy_janky", "janky, hwui legacy", "%", 1, LEGACY_JANKY_PCT, false),
    REQUESTED("deadline_janky", "janky, hwui deadline", "%", 1, DEADLINE_JANKY_PCT,
              false),
    REQUESTED("jankstats", "JankStats", "%", 1, JANKSTATS_PCT, false),
    REQUESTED("slow_frames", "slow frames", "%", 1, SLOW_FRAMES_PCT, false),
    REQUESTED("frozen_frames", "frozen frames", "%", 1, FROZEN_FRAMES_PCT, false),
    REQUESTED("below_20fps", "frames below 20 FPS", "%", 1, BELOW_20FPS_PCT, false),
    REQUESTED("below_30fps", "frames below 30 FPS", "%", 1, BELOW_30FPS_PCT, false),
    REQUESTED_COUNT("perfdog_jank", "PerfDog Jank", PERFDOG_JANK, DJ_METRIC_ROWS_USABLE),
    REQUESTED_COUNT("perfdog_big_jank", "PerfDog BigJank", PERFDOG_BIG_JANK,
                    DJ_METRIC_ROWS_USABLE),
    REQUESTED("perfdog_stutter", "PerfDog Stutter", "%", 1, PERFDOG_STUTTER_PCT, false),
    REQUESTED("hitch_ratio", "hitch time ratio", "ms/s", 1, HITCH_RATIO, false),
    REQUESTED("freeze_time", "freeze time", "ms", 1, FREEZE_TIME, false),
    REQUESTED("frames_delay", "frames.delay", "s", 1, FRAMES_DELAY, false),
    REQUESTED("low1_p1", "1 % low, P1", "fps", 1, LOW1_P1, true),
    REQUESTED("low1_mean", "1 % low, mean", "fps", 1, LOW1_MEAN, true),
    REQUESTED("low1_integral", "1 % low, integral", "fps", 1, LOW1_INTEGRAL, true),
    REQUESTED("dropped", "percent dropped", "%", 1, DROPPED_PCT, false),
    OF_PRESENTS("present_p50", "p50 present to present", "ms", 1e6, PRESENT_P50, false),
    OF_PRESENTS("present_p95", "p95 present to present", "ms", 1e6, PRESENT_P95, false),
    REQUESTED("present_p99", "p99 present to present", "ms", 1e6, PRESENT_P99, false),
    REQUESTED("present_max", "max present to present", "ms", 1e6, PRESENT_MAX, false),
    OF_PRESENTS("p90_fps", "P90 FPS of Google's recipe", "fps", 1, P90_FPS, true),
    REQUESTED("p99_fps", "P99 FPS of Google's recipe", "fps", 1, P99_FPS, true),
    REQUESTED("average_fps", "average FPS of SurfaceFlinger", "fps", 1, AVERAGE_FPS,
              true),
    REQUESTED_COUNT("surface_dropped_frames", "frames dropped by SurfaceFlinger",
                    SURFACE_DROPPED, DJ_METRIC_SURFACE_FRAMES),
    REQUESTED_COUNT("presents_late", "late presents", PRESENTS_LATE, DJ_METRIC_PRESENTS),
    REQUESTED_COUNT("repeated_refreshes", "repeated refreshes", REPEATED_REFRESHES,
                    DJ_METRIC_PRESENTS),
    REQUESTED_COUNT("skipped_frames", "skipped frames", SKIPPED_FRAMES,
                    DJ_METRIC_ROWS_USABLE),
    REQUESTED("pacing_error_mean", "mean pacing error", "ms", 1e6, PACING_ERROR_MEAN,
              false),
    REQUESTED("pacing_error_p95", "p95 pacing error", "ms", 1e6, PACING_ERROR_P95, false),
    REQUESTED("animation_error_mean", "mean animation error", "ms", 1e6,
              ANIMATION_ERROR_MEAN, false),
    REQUESTED("animation_error_p95", "p95 animation error", "ms", 1e6,
              ANIMATION_ERROR_P95, false),
    REQUESTED("animation_error_max", "max animation error", "ms", 1e6,
              ANIMATION_ERROR_MAX, false),
};

_Static_assert(COUNT_OF(all) <= DJ_COMPARE_METRICS_MAX, "a maximum for arrays");

const struct dj_compare_metric *dj_compare_metric(size_t i)
{
    return i < COUNT_OF(all) ? &all[i] : NULL;
}

static const struct {
    const char *name, *replaced_metric;
} shorts[] = {
    {"p50", "frame_time_p50"},   {"p90", "frame_time_p90"},
    {"p95", "frame_time_p95"},   {"p99", "frame_time_p99"},
    {"mean", "frame_time_mean"}, {"jank", "jank_rate"},
    {"janky_pct", "jank_rate"},  {"hwui_janky_pct", "jank_rate"},
    {"fps", "frame_rate"},       {"deadlines", "missed_deadlines"},
};

const struct dj_compare_metric *dj_compare_metric_find(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(shorts); i++) {
        name = strcmp(name, shorts[i].name) == 0 ? shorts[i].replaced_metric : name;
    }
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        if (strcmp(name, all[i].name) == 0 ||
            (all[i].kind == DJ_EFFECT_RATIO &&
             strcmp(name, dj_metrics_name(all[i].value)) == 0)) {
            return &all[i];
        }
    }
    return NULL;
}

const struct dj_compare_metric *
dj_compare_metric_substitute(const struct dj_compare_metric *metric)
{
    enum dj_metric substitute = dj_metrics_substitute(metric->value);
    return substitute != metric->value
               ? dj_compare_metric_find(dj_metrics_name(substitute))
               : NULL;
}

static size_t count_known(const struct dj_side *side, enum dj_metric value,
                          enum dj_metric of)
{
    size_t known = 0;
    for (size_t i = 0; side != NULL && i < side->run_count; i++) {
        const double *metrics = side->runs[i].metrics.value;
        known += isfinite(metrics[value]) && metrics[of] > 0;
    }
    return known;
}

bool dj_compare_metric_needs_replacement(const struct dj_side *a, const struct dj_side *b,
                                         const struct dj_compare_metric *metric)
{
    enum dj_metric value = metric->replacement_value;
    enum dj_metric of = metric->replacement_of;
    return value != of && count_known(a, value, of) + count_known(b, value, of) >
                              count_known(a, metric->value, metric->of) +
                                  count_known(b, metric->value, metric->of);
}

void dj_compare_side_values(const struct dj_side *side,
                            const struct dj_compare_metric *metric, bool uses_replacement,
                            double **value, double **of)
{
    enum dj_metric from = uses_replacement ? metric->replacement_value : metric->value;
    enum dj_metric from_of = uses_replacement ? metric->replacement_of : metric->of;
    *value = dj_xcalloc(side->run_count, sizeof(**value));
    *of = dj_xcalloc(side->run_count, sizeof(**of));
    for (size_t i = 0; i < side->run_count; i++) {
        (*value)[i] = side->runs[i].metrics.value[from];
        (*of)[i] = side->runs[i].metrics.value[from_of];
    }
}
