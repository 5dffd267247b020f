/*
 * Converts what dejank's recorder wrote for processes to events: sections, and every
 * frame with its stages and its expected timeline. Rows of frames may also come from a
 * dump or a batch.
 *
 * A frame becomes FRAME_BEGIN and FRAME_END of DJ_FRAME_EXPECTED_SURFACE (IntendedVsync
 * to its deadline) and of DJ_FRAME_ACTUAL_SURFACE (its begin to its completion). Its
 * stages become async sections on the track DJ_FRAMES_TRACK, one after the other with
 * one cookie, connected by a flow. They are async because a segment does not contain the
 * threads of a stage, and because frames overlap.
 */
#ifndef DEJANK_TRACE_RECORDING_H
#define DEJANK_TRACE_RECORDING_H

#include "frame/dialect.h"
#include "frame/frame.h"
#include "segment/sections_reader.h"
#include "trace/event.h"

#define DJ_FRAMES_TRACK "Frames"

/* Rows of one window, oldest first. */
struct dj_trace_frame_rows {
    const char *window; /* its title; NULL or "": none */
    int32_t pid;        /* of its process, or DJ_PID_UNKNOWN */
    int64_t interval_ns;
    const struct dj_dialect *dialect; /* its rule decides which frames are janky; NULL:
                                         those that ended after their deadline */
    const struct dj_frame *frames;
    size_t count;
    uint64_t first; /* index of frames[0] among all frames that the window ever had */
};

struct dj_recording_edge;
struct dj_recording_row;

struct dj_recording_process {
    int32_t pid;
    char name[DJ_SEGMENT_NAME];
};

/* All zero is empty. */
struct dj_trace_recording {
    int64_t pid; /* of the process that was read last; 0: none */
    char name[DJ_SEGMENT_NAME], program[DJ_SEGMENT_NAME];
    uint64_t frames;                        /* number of frames */
    struct dj_recording_process *processes; /* the processes that were read; owned */
    size_t process_count;
    struct dj_sections *sections; /* one for each process; owned */
    size_t section_count;
    struct dj_recording_row *rows; /* one for each frame; owned */
    size_t row_count, row_capacity;
    struct dj_recording_edge *edges; /* begins and ends of frames and stages; owned */
    size_t edge_count, edge_capacity;
    struct dj_text titles; /* of windows */
};

void dj_trace_recording_finish(struct dj_trace_recording *recorded);

/* Adds the rows of a window. It copies what it needs. It ignores rows without a drawn
 * frame (DJ_FLAG_SKIPPED_FRAME) and rows without a begin and an end. */
void dj_trace_recording_add_rows(struct dj_trace_recording *recorded,
                                 const struct dj_trace_frame_rows *rows);

/* Adds sections that were read. It takes over their memory and empties *sections. */
void dj_trace_recording_add_sections(struct dj_trace_recording *recorded,
                                     struct dj_sections *sections);

/* Adds the recording of a process: `path` is its segment or its sections file. It also
 * reads the other one of the two if it exists next to `path`. Returns DJ_E_NO_DATA if
 * there are neither frames nor sections, else as dj_segment_snapshot_read() and
 * dj_segment_sections_read(). */
int dj_trace_recording_read(struct dj_trace_recording *recorded, const char *path,
                            struct dj_error *err);

/* Passes all events to the sink in order of time, names of threads first. Stops at the
 * first code of the sink that is not 0 and returns it. */
int dj_trace_recording_send_events(struct dj_trace_recording *recorded,
                                   struct dj_event_sink sink);

/* Merges the same events into other events of the same clock. Each one comes before the
 * first other event with a later stamp. Zero it and set sink (the destination of all
 * events) and recorded. Use dj_trace_merger_add_event() as the sink of the other events,
 * and call dj_trace_merger_end() after the last one. */
struct dj_trace_merger {
    struct dj_event_sink sink;
    struct dj_trace_recording *recorded;
    size_t edge;     /* the next one */
    size_t *section; /* the next section of each process; owned */
    int64_t next_ns; /* time of the next event of the recording */
    bool begun;
};

int dj_trace_merger_add_event(void *merger, const struct dj_event *event);
/* Passes the remaining events to the sink, unless `code` (the result so far) is an error.
 * Then it returns `code`. Frees the memory of the merger. */
int dj_trace_merger_end(struct dj_trace_merger *merger, int code);

#endif
