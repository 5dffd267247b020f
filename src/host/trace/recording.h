/*
 * Converts the files that dejank's recorder wrote for processes to events: sections,
 * and each frame with its stages and its expected timeline. Rows of frames may also
 * come from a gfxinfo dump or from a batch.
 *
 * A frame becomes two pairs of events FRAME_BEGIN and FRAME_END:
 * DJ_FRAME_EXPECTED_SURFACE from IntendedVsync to the deadline, and
 * DJ_FRAME_ACTUAL_SURFACE from the begin to the completion of the frame. The stages of
 * a frame become consecutive async sections on the track DJ_FRAMES_TRACK. They have the
 * same cookie and are connected by a flow. They are async because a segment does not
 * contain the threads of a stage, and because frames overlap.
 */
#ifndef DEJANK_TRACE_RECORDING_H
#define DEJANK_TRACE_RECORDING_H

#include "frame/dialect.h"
#include "frame/frame.h"
#include "segment/sections_reader.h"
#include "trace/event.h"

#define DJ_FRAMES_TRACK "Frames"

/* Frames of one window, oldest first. */
struct dj_trace_frame_rows {
    const char *window; /* Title of the window, or NULL or "" if it has none. */
    int32_t pid;        /* Process of the window, or DJ_PID_UNKNOWN. */
    int64_t interval_ns;
    /* Android release with the rule for janky frames. If it is NULL, a frame is janky
     * if it ended after its deadline. */
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

/* A zeroed struct is empty. */
struct dj_trace_recording {
    int64_t pid; /* Process that was read last, or 0 if none was read. */
    char name[DJ_SEGMENT_NAME], program[DJ_SEGMENT_NAME];
    uint64_t frames;                        /* Number of frames of all processes. */
    struct dj_recording_process *processes; /* Processes that were read. Owned. */
    size_t process_count;
    struct dj_sections *sections; /* One element per process. Owned. */
    size_t section_count;
    struct dj_recording_row *rows; /* One element per frame. Owned. */
    size_t row_count, row_capacity;
    struct dj_recording_edge *edges; /* Begins and ends of frames and stages. Owned. */
    size_t edge_count, edge_capacity;
    struct dj_text titles; /* Titles of windows, each with its NUL. */
};

void dj_trace_recording_finish(struct dj_trace_recording *recorded);

/* Adds the frames of a window. Copies all data that is needed later. Ignores skipped
 * frames (DJ_FLAG_SKIPPED_FRAME) and frames without a begin or an end. */
void dj_trace_recording_add_rows(struct dj_trace_recording *recorded,
                                 const struct dj_trace_frame_rows *rows);

/* Adds the sections of a process. Moves the memory of *sections to `recorded` and
 * empties *sections. */
void dj_trace_recording_add_sections(struct dj_trace_recording *recorded,
                                     struct dj_sections *sections);

/* Adds the recording of a process. `path` is either the segment or the sections file.
 * Also reads the other one of these two files if it exists. Returns DJ_E_NO_DATA if the
 * files contain neither frames nor sections, or the error of dj_segment_snapshot_read()
 * or dj_segment_sections_read(). */
int dj_trace_recording_read(struct dj_trace_recording *recorded, const char *path,
                            struct dj_error *err);

/* Passes all events to the sink in order of time, names of threads first. If the sink
 * returns a code other than 0, stops and returns this code. */
int dj_trace_recording_send_events(struct dj_trace_recording *recorded,
                                   struct dj_event_sink sink);

/* Merges the events of a recording into a sequence of other events with the same clock,
 * for example a capture. Zero it and set `sink`, which receives all events, and
 * `recorded`. Pass the other events to dj_trace_merger_add_event(), and call
 * dj_trace_merger_end() after the last one. An event of the recording is placed before
 * the first other event with a later time. */
struct dj_trace_merger {
    struct dj_event_sink sink;
    struct dj_trace_recording *recorded;
    size_t edge;     /* Index of the next edge in recorded->edges. */
    size_t *section; /* Index of the next section of each process. Owned. */
    int64_t next_ns; /* Time of the recording's next event. */
    bool begun;
};

int dj_trace_merger_add_event(void *merger, const struct dj_event *event);
/* Passes the remaining events to the sink if `code` is 0. `code` is the result of
 * reading the other events. Frees the memory of the merger. Returns `code` if it is not
 * 0, otherwise the sink's code. */
int dj_trace_merger_end(struct dj_trace_merger *merger, int code);

#endif
