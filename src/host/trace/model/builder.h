/* Builds a trace from events. */
#ifndef DEJANK_TRACE_MODEL_BUILDER_H
#define DEJANK_TRACE_MODEL_BUILDER_H

#include "trace/model/clock_offset.h"
#include "trace/model/frames.h"
#include "trace/model/running_sums.h"
#include "trace/model/spans.h"
#include "trace/model/states.h"
#include "trace/model/threads.h"

/* Zero it and set `trace`, which must be empty. */
struct dj_trace_builder {
    struct dj_trace *trace;
    struct dj_threads threads;
    struct dj_states states;
    /* by pid: the newest name of the process, stored in trace->kept */
    struct dj_map process_names;
    struct dj_clock_offset clock;
    struct dj_frames frames;
    struct dj_spans spans;
    struct dj_trace_rows edges, counts;
    struct dj_running_sums
        running_sums;                /* used for edges if the trace sums up its slices */
    uint8_t outputs[DJ_EVENT_KINDS]; /* destinations of events of each kind, bits of enum
                                      dj_builder_output */
    struct dj_trace_thread *former_threads; /* earlier threads with reused ids; owned */
    size_t former_thread_count;
};

/* Prepares the build, before the first event or at the end of a trace without events. */
void dj_builder_start(struct dj_trace_builder *build);

/* The `take` of an event sink; the user pointer is the struct dj_trace_builder. Returns
 * DJ_E_IO if rows cannot be stored, or DJ_E_LIMIT if slices cannot be summed up as they
 * come
 * (`running_sums.needs_second_read`, which dj_builder_finish() keeps). Both codes may
 * come some events later, or from dj_builder_complete(). */
int dj_builder_add_event(void *build, const struct dj_event *event);

/* Completes the trace after the last event. Finishes the build, also after an error. */
int dj_builder_complete(struct dj_trace_builder *build, struct dj_error *err);
void dj_builder_finish(struct dj_trace_builder *build);

/* ---- where events go, apart from their thread ---- */

/* Destinations of an event in addition to its thread. Most events have none. */
enum dj_builder_output {
    DJ_OUTPUT_MARK = 1,
    DJ_OUTPUT_SPAN = 2,
    DJ_OUTPUT_EDGE = 4,
    DJ_OUTPUT_COUNT = 8,
    DJ_OUTPUT_FRAME = 16,
    DJ_OUTPUT_THREAD_CHANGE = 32, /* it changes what is known of a thread */
    DJ_OUTPUT_NOT_OF_THREAD = 64  /* it is not the act of a thread */
};

/* Adds the event to these destinations. The last two are no destinations. */
void dj_builder_add_outputs(struct dj_trace_builder *build, const struct dj_event *event,
                            uint8_t outputs);

#endif
