/* Builds a trace from events. */
#ifndef DEJANK_TRACE_BUILD_H
#define DEJANK_TRACE_BUILD_H

#include "trace/clock.h"
#include "trace/frames.h"
#include "trace/spans.h"
#include "trace/states.h"
#include "trace/summing.h"
#include "trace/threads.h"

/* Zero it and set `trace`, which must be empty. */
struct dj_build {
    struct dj_trace *trace;
    struct dj_threads threads;
    struct dj_states states;
    /* by pid: the newest name of the process, stored in trace->kept */
    struct dj_map process_names;
    struct dj_clock clock;
    struct dj_frames frames;
    struct dj_spans spans;
    struct dj_rows edges, counts;
    struct dj_summing summing;       /* used for edges if the trace sums up its slices */
    uint8_t outputs[DJ_EVENT_KINDS]; /* destinations of events of each kind, bits of enum
                                      dj_build_part */
    struct dj_trace_thread *former;  /* earlier threads with reused ids; owned */
    size_t former_count;
};

/* Prepares the build, before the first event or at the end of a trace without events. */
void dj_build_begin(struct dj_build *build);

/* The `take` of an event sink; the user pointer is the struct dj_build. Returns DJ_E_IO
 * if rows cannot be stored, or DJ_E_LIMIT if slices cannot be summed up as they come
 * (`summing.unfit`, which dj_build_finish() keeps). Both codes may come some events
 * later, or from dj_build_end(). */
int dj_build_take(void *build, const struct dj_event *event);

/* Completes the trace after the last event. Finishes the build, also after an error. */
int dj_build_end(struct dj_build *build, struct dj_error *err);
void dj_build_finish(struct dj_build *build);

/* ---- where events go, apart from their thread ---- */

/* Destinations of an event in addition to its thread. Most events have none. */
enum dj_build_part {
    DJ_PART_MARK = 1,
    DJ_PART_SPAN = 2,
    DJ_PART_EDGE = 4,
    DJ_PART_COUNT = 8,
    DJ_PART_FRAME = 16,
    DJ_PART_CHANGE = 32, /* it changes what is known of a thread */
    DJ_PART_APART = 64   /* it is not the act of a thread */
};

/* Adds the event to these destinations. The last two are no destinations. */
void dj_build_put(struct dj_build *build, const struct dj_event *event, uint8_t outputs);

#endif
