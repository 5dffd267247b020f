/* Module frame: defines what a frame is: the columns of every Android release, the jank
 * rules, histograms, statistics and measurement windows. Module gfxinfo contains the
 * text format of dumps, and module segment the shared memory.
 *
 * This code runs inside recorded apps. It does not allocate memory, does no I/O, reads
 * no clock and has no global variables. Every function is safe in any thread.
 *
 * All timestamps are int64_t nanoseconds of the device's CLOCK_MONOTONIC unless a column
 * says otherwise. */
#ifndef DEJANK_FRAME_COLUMNS_H
#define DEJANK_FRAME_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dj_frame_column_kind {
    DJ_KIND_FLAGS, /* Bit mask of enum dj_flag. */
    DJ_KIND_ID,    /* An identifier without a unit. */
    DJ_KIND_INPUT, /* Timestamp of an input event, or a special value for "no event". */
    DJ_KIND_DEADLINE, /* Timestamp of a deadline, or INT64_MAX if the system set none. */
    DJ_KIND_STAGE,    /* Timestamp of the start or end of a pipeline stage. */
    DJ_KIND_DURATION, /* Duration in ns. */
    /* Timestamp that a fence or the compositor writes after the frame. Until it is
     * written, the column may contain the value of an earlier frame. */
    DJ_KIND_LATE
};

/* All columns of all Android releases, in pipeline order. The columns of the UI thread
 * precede SyncQueued, and those of the render thread follow it. dj_frame_duration()
 * relies on this order. The column numbers are part of the segment format, so a new
 * column is added at the end. X(symbol, header name, kind) */
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

/* Bits of the Flags column. Source: FrameInfo.h of hwui, Android's renderer. */
enum dj_flag {
    /* Up to Android 11: the window had a new layout. From 12 on: it became visible or
     * hidden. */
    DJ_FLAG_WINDOW_CHANGED = 1,
    /* The render thread started this frame without the UI thread. The frame is normal. */
    DJ_FLAG_RT_ANIMATION = 2,
    /* The app drew to a Surface directly. hwui never calls such a frame janky. */
    DJ_FLAG_SURFACE_CANVAS = 4,
    /* Nothing was drawn. The next frame reuses the row's slot in the ring buffer. */
    DJ_FLAG_SKIPPED_FRAME = 8
};

/* Returns the header name of a column, for example "IntendedVsync". The column must be
 * less than DJ_COLUMN_COUNT. */
const char *dj_frame_column_name(enum dj_column column);
enum dj_frame_column_kind dj_frame_column_kind(enum dj_column column);

/* Finds the column with this header name (case-sensitive). Returns false if no Android
 * release has a column with this name. */
bool dj_frame_column_find(const char *name, size_t length, enum dj_column *column);

/* The columns of one Android release or of one dump, in the order of their header. */
struct dj_column_list {
    uint8_t column[DJ_COLUMN_COUNT];
    uint8_t count;
};

/* Returns the columns of a list as a set: bit n is column n. */
uint64_t dj_frame_column_mask(const struct dj_column_list *columns);

#endif
