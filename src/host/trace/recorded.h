/*
 * What our recorder left of processes, as events: sections as they were called, and every
 * frame with its stages and what was expected of it. Rows of frames may come from
 * anywhere else, too: a dump, a batch.
 *
 * A frame is a FRAME_BEGIN and FRAME_END of DJ_FRAME_EXPECTED_SURFACE (IntendedVsync →
 * its deadline) and of DJ_FRAME_ACTUAL_SURFACE (where it began → where it was complete),
 * and its stages are async sections of the track DJ_FRAMES_TRACK, one after the other
 * under one cookie, bound by a flow: a segment does not know the threads of a stage, and
 * frames overlap.
 */
#ifndef DEJANK_TRACE_RECORDED_H
#define DEJANK_TRACE_RECORDED_H

#include "frame/dialect.h"
#include "frame/frame.h"
#include "segment/sections_reader.h"
#include "trace/event.h"
#include "trace/trace.h"

#define DJ_FRAMES_TRACK "Frames"

/* Rows of one window, oldest first. */
struct dj_frame_rows {
    const char *window; /* its title; NULL or "": none */
    int32_t pid;        /* of its process; DJ_PID_UNKNOWN */
    int64_t interval_ns;
    const struct dj_dialect *dialect; /* whose rule says which are janky; NULL: those that
                                         ended past their deadline */
    const struct dj_frame *frames;
    size_t count;
    uint64_t first; /* the number of frames[0] among all that the window ever had */
};

struct dj_recorded_edge;
struct dj_recorded_row;

struct dj_recorded_process {
    int32_t pid;
    char name[DJ_SEGMENT_NAME];
};

/* All zero is nothing. */
struct dj_recorded {
    int64_t pid; /* of the process that was read last; 0: none was */
    char name[DJ_SEGMENT_NAME], program[DJ_SEGMENT_NAME];
    uint64_t frames;                       /* that are in it */
    struct dj_recorded_process *processes; /* those that were read; owned */
    size_t process_count;
    struct dj_sections *sections; /* one of each process; owned */
    size_t section_count;
    struct dj_recorded_row *rows; /* what is written of each frame; owned */
    size_t row_count, row_capacity;
    struct dj_recorded_edge *edges; /* beginnings and ends of frames and stages; owned */
    size_t edge_count, edge_capacity;
    struct dj_text titles; /* of windows */
};

void dj_recorded_finish(struct dj_recorded *recorded);

/* Adds a window's rows, which are not needed any more then. Those that nothing was drawn
 * for (DJ_FLAG_SKIPPED_FRAME), or without a beginning and an end, are left out. */
void dj_recorded_add_rows(struct dj_recorded *recorded, const struct dj_frame_rows *rows);

/* Adds sections that were read; they change hands. */
void dj_recorded_add_sections(struct dj_recorded *recorded, struct dj_sections *sections);

/* Adds what a process left: `path` is its segment or its sections, and of the two that
 * which lies beside it is read as well. DJ_E_NO_DATA where there are neither frames nor
 * sections; else as dj_snapshot_read() and dj_sections_read(). */
int dj_recorded_read(struct dj_recorded *recorded, const char *path,
                     struct dj_error *err);

/* Hands all out in order of time, names of threads first. What the sink answers ends it.
 */
int dj_recorded_tell(struct dj_recorded *recorded, struct dj_event_sink sink);

/*
 * The same, woven into other events of the same clock: each comes before the first of
 * those that is later. Zero it but for sink (where all go) and recorded; use
 * dj_weave_take() as the sink of the other events, and dj_weave_end() behind the last.
 */
struct dj_weave {
    struct dj_event_sink sink;
    struct dj_recorded *recorded;
    size_t edge;     /* the next one */
    size_t *section; /* the same of each process; owned */
    int64_t next_ns; /* until then none of them comes */
    bool begun;
};

int dj_weave_take(void *weave, const struct dj_event *event);
/* What is left, unless `code` (of what came before) is an error already, which it then
 * answers. Finishes the weave. */
int dj_weave_end(struct dj_weave *weave, int code);

/* ---- frame_rows.c: rows of frames become beginnings and ends ---- */

/* What is written of a frame. */
struct dj_recorded_row {
    int64_t token;
    uint64_t id;    /* of the frame among all; others' are at least 2 away from it */
    uint32_t title; /* where that is in recorded->titles */
    int32_t pid;
    bool janky;
};

enum dj_recorded_what {
    DJ_RECORDED_EXPECTED_BEGIN,
    DJ_RECORDED_ACTUAL_BEGIN,
    DJ_RECORDED_STAGE_BEGIN,
    DJ_RECORDED_STAGE_END,
    DJ_RECORDED_ACTUAL_END,
    DJ_RECORDED_EXPECTED_END
};

struct dj_recorded_edge {
    int64_t at_ns;
    uint32_t order; /* of those of one stamp */
    uint32_t row;
    uint8_t what;  /* enum dj_recorded_what */
    uint8_t stage; /* enum dj_stage */
};

/* The edge as an event, which points into `recorded` and *frame. */
void dj_recorded_event(const struct dj_recorded *recorded,
                       const struct dj_recorded_edge *edge, struct dj_event *event,
                       struct dj_event_frame *frame);

/* ---- read_sections.c: the sections of a process as a trace, of this room only ---- */

/* Reads a file of sections. Errors are those of dj_sections_read(). */
int dj_read_sections(const char *path, struct dj_trace *trace, struct dj_error *err);

/* The same of the file beside a segment. DJ_E_NO_DATA where there is none. */
int dj_read_sections_beside(const char *path, struct dj_trace *trace,
                            struct dj_error *err);

#endif
