/*
 * Converts recordings of dejank's recorder to events. The events describe the sections of
 * a process, and its frames with their stages and their expected timelines. Frames may
 * also come from a gfxinfo dump or from a batch.
 *
 * A frame becomes two pairs of FRAME_BEGIN and FRAME_END events. The pair
 * DJ_FRAME_EXPECTED_SURFACE lasts from IntendedVsync to the deadline. The pair
 * DJ_FRAME_ACTUAL_SURFACE lasts from the begin to the completion of the frame. The stages
 * of a frame become async sections on the track DJ_FRAMES_TRACK, one after the other.
 * They have the same cookie, and a flow connects them. They are async for two reasons: a
 * segment does not contain the threads of the stages, and frames may overlap.
 */
#ifndef DEJANK_TRACE_RECORDING_H
#define DEJANK_TRACE_RECORDING_H

#include "frame/dialect.h"
#include "frame/frame.h"
#include "segment/sections_reader.h"
#include "trace/event.h"

#define DJ_FRAMES_TRACK "Frames"

/* Frames of one window, the oldest first. */
struct dj_trace_frame_rows {
    const char *window; /* Title of the window, or NULL or "" if it has none. */
    int32_t pid;        /* Process of the window, or DJ_PID_UNKNOWN. */
    int64_t interval_ns;
    /* Android release whose rule decides whether a frame is janky. If NULL, a frame is
     * janky if it ended after its deadline. */
    const struct dj_dialect *dialect;
    const struct dj_frame *frames;
    size_t count;
    uint64_t first; /* Index of frames[0] among all frames that the window has drawn. */
};

struct dj_recording_edge;
struct dj_recording_row;

struct dj_recording_process {
    int32_t pid;
    char name[DJ_SEGMENT_NAME];
};

/* The recordings of several processes. A zeroed struct is empty. */
struct dj_trace_recording {
    /* Id of the process that was read last, or 0 if no process was read. `name` and
     * `program` belong to the same process. */
    int64_t pid;
    char name[DJ_SEGMENT_NAME], program[DJ_SEGMENT_NAME];
    uint64_t frames; /* Number of frames of all processes. */
    /* Processes that were read. Owned by this struct. */
    struct dj_recording_process *processes;
    size_t process_count;
    /* Sections of each process that has sections. Owned by this struct. */
    struct dj_sections *sections;
    size_t section_count;
    struct dj_recording_row *rows; /* Frames of all processes. Owned by this struct. */
    size_t row_count, row_capacity;
    /* Begins and ends of frames and stages. Owned by this struct. */
    struct dj_recording_edge *edges;
    size_t edge_count, edge_capacity;
    struct dj_text titles; /* Titles of all windows. A NUL ends each title. */
};

void dj_trace_recording_finish(struct dj_trace_recording *recorded);

/* Adds the frames of a window. Copies all data that is needed later. Ignores frames that
 * were skipped (DJ_FLAG_SKIPPED_FRAME) and frames without a begin or an end. */
void dj_trace_recording_add_rows(struct dj_trace_recording *recorded,
                                 const struct dj_trace_frame_rows *rows);

/* Adds the sections of a process. Moves the memory of *sections to `recorded` and
 * empties *sections. */
void dj_trace_recording_add_sections(struct dj_trace_recording *recorded,
                                     struct dj_sections *sections);

/* Adds the recording of a process. It consists of a segment (frames) and a sections file.
 * `path` is one of the two files. The other one is also read if it exists. Returns
 * DJ_E_NO_DATA if the files contain neither frames nor sections, or an error of
 * dj_segment_snapshot_read() or dj_segment_sections_read(). */
int dj_trace_recording_read(struct dj_trace_recording *recorded, const char *path,
                            struct dj_error *err);

/* Passes all events to the sink, in order of time. Names of threads come first. If the
 * sink returns a value other than 0, stops and returns this value. */
int dj_trace_recording_send_events(struct dj_trace_recording *recorded,
                                   struct dj_event_sink sink);

/* Merges the events of a recording with other events that use the same clock, for example
 * those of a capture. Zero the struct and set `sink` and `recorded`. `sink` receives all
 * events. Pass the other events to dj_trace_merger_add_event() in order of time, and call
 * dj_trace_merger_end() after the last one. An event of the recording is placed before
 * the first other event that is later. */
struct dj_trace_merger {
    struct dj_event_sink sink;
    struct dj_trace_recording *recorded;
    size_t edge; /* Index of the next edge in recorded->edges. */
    /* For each process, the index of its next section event. Owned by this struct. */
    size_t *section;
    int64_t next_ns; /* Time of the recording's next event. */
    bool begun;
};

int dj_trace_merger_add_event(void *merger, const struct dj_event *event);
/* Ends the merging. Call this function after the last other event. `code` is the result
 * of reading the other events. If it is 0, passes the remaining events of the recording
 * to the sink. Frees the memory of the merger. Returns `code` if it is not 0, and the
 * sink's result otherwise. */
int dj_trace_merger_end(struct dj_trace_merger *merger, int code);

#endif
