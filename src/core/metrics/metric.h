/*
 * metrics: every figure of a window, run and batch: its name, unit and better direction,
 * and how it is computed from the evidence, gfxinfo text. Deterministic, so that stored
 * figures can be recomputed, bit for bit. Not what figures mean: compare, trend and gate.
 *
 * Exact and as printed are both there: `hwui_…` is what the device counted and printed
 * over the whole run; `rows_…`, `frame_time_…` and what follows are exact, from the
 * nanoseconds of the rows whose IntendedVsync lies in the window.
 *
 * This header: the table of metrics. Computing them: window.h.
 */
#ifndef DEJANK_METRICS_METRIC_H
#define DEJANK_METRICS_METRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "frame/stages.h"

/* Which direction is better. */
enum dj_metrics_direction { DJ_METRIC_NEUTRAL, DJ_METRIC_LESS, DJ_METRIC_MORE };

/* The metrics of version 1 of the store, which are its columns (docs/format/store.md):
 * never edited. A later version adds another map after them. X(SYMBOL, name, sense,
 * description) */
#define DJ_METRIC_MAP_1(X)                                                               \
    X(FRAMES, frames, NEUTRAL, "frames: hwui's count, or of the rows where it has none") \
    X(JANKY_FRAMES, janky_frames, LESS, "janky ones of them by the release's rule")      \
    X(JANKY_PCT, janky_pct, LESS, "their share")                                         \
    X(HWUI_TOTAL, hwui_total_frames, NEUTRAL, "Total frames rendered")                   \
    X(HWUI_JANKY, hwui_janky_frames, LESS, "Janky frames")                               \
    X(HWUI_JANKY_PCT, hwui_janky_pct, LESS, "their share, in hwui's arithmetic")         \
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
    X(ROWS, rows, NEUTRAL, "rows of frames, of whatever use")                            \
    X(ROWS_USABLE, rows_usable, NEUTRAL, "of them those that count for exact figures")   \
    X(ROWS_JUDGED, rows_judged, NEUTRAL, "of those: the release's rule has an answer")   \
    X(ROWS_JANKY, rows_janky, LESS, "of those: janky")                                   \
    X(ROWS_JANKY_PCT, rows_janky_pct, LESS, "their share")                               \
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
    X(RECOVERED, recovered_frames, MORE, "counted frames that are there as rows")        \
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
    X(GUIDE_FRAMES, guide_frames, NEUTRAL, "rows whose Flags are 0")                     \
    X(GUIDE_OVER, guide_over_frames, LESS, "of those: guide_total beyond the interval")  \
    X(FRAME_RATE, frame_rate_hz, MORE,                                                   \
      "average while frames were made, pauses left out")                                 \
    X(DROPPED_INTERVALS, dropped_intervals, LESS,                                        \
      "display intervals without a new frame while frames were made")                    \
    X(INTERVAL, interval_ns, NEUTRAL, "the display's, of the window with the most rows") \
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
    X(WAIT_P50, stage_wait_p50_ns, LESS, "stage Wait, no part of the frame time")        \
    X(WAIT_P95, stage_wait_p95_ns, LESS, "stage Wait, no part of the frame time")        \
    X(SYNC_P50, stage_sync_p50_ns, LESS, "stage Sync")                                   \
    X(SYNC_P95, stage_sync_p95_ns, LESS, "stage Sync")                                   \
    X(ISSUE_P50, stage_issue_p50_ns, LESS, "stage Issue")                                \
    X(ISSUE_P95, stage_issue_p95_ns, LESS, "stage Issue")                                \
    X(SWAP_P50, stage_swap_p50_ns, LESS, "stage Swap")                                   \
    X(SWAP_P95, stage_swap_p95_ns, LESS, "stage Swap")                                   \
    X(FINDINGS, findings, LESS, "rules of findings that found a frame at least")

/* All of them. */
#define DJ_METRIC_MAP(X) DJ_METRIC_MAP_1(X)

enum dj_metric {
#define DJ_METRIC_SYMBOL(symbol, name, sense, about) DJ_METRIC_##symbol,
    DJ_METRIC_MAP(DJ_METRIC_SYMBOL)
#undef DJ_METRIC_SYMBOL
        DJ_METRIC_COUNT
};

/* Unknown is NaN, and NULL in the store; never 0. Counts are integers. */
struct dj_metrics {
    double value[DJ_METRIC_COUNT];
};

/* Sets all to unknown. */
void dj_metrics_clear(struct dj_metrics *metrics);

/* Return the name, such as "frame_time_p95_ns", and the better direction. */
const char *dj_metrics_name(enum dj_metric metric);
enum dj_metrics_direction dj_metrics_direction(enum dj_metric metric);
/* Returns false if no metric has this name. */
bool dj_metrics_find(const char *name, enum dj_metric *metric);

/* A unit for entering a value; `factor` converts it to the metric's own unit. */
struct dj_metric_unit {
    const char *name; /* "ms"; "": none */
    double factor;
};

/* The units of all metrics with the same name suffix. */
struct dj_metrics_units {
    const char *suffix; /* "_ns"; "": a plain number */
    struct dj_metric_unit
        unit[5];          /* the first is used for output; a factor of 0 ends the list */
    const char *expected; /* for messages: "a time with its unit, such as 16 ms" */
};

/* Finds the units by the suffix of a name, also for names that are not metrics, such
 * as "smooth_pct". */
const struct dj_metrics_units *dj_metrics_units(const char *name);

/* A metric that is one count as a percentage of another. */
struct dj_metrics_is_share {
    enum dj_metric share, count, of;
};

/* Returns NULL if `metric` is not such a percentage. */
const struct dj_metrics_is_share *dj_metrics_is_share(enum dj_metric metric);

/* Returns a run's median of a stage; the next metric is its 95th percentile. */
enum dj_metric dj_metrics_stage_median(enum dj_stage stage);

/* The metrics that some runs have. Zero it before use. */
struct dj_known_metrics {
    bool known[DJ_METRIC_COUNT];
};
void dj_metrics_known_add(struct dj_known_metrics *known, const struct dj_metrics *run);

/* Returns the metric that replaces a frame time if none is recorded, as in logs of
 * other tools: guide_total. Returns `metric` itself if there is no such metric. */
enum dj_metric dj_metrics_substitute(enum dj_metric metric);

/* Returns the metric that `metric` means for runs with these metrics: `metric`, or its
 * substitute if only that is known. All code that judges or shows "p95" uses this. */
enum dj_metric dj_metrics_choose(enum dj_metric metric,
                                 const struct dj_known_metrics *known);

#endif
