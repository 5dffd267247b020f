/*
 * frame: the vocabulary — what a frame is, its columns in every Android release, the jank
 * rules, histograms, sums and windows. Not the text of dumps (gfxinfo) nor the shared
 * memory (segment). Runs inside recorded apps: no allocation, no I/O, no clock, no
 * globals; safe in any thread.
 *
 * All stamps are int64_t nanoseconds of the device's CLOCK_MONOTONIC unless a column says
 * otherwise.
 */
#ifndef DEJANK_FRAME_COLUMNS_H
#define DEJANK_FRAME_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a column's number is. */
enum dj_column_kind {
    DJ_KIND_FLAGS,    /* bit mask, enum dj_flag */
    DJ_KIND_ID,       /* an opaque number */
    DJ_KIND_INPUT,    /* stamp of an input event, with sentinels for "none" */
    DJ_KIND_DEADLINE, /* stamp; INT64_MAX when the system had none */
    DJ_KIND_STAGE,    /* stamp at which a pipeline stage starts or ends */
    DJ_KIND_DURATION, /* length in ns */
    DJ_KIND_LATE /* stamp written after the frame, by a fence or the compositor: may be
                    stale */
};

/*
 * Every column any release had, in pipeline order: what the UI thread stamps stands
 * before SyncQueued, the render thread's columns after it (duration() relies on that
 * order). The numbers are part of the segment format: append only, before
 * DJ_COLUMN_COUNT. X(symbol, header name, kind)
 */
#define DJ_COLUMN_MAP(X)                                                                 \
    X(FLAGS, "Flags", FLAGS)                                                             \
    X(FRAME_TIMELINE_VSYNC_ID, "FrameTimelineVsyncId", ID)                               \
    X(INTENDED_VSYNC, "IntendedVsync", STAGE)                                            \
    X(VSYNC, "Vsync", STAGE)                                                             \
    X(OLDEST_INPUT_EVENT, "OldestInputEvent", INPUT)                                     \
    X(NEWEST_INPUT_EVENT, "NewestInputEvent", INPUT)                                     \
    X(INPUT_EVENT_ID, "InputEventId", ID)                                                \
    X(HANDLE_INPUT_START, "HandleInputStart", STAGE)                                     \
    X(ANIMATION_START, "AnimationStart", STAGE)                                          \
    X(PERFORM_TRAVERSALS_START, "PerformTraversalsStart", STAGE)                         \
    X(DRAW_START, "DrawStart", STAGE)                                                    \
    X(FRAME_DEADLINE, "FrameDeadline", DEADLINE)                                         \
    X(FRAME_START_TIME, "FrameStartTime", LATE)                                          \
    X(FRAME_INTERVAL, "FrameInterval", DURATION)                                         \
    X(WORKLOAD_TARGET, "WorkloadTarget", DURATION)                                       \
    X(ANIMATION_TIME, "AnimationTime", LATE)                                             \
    X(SYNC_QUEUED, "SyncQueued", STAGE)                                                  \
    X(SYNC_START, "SyncStart", STAGE)                                                    \
    X(ISSUE_DRAW_COMMANDS_START, "IssueDrawCommandsStart", STAGE)                        \
    X(SWAP_BUFFERS, "SwapBuffers", STAGE)                                                \
    X(FRAME_COMPLETED, "FrameCompleted", STAGE)                                          \
    X(DEQUEUE_BUFFER_DURATION, "DequeueBufferDuration", DURATION)                        \
    X(QUEUE_BUFFER_DURATION, "QueueBufferDuration", DURATION)                            \
    X(GPU_COMPLETED, "GpuCompleted", LATE)                                               \
    X(SWAP_BUFFERS_COMPLETED, "SwapBuffersCompleted", LATE)                              \
    X(DISPLAY_PRESENT_TIME, "DisplayPresentTime", LATE)                                  \
    X(COMMAND_SUBMISSION_COMPLETED, "CommandSubmissionCompleted", LATE)

enum dj_column {
#define DJ_COLUMN_SYMBOL(symbol, name, kind) DJ_COLUMN_##symbol,
    DJ_COLUMN_MAP(DJ_COLUMN_SYMBOL)
#undef DJ_COLUMN_SYMBOL
        DJ_COLUMN_COUNT
};

/* Bits of the Flags column (gfxinfo.md §1.3; hwui FrameInfo.h). */
enum dj_flag {
    DJ_FLAG_WINDOW_CHANGED = 1, /* layout changed (–11), visibility changed (12–) */
    DJ_FLAG_RT_ANIMATION =
        2, /* the render thread drove this frame itself; a healthy frame */
    DJ_FLAG_SURFACE_CANVAS = 4, /* exempt from jank */
    DJ_FLAG_SKIPPED_FRAME = 8   /* nothing was drawn; the slot is reused */
};

/* The header name of a column ("IntendedVsync"). column < DJ_COLUMN_COUNT. */
const char *dj_column_name(enum dj_column column);
enum dj_column_kind dj_column_kind(enum dj_column column);

/* The column with this header name; false for names no release has. Case matters. */
bool dj_column_find(const char *name, size_t length, enum dj_column *column);

/* An ordered selection of columns: the header of one release, or of one dump. */
struct dj_column_list {
    uint8_t column[DJ_COLUMN_COUNT];
    uint8_t count;
};

/* The same without its order: bit n is column n. */
uint64_t dj_column_mask(const struct dj_column_list *columns);

#endif
