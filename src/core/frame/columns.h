/* frame: defines what a frame is: its columns in every Android release, the jank
 * rules, histograms, sums and windows. It does not contain the text of dumps (gfxinfo)
 * or the shared memory (segment). It runs inside recorded apps: no allocation, no I/O,
 * no clock, no globals; safe in any thread.
 *
 * All timestamps are int64_t nanoseconds of the device's CLOCK_MONOTONIC unless a
 * column says otherwise. */
#ifndef DEJANK_FRAME_COLUMNS_H
#define DEJANK_FRAME_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the value of a column means. */
enum dj_frame_column_kind {
    DJ_KIND_FLAGS,    /* bit mask, enum dj_flag */
    DJ_KIND_ID,       /* an opaque number */
    DJ_KIND_INPUT,    /* timestamp of an input event, with sentinels for "none" */
    DJ_KIND_DEADLINE, /* timestamp; INT64_MAX if the system had none */
    DJ_KIND_STAGE,    /* timestamp of the start or end of a pipeline stage */
    DJ_KIND_DURATION, /* length in ns */
    DJ_KIND_LATE /* timestamp that a fence or the compositor writes after the frame: may
                    be stale */
};

/* Every column of every release in pipeline order: the columns of the UI thread
 * precede SyncQueued, those of the render thread follow it (duration() relies on that
 * order). The numbers are part of the segment format: append only, before
 * DJ_COLUMN_COUNT. X(symbol, header name, kind) */
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
        2, /* the render thread started this frame itself; a normal frame */
    DJ_FLAG_SURFACE_CANVAS = 4, /* never janky */
    DJ_FLAG_SKIPPED_FRAME = 8   /* nothing was drawn; the slot is reused */
};

/* Returns the header name of a column ("IntendedVsync"). column < DJ_COLUMN_COUNT. */
const char *dj_frame_column_name(enum dj_column column);
enum dj_frame_column_kind dj_frame_column_kind(enum dj_column column);

/* Finds the column with this header name (case-sensitive). Returns false if no release
 * has it. */
bool dj_frame_column_find(const char *name, size_t length, enum dj_column *column);

/* An ordered list of columns: the header of one release or of one dump. */
struct dj_column_list {
    uint8_t column[DJ_COLUMN_COUNT];
    uint8_t count;
};

/* Returns the columns of a list as a set: bit n is column n. */
uint64_t dj_frame_column_mask(const struct dj_column_list *columns);

#endif
