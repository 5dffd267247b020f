#include "frame/dialect.h"

#include <math.h>
#include <string.h>

#include "base/count_of.h"
#include "frame/quirks.h"

/* Columns. Source: native FrameInfo.h and FrameInfo.cpp of each release. The columns of
 * the UI thread (UI_…) and of the render thread (RT_…) change independently. The suffix
 * is the first release with these columns. */
#define UI_PREVIEW                                                                       \
    DJ_COLUMN_FLAGS, DJ_COLUMN_INTENDED_VSYNC, DJ_COLUMN_VSYNC,                          \
        DJ_COLUMN_OLDEST_INPUT_EVENT, DJ_COLUMN_NEWEST_INPUT_EVENT,                      \
        DJ_COLUMN_HANDLE_INPUT_START, DJ_COLUMN_ANIMATION_START,                         \
        DJ_COLUMN_PERFORM_TRAVERSALS_START, DJ_COLUMN_DRAW_START
#define UI_12                                                                            \
    DJ_COLUMN_FLAGS, DJ_COLUMN_FRAME_TIMELINE_VSYNC_ID, DJ_COLUMN_INTENDED_VSYNC,        \
        DJ_COLUMN_VSYNC, DJ_COLUMN_INPUT_EVENT_ID, DJ_COLUMN_HANDLE_INPUT_START,         \
        DJ_COLUMN_ANIMATION_START, DJ_COLUMN_PERFORM_TRAVERSALS_START,                   \
        DJ_COLUMN_DRAW_START, DJ_COLUMN_FRAME_DEADLINE, DJ_COLUMN_FRAME_START_TIME,      \
        DJ_COLUMN_FRAME_INTERVAL
#define UI_16 UI_12, DJ_COLUMN_WORKLOAD_TARGET
#define RT_PREVIEW                                                                       \
    DJ_COLUMN_SYNC_START, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, DJ_COLUMN_SWAP_BUFFERS,   \
        DJ_COLUMN_FRAME_COMPLETED
#define RT_6_0 DJ_COLUMN_SYNC_QUEUED, RT_PREVIEW
#define RT_7_1 RT_6_0, DJ_COLUMN_DEQUEUE_BUFFER_DURATION, DJ_COLUMN_QUEUE_BUFFER_DURATION
#define RT_11 RT_7_1, DJ_COLUMN_GPU_COMPLETED
#define RT_12 RT_11, DJ_COLUMN_SWAP_BUFFERS_COMPLETED, DJ_COLUMN_DISPLAY_PRESENT_TIME
#define RT_13 RT_12, DJ_COLUMN_COMMAND_SUBMISSION_COMPLETED

/* Thresholds. Source: hwui JankTracker.cpp, COMPARISONS and setFrameInterval() /
 * recomputeThresholds(). The numbers are the same in all releases. Android 9 removed the
 * threshold for the age of input events. */
#define SLOW_STAGES                                                                      \
    {DJ_COUNTER_SLOW_UI_THREAD, DJ_COLUMN_VSYNC, DJ_COLUMN_SYNC_START, 0.5, 0},          \
        {DJ_COUNTER_SLOW_BITMAP_UPLOADS, DJ_COLUMN_SYNC_START,                           \
         DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, 0.2, 0},                                   \
    {                                                                                    \
        DJ_COUNTER_SLOW_ISSUE_DRAW_COMMANDS, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START,        \
            DJ_COLUMN_FRAME_COMPLETED, 0.75, 0                                           \
    }

static const struct dj_threshold thresholds_preview[] = {
    {DJ_COUNTER_MISSED_VSYNC, DJ_COLUMN_INTENDED_VSYNC, DJ_COLUMN_VSYNC, 0, 1},
    {DJ_COUNTER_HIGH_INPUT_LATENCY, DJ_COLUMN_OLDEST_INPUT_EVENT, DJ_COLUMN_VSYNC, 1.5,
     0},
    SLOW_STAGES,
};
static const struct dj_threshold thresholds_9[] = {
    {DJ_COUNTER_MISSED_VSYNC, DJ_COLUMN_INTENDED_VSYNC, DJ_COLUMN_VSYNC, 0, 1},
    SLOW_STAGES,
};
#define THRESHOLDS(table) .thresholds = (table), .threshold_count = COUNT_OF(table)

/* Histogram buckets of frame times. Source: JankTracker.cpp, and since Android 8
 * ProfileData.cpp. */
#define BUCKETS_PREVIEW                                                                  \
    .bucket = dj_quirks_bucket_preview,                                                  \
    .bucket_label_ms = dj_quirks_bucket_preview_label_ms,                                \
    .bucket_count = DJ_PREVIEW_BUCKETS
#define BUCKETS_6_0                                                                      \
    .bucket = dj_quirks_bucket_6_0, .bucket_label_ms = dj_frame_bucket_label_ms,         \
    .bucket_count = DJ_6_0_BUCKETS, .as_printed = dj_quirks_count_6_0
#define BUCKETS_7_0                                                                      \
    .bucket = dj_quirks_bucket_7_0, .bucket_label_ms = dj_frame_bucket_label_ms,         \
    .bucket_count = DJ_FRAME_BUCKETS, .as_printed = dj_quirks_count_7_0

/* Each of the following macros sets all rules for a group of releases. The releases of a
 * group judge frames in the same way (docs/semantics.md). */

/* Android 5 judges no frames and prints no counts. Its dump has only the time of each
 * stage of each frame. */
#define TRACKER_5                                                                        \
    .block_end = "", .judge = dj_tracker_judge_none, .total = dj_frame_duration,         \
    .span = dj_frame_duration, .interval = dj_quirks_interval_exact, BUCKETS_7_0

/* Flags 1 and 4 are exempt. The frame time is end − start, including the wait for the
 * render thread. In M Preview this is also true for the times that have a threshold. */
#define TRACKER_PREVIEW                                                                  \
    .block_end = "\n", .judge = dj_tracker_judge_interval,                               \
    THRESHOLDS(thresholds_preview), .total = dj_quirks_span_plain,                       \
    .interval = dj_quirks_interval_exact,                                                \
    .exempt_flags = DJ_FLAG_WINDOW_CHANGED | DJ_FLAG_SURFACE_CANVAS,                     \
    .drops_slow_exempt = true, .empty_pct = (double)NAN

/* The frame time is that of dj_frame_duration(). Only flag 4 is exempt. */
#define TRACKER_7_0                                                                      \
    .judge = dj_tracker_judge_interval, THRESHOLDS(thresholds_preview),                  \
    .total = dj_frame_duration, .span = dj_frame_duration,                               \
    .exempt_flags = DJ_FLAG_SURFACE_CANVAS, BUCKETS_7_0

/* In hwui, the swap deadline starts with an uninitialized value. Here, and in the test
 * vectors, it starts with 0. */
#define TRACKER_9                                                                        \
    .window_stats = true, .block_end = "", .judge = dj_tracker_judge_swap_deadline,      \
    THRESHOLDS(thresholds_9), .total = dj_frame_duration, .span = dj_frame_duration,     \
    .exempt_flags = DJ_FLAG_SURFACE_CANVAS, .forgives_dequeue = true, BUCKETS_7_0

/* first_swap_deadline_ns is −1 because hwui's mSwapDeadlineLegacy starts with −1. The
 * tracker replaces −1 by one interval after the first frame that is not exempt. */
#define TRACKER_12                                                                       \
    .has_header = true, .window_stats = true, .judge = dj_tracker_judge_frame_deadline,  \
    THRESHOLDS(thresholds_9), .total = dj_frame_duration, .span = dj_frame_duration,     \
    .interval = dj_quirks_interval_exact, .exempt_flags = DJ_FLAG_SURFACE_CANVAS,        \
    .forgives_dequeue = true, .counts_gpu = true, .first_swap_deadline_ns = -1,          \
    BUCKETS_7_0

#define RELEASE(release, level, from, ...)                                               \
    {                                                                                    \
        .name = (release), .api = (level), .source = (from), __VA_ARGS__                 \
    }
#define ROW_9(release, level)                                                            \
    RELEASE(release, level, SOURCE_9, .columns = {{UI_PREVIEW, RT_7_1}, 16},             \
            .has_header = true, .interval = dj_quirks_interval_from_fps, TRACKER_9)
#define ROW_12(release, level)                                                           \
    RELEASE(release, level,                                                              \
            "hwui JankTracker.cpp, rangerzhou/AOSP@c545bd3 (android-12.1.0_r4)",         \
            .columns = {{UI_12, RT_12}, 22}, .swapped_labels = true, .block_end = "",    \
            .stuffed_deadline = dj_quirks_stuffed_by_interval, TRACKER_12)
#define ROW_13(release, level)                                                           \
    RELEASE(release, level, SOURCE_13, .columns = {{UI_12, RT_13}, 23},                  \
            .swapped_labels = true, .block_end = "\n",                                   \
            .stuffed_deadline = dj_quirks_stuffed_by_interval, TRACKER_12)

#define SOURCE_9                                                                         \
    "hwui JankTracker.cpp and ProfileData.cpp of 9 and 10, one stored version"
#define SOURCE_13                                                                        \
    "hwui JankTracker.cpp of 13; 14 and 15 by their Java side's columns alone"

static const struct dj_dialect dialects[] = {
    RELEASE("5", 21, "hwui DrawProfiler: no tracker", TRACKER_5),
    RELEASE("preview", 22, "hwui JankTracker.cpp before 6.0, aosp-mirror snapshots",
            .columns = {{UI_PREVIEW, RT_PREVIEW}, 13}, .span = dj_quirks_span_plain,
            BUCKETS_PREVIEW, TRACKER_PREVIEW),
    RELEASE("6.0", 23, "hwui JankTracker.cpp and CanvasContext.cpp of 6.0",
            .columns = {{UI_PREVIEW, RT_6_0}, 14}, .has_header = true,
            .span = dj_frame_duration, BUCKETS_6_0, TRACKER_PREVIEW),
    RELEASE("7.0", 24,
            "hwui JankTracker.cpp, bionic-linux/android_frameworks_base@cd4ba7e",
            .columns = {{UI_PREVIEW, RT_6_0}, 14}, .has_header = true, .block_end = "\n",
            .interval = dj_quirks_interval_exact, .drops_slow_exempt = true,
            .empty_pct = (double)NAN, TRACKER_7_0),
    RELEASE("7.1", 25, "hwui JankTracker.cpp, aosp-mirror@fb5c675",
            .columns = {{UI_PREVIEW, RT_7_1}, 16}, .has_header = true, .block_end = "\n",
            .interval = dj_quirks_interval_from_fps, .drops_slow_exempt = true,
            .forgives_dequeue = true, .empty_pct = (double)NAN, TRACKER_7_0),
    RELEASE("8", 26, "hwui JankTracker.cpp and ProfileData.cpp of 8.x",
            .columns = {{UI_PREVIEW, RT_7_1}, 16}, .has_header = true,
            .window_stats = true, .block_end = "",
            .interval = dj_quirks_interval_from_fps, .aborts_on_nothing = true,
            .forgives_dequeue = true, TRACKER_7_0),
    ROW_9("9", 28),
    ROW_9("9-10", 28),
    ROW_9("10", 29),
    RELEASE("11", 30, "hwui JankTracker.cpp, Ankits-lab/frameworks_base@150a924",
            .columns = {{UI_PREVIEW, RT_11}, 17}, .has_header = true,
            .interval = dj_quirks_interval_exact, .counts_gpu = true, TRACKER_9),
    ROW_12("12", 31),
    ROW_12("12L", 32),
    ROW_13("13", 33),
    ROW_13("14", 34),
    ROW_13("15", 35),
    RELEASE("16", 36, "hwui JankTracker.cpp, Miku-UI@5144fe5; AOSP commit 92b519bd796f",
            .columns = {{UI_16, RT_13}, 24}, .block_end = "\n",
            .stuffed_deadline = dj_quirks_stuffed_by_workload, TRACKER_12),
};

const struct dj_dialect *dj_frame_dialect_at(size_t index)
{
    return index < COUNT_OF(dialects) ? &dialects[index] : NULL;
}

const struct dj_dialect *dj_frame_dialect_find(const char *release)
{
    for (size_t i = 0; dj_frame_dialect_at(i) != NULL; i++) {
        if (strcmp(dialects[i].name, release) == 0) {
            return &dialects[i];
        }
    }
    return NULL;
}

const struct dj_dialect *dj_frame_dialect_default(void)
{
    return dj_frame_dialect_find("11");
}

void dj_frame_dialect_apply_quirks(const struct dj_dialect *dialect,
                                   struct dj_stats *stats)
{
    if (dialect->as_printed != NULL) {
        dialect->as_printed(stats);
    }
}

uint32_t dj_frame_dialect_percentile_ms(const struct dj_dialect *dialect,
                                        const struct dj_stats *printed, unsigned percent)
{
    size_t bucket =
        dj_stats_percentile_bucket(printed->frame_histogram, dialect->bucket_count,
                                   printed->counter[DJ_COUNTER_TOTAL], percent);
    return bucket < dialect->bucket_count ? dialect->bucket_label_ms(bucket) : 0;
}

double dj_frame_dialect_janky_pct(const struct dj_dialect *dialect,
                                  const struct dj_stats *printed, enum dj_counter janky)
{
    return printed->counter[DJ_COUNTER_TOTAL] == 0
               ? dialect->empty_pct
               : dj_frame_stats_janky_pct(printed, janky);
}

const char *dj_frame_dialect_column_name(const struct dj_dialect *dialect,
                                         enum dj_column column)
{
    /* In Android 12, 12L and 13, hwui's list of column names has FrameStartTime and
     * FrameInterval in another order than hwui's enum. */
    if (dialect->swapped_labels && column == DJ_COLUMN_FRAME_START_TIME) {
        return dj_frame_column_name(DJ_COLUMN_FRAME_INTERVAL);
    }
    if (dialect->swapped_labels && column == DJ_COLUMN_FRAME_INTERVAL) {
        return dj_frame_column_name(DJ_COLUMN_FRAME_START_TIME);
    }
    return dj_frame_column_name(column);
}
