/*
 * metrics: the metrics of windows, runs and batches: name, unit, better direction, and
 * how each is computed from gfxinfo text, the evidence of a run. Equal text always gives
 * equal values, bit for bit, so stored values can be recomputed from the text. The
 * modules compare, trend and gate interpret the values.
 *
 * Metrics with the prefix `hwui_` are the values that the device counted itself and
 * printed for the whole run. Metrics with the prefix `rows_`, and the metrics from
 * frame_time_p50_ns on, are computed in ns from the rows in the window. A row is the
 * record of one frame in gfxinfo text. It belongs to the window that contains its
 * IntendedVsync.
 *
 * This header: the table of metrics. The computation is in window.h.
 */
#ifndef DEJANK_METRICS_METRIC_H
#define DEJANK_METRICS_METRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "frame/stages.h"
#include "jank/rules.h"

/* Which values of a metric are better. */
enum dj_metrics_direction { DJ_METRIC_NEUTRAL, DJ_METRIC_LESS, DJ_METRIC_MORE };

/* X(SYMBOL, name, direction, description) for each metric of version 1 of the store. Each
 * metric is a column of the store (docs/format/store.md), so this table must never
 * change. A later version adds another table. */
#define DJ_METRIC_MAP_1(X)                                                               \
    X(FRAMES, frames, NEUTRAL, "frames, counted by hwui or else from the rows")          \
    X(JANKY_FRAMES, janky_frames, LESS,                                                  \
      "janky frames by the rule of the Android release")                                 \
    X(JANKY_PCT, janky_pct, LESS, "janky_frames in percent of frames")                   \
    X(HWUI_TOTAL, hwui_total_frames, NEUTRAL, "Total frames rendered")                   \
    X(HWUI_JANKY, hwui_janky_frames, LESS, "Janky frames")                               \
    X(HWUI_JANKY_PCT, hwui_janky_pct, LESS,                                              \
      "Janky frames in percent, rounded like hwui")                                      \
    X(HWUI_JANKY_LEGACY, hwui_janky_frames_legacy, LESS, "Janky frames (legacy)")        \
    X(HWUI_MISSED_VSYNC, hwui_missed_vsync, LESS, "Number Missed Vsync")                 \
    X(HWUI_HIGH_INPUT_LATENCY, hwui_high_input_latency, LESS,                            \
      "Number High input latency")                                                       \
    X(HWUI_SLOW_UI_THREAD, hwui_slow_ui_thread, LESS, "Number Slow UI thread")           \
    X(HWUI_SLOW_BITMAP_UPLOADS, hwui_slow_bitmap_uploads, LESS,                          \
      "Number Slow bitmap uploads")                                                      \
    X(HWUI_SLOW_ISSUE_DRAW_COMMANDS, hwui_slow_issue_draw_commands, LESS,                \
      "Number Slow issue draw commands")                                                 \
    X(HWUI_DEADLINE_MISSED, hwui_deadline_missed, LESS, "Number Frame deadline missed")  \
    X(HWUI_DEADLINE_MISSED_LEGACY, hwui_deadline_missed_legacy, LESS,                    \
      "Number Frame deadline missed (legacy)")                                           \
    X(HWUI_P50, hwui_p50_ms, LESS, "50th percentile, as printed")                        \
    X(HWUI_P90, hwui_p90_ms, LESS, "90th percentile, as printed")                        \
    X(HWUI_P95, hwui_p95_ms, LESS, "95th percentile, as printed")                        \
    X(HWUI_P99, hwui_p99_ms, LESS, "99th percentile, as printed")                        \
    X(HWUI_GPU_P50, hwui_gpu_p50_ms, LESS, "50th gpu percentile, as printed")            \
    X(HWUI_GPU_P90, hwui_gpu_p90_ms, LESS, "90th gpu percentile, as printed")            \
    X(HWUI_GPU_P95, hwui_gpu_p95_ms, LESS, "95th gpu percentile, as printed")            \
    X(HWUI_GPU_P99, hwui_gpu_p99_ms, LESS, "99th gpu percentile, as printed")            \
    X(ROWS, rows, NEUTRAL, "all rows")                                                   \
    X(ROWS_USABLE, rows_usable, NEUTRAL, "rows that are used for exact metrics")         \
    X(ROWS_JUDGED, rows_judged, NEUTRAL, "usable rows that the jank rule can judge")     \
    X(ROWS_JANKY, rows_janky, LESS, "judged rows that are janky")                        \
    X(ROWS_JANKY_PCT, rows_janky_pct, LESS, "janky rows in percent of judged rows")      \
    X(ROWS_MISSED_VSYNC, rows_missed_vsync, LESS, "Missed Vsync, of usable rows")        \
    X(ROWS_HIGH_INPUT_LATENCY, rows_high_input_latency, LESS,                            \
      "High input latency, of usable rows")                                              \
    X(ROWS_SLOW_UI_THREAD, rows_slow_ui_thread, LESS, "Slow UI thread, of usable rows")  \
    X(ROWS_SLOW_BITMAP_UPLOADS, rows_slow_bitmap_uploads, LESS,                          \
      "Slow bitmap uploads, of usable rows")                                             \
    X(ROWS_SLOW_ISSUE_DRAW_COMMANDS, rows_slow_issue_draw_commands, LESS,                \
      "Slow issue draw commands, of usable rows")                                        \
    X(ROWS_DEADLINE_MISSED, rows_deadline_missed, LESS,                                  \
      "Frame deadline missed, of usable rows")                                           \
    X(RECOVERED, recovered_frames, MORE, "frames of expected_frames that have a row")    \
    X(EXPECTED, expected_frames, NEUTRAL, "frames counted in the run")                   \
    X(FRAME_TIME_P50, frame_time_p50_ns, LESS, "hwui's duration(), type 7")              \
    X(FRAME_TIME_P90, frame_time_p90_ns, LESS, "hwui's duration(), type 7")              \
    X(FRAME_TIME_P95, frame_time_p95_ns, LESS, "hwui's duration(), type 7")              \
    X(FRAME_TIME_P99, frame_time_p99_ns, LESS, "hwui's duration(), type 7")              \
    X(FRAME_TIME_MEAN, frame_time_mean_ns, LESS, "hwui's duration()")                    \
    X(FRAME_TIME_MAX, frame_time_max_ns, LESS, "hwui's duration()")                      \
    X(GUIDE_TOTAL_P50, guide_total_p50_ns, LESS, "FrameCompleted − IntendedVsync")       \
    X(GUIDE_TOTAL_P90, guide_total_p90_ns, LESS, "FrameCompleted − IntendedVsync")       \
    X(GUIDE_TOTAL_P95, guide_total_p95_ns, LESS, "FrameCompleted − IntendedVsync")       \
    X(GUIDE_TOTAL_P99, guide_total_p99_ns, LESS, "FrameCompleted − IntendedVsync")       \
    X(GUIDE_TOTAL_MEAN, guide_total_mean_ns, LESS, "FrameCompleted − IntendedVsync")     \
    X(GUIDE_FRAMES, guide_frames, NEUTRAL, "usable rows with Flags 0")                   \
    X(GUIDE_OVER, guide_over_frames, LESS,                                               \
      "rows of guide_frames with guide_total > interval")                                \
    X(FRAME_RATE, frame_rate_hz, MORE, "frames per second, excluding pauses of the app") \
    X(DROPPED_INTERVALS, dropped_intervals, LESS,                                        \
      "display intervals without a new frame, excluding pauses")                         \
    X(INTERVAL, interval_ns, NEUTRAL,                                                    \
      "display interval of the app window with the most rows")                           \
    X(APP_P50, stage_app_p50_ns, LESS, "stage App")                                      \
    X(APP_P95, stage_app_p95_ns, LESS, "stage App")                                      \
    X(VSYNC_DELAY_P50, stage_vsync_delay_p50_ns, LESS, "stage Vsync delay")              \
    X(VSYNC_DELAY_P95, stage_vsync_delay_p95_ns, LESS, "stage Vsync delay")              \
    X(INPUT_P50, stage_input_p50_ns, LESS, "stage Input")                                \
    X(INPUT_P95, stage_input_p95_ns, LESS, "stage Input")                                \
    X(ANIMATION_P50, stage_animation_p50_ns, LESS, "stage Animation")                    \
    X(ANIMATION_P95, stage_animation_p95_ns, LESS, "stage Animation")                    \
    X(LAYOUT_P50, stage_layout_p50_ns, LESS, "stage Layout")                             \
    X(LAYOUT_P95, stage_layout_p95_ns, LESS, "stage Layout")                             \
    X(DRAW_P50, stage_draw_p50_ns, LESS, "stage Draw")                                   \
    X(DRAW_P95, stage_draw_p95_ns, LESS, "stage Draw")                                   \
    X(WAIT_P50, stage_wait_p50_ns, LESS, "stage Wait, not included in the frame time")   \
    X(WAIT_P95, stage_wait_p95_ns, LESS, "stage Wait, not included in the frame time")   \
    X(SYNC_P50, stage_sync_p50_ns, LESS, "stage Sync")                                   \
    X(SYNC_P95, stage_sync_p95_ns, LESS, "stage Sync")                                   \
    X(ISSUE_P50, stage_issue_p50_ns, LESS, "stage Issue")                                \
    X(ISSUE_P95, stage_issue_p95_ns, LESS, "stage Issue")                                \
    X(SWAP_P50, stage_swap_p50_ns, LESS, "stage Swap")                                   \
    X(SWAP_P95, stage_swap_p95_ns, LESS, "stage Swap")                                   \
    X(FINDINGS, findings, LESS, "number of findings that apply to at least one frame")

/* The metrics of version 3 of the store: the jank rules of other tools (jank/rules.h), in
 * the order of enum dj_jank_rule_id, and the figures of presents (jank/present.h). */
#define DJ_METRIC_MAP_2(X)                                                               \
    X(LEGACY_JANKY_PCT, legacy_janky_pct, LESS, "hwui's rule of Android 6 to 11")        \
    X(DEADLINE_JANKY_PCT, deadline_janky_pct, LESS, "hwui's rule of Android 12 on")      \
    X(JANKSTATS_PCT, jankstats_pct, LESS, "JankStats")                                   \
    X(SLOW_FRAMES_PCT, slow_frames_pct, LESS, "Firebase slow frames, > 16 ms")           \
    X(FROZEN_FRAMES_PCT, frozen_frames_pct, LESS, "Firebase frozen frames, > 700 ms")    \
    X(BELOW_20FPS_PCT, below_20fps_pct, LESS, "Android vitals, frames below 20 FPS")     \
    X(BELOW_30FPS_PCT, below_30fps_pct, LESS, "Android vitals, frames below 30 FPS")     \
    X(PERFDOG_JANK, perfdog_jank, LESS, "PerfDog Jank")                                  \
    X(PERFDOG_BIG_JANK, perfdog_big_jank, LESS, "PerfDog BigJank")                       \
    X(PERFDOG_STUTTER_PCT, perfdog_stutter_pct, LESS, "PerfDog Stutter")                 \
    X(HITCH_RATIO, hitch_ratio_ms_per_s, LESS, "hitch time ratio")                       \
    X(FREEZE_TIME, freeze_time_ms, LESS, "time beyond one display interval")             \
    X(FRAMES_DELAY, frames_delay_s, LESS, "Sentry frames.delay")                         \
    X(LOW1_P1, low1_p1_fps, MORE, "1 % low: 99th percentile of frame-to-frame times")    \
    X(LOW1_MEAN, low1_mean_fps, MORE, "1 % low: mean of the longest 1 %")                \
    X(LOW1_INTEGRAL, low1_integral_fps, MORE, "1 % low: integral")                       \
    X(DROPPED_PCT, dropped_pct, LESS, "Chromium percent dropped")                        \
    X(PRESENTS, presents, NEUTRAL, "frames with a known present")                        \
    X(PRESENT_P50, present_p50_ns, LESS, "time from present to present, type 7")         \
    X(PRESENT_P95, present_p95_ns, LESS, "time from present to present, type 7")         \
    X(PRESENT_P99, present_p99_ns, LESS, "time from present to present, type 7")         \
    X(PRESENT_MAX, present_max_ns, LESS, "time from present to present")                 \
    X(PRESENTS_LATE, presents_late, LESS, "presents late by at least one refresh")       \
    X(REPEATED_REFRESHES, repeated_refreshes, LESS,                                      \
      "refreshes that showed an older frame again")                                      \
    X(SKIPPED_FRAMES, skipped_frames, LESS, "frames that the display never showed")      \
    X(PACING_ERROR_MEAN, pacing_error_mean_ns, LESS, "|step − k × interval|")            \
    X(PACING_ERROR_P95, pacing_error_p95_ns, LESS, "|step − k × interval|")              \
    X(ANIMATION_ERROR_MEAN, animation_error_mean_ns, LESS, "|Δ content − Δ present|")    \
    X(ANIMATION_ERROR_P95, animation_error_p95_ns, LESS, "|Δ content − Δ present|")      \
    X(ANIMATION_ERROR_MAX, animation_error_max_ns, LESS, "|Δ content − Δ present|")

/* The metrics of version 4 of the store: what SurfaceFlinger has counted of the layer
 * with the most frames (gfxinfo/surface.h). */
#define DJ_METRIC_MAP_3(X)                                                               \
    X(SURFACE_FRAMES, surface_frames, NEUTRAL, "frames that SurfaceFlinger counted")     \
    X(SURFACE_DROPPED, surface_dropped_frames, LESS, "frames that it dropped")           \
    X(AVERAGE_FPS, average_fps, MORE, "its averageFPS")                                  \
    X(P90_FPS, p90_fps, MORE, "Google's P90 FPS for games")                              \
    X(P99_FPS, p99_fps, MORE, "Google's P99 FPS for games")

/* All metrics, in the order of enum dj_metric. */
#define DJ_METRIC_MAP(X) DJ_METRIC_MAP_1(X) DJ_METRIC_MAP_2(X) DJ_METRIC_MAP_3(X)

enum dj_metric {
#define DJ_METRIC_SYMBOL(symbol, name, direction, about) DJ_METRIC_##symbol,
    DJ_METRIC_MAP(DJ_METRIC_SYMBOL)
#undef DJ_METRIC_SYMBOL
        DJ_METRIC_COUNT,
    /* The first metrics of versions 3 and 4 of the store, which older stores lack. */
    DJ_METRIC_FIRST_OF_MAP_2 = DJ_METRIC_LEGACY_JANKY_PCT,
    DJ_METRIC_FIRST_OF_MAP_3 = DJ_METRIC_SURFACE_FRAMES
};

/* Values of all metrics. An unknown value is NaN here and NULL in the store, never 0.
 * Counts are integers. */
struct dj_metrics {
    double value[DJ_METRIC_COUNT];
};

/* Sets all values to unknown. */
void dj_metrics_clear(struct dj_metrics *metrics);

/* Returns the name of a metric, such as "frame_time_p95_ns". */
const char *dj_metrics_name(enum dj_metric metric);

/* Returns which values of the metric are better. */
enum dj_metrics_direction dj_metrics_direction(enum dj_metric metric);
/* Finds a metric by its name. Returns false if there is none. */
bool dj_metrics_find(const char *name, enum dj_metric *metric);

/* Returns the metric that stores the figure of a jank rule. */
enum dj_metric dj_metrics_of_jank_rule(enum dj_jank_rule_id id);

/* A unit that a user may write after a value. The value times `factor` is in the unit of
 * the metric. */
struct dj_metric_unit {
    /* Name of the unit, such as "ms", or "" if the value may have no unit. */
    const char *name;
    double factor;
};

/* The units of all metrics whose names have the same suffix. */
struct dj_metrics_units {
    /* Suffix of the metric's name, such as "_ns". "" for plain numbers. */
    const char *suffix;
    /* The first unit is used for output. An element with factor 0 ends the list. */
    struct dj_metric_unit unit[5];
    /* Description of a valid value for error messages, for example "a time with its unit,
     * such as 16 ms". */
    const char *expected;
};

/* Returns the units for the suffix of a name. The name need not be a metric: "smooth_pct"
 * is valid, too. */
const struct dj_metrics_units *dj_metrics_units(const char *name);

/* A metric that is a percentage: 100 times the metric `count` divided by the metric
 * `of`. */
struct dj_metric_share {
    enum dj_metric share, count, of;
};

/* Returns the counts of a percentage, or NULL if the metric is not such a percentage. */
const struct dj_metric_share *dj_metrics_find_share(enum dj_metric metric);

/* Returns the metric for the median of a stage. The next metric is its 95th
 * percentile. */
enum dj_metric dj_metrics_stage_median(enum dj_stage stage);

/* The metrics that at least one of several runs has. Set the struct to zero before
 * use. */
struct dj_known_metrics {
    bool known[DJ_METRIC_COUNT];
};
void dj_metrics_known_add(struct dj_known_metrics *known, const struct dj_metrics *run);

/* Returns the metric to use if the frame time `metric` is unknown, as in logs of other
 * tools: the corresponding guide_total. Returns `metric` if it has no substitute. */
enum dj_metric dj_metrics_substitute(enum dj_metric metric);

/* Returns the metric to use for runs with the given known metrics: `metric`, or its
 * substitute if only the substitute is known. All code that handles a metric named by the
 * user, such as "p95", must call this function, so that all results agree. */
enum dj_metric dj_metrics_choose(enum dj_metric metric,
                                 const struct dj_known_metrics *known);

#endif
