/* Builds a trace from events. */
#ifndef DEJANK_TRACE_MODEL_BUILDER_H
#define DEJANK_TRACE_MODEL_BUILDER_H

#include "trace/model/clock_offset.h"
#include "trace/model/frames.h"
#include "trace/model/running_sums.h"
#include "trace/model/samples.h"
#include "trace/model/spans.h"
#include "trace/model/states.h"
#include "trace/model/threads.h"

/* The state of a builder. Zero the struct and set `trace`, which must be empty. */
struct dj_trace_builder {
    struct dj_trace *trace;
    struct dj_threads threads;
    struct dj_states states;
    /* Maps the id of a process to its newest name. trace->name_store contains the names.
     */
    struct dj_map process_names;
    struct dj_clock_offset clock;
    struct dj_frames frames;
    struct dj_spans spans;
    struct dj_samples samples;
    struct dj_trace_rows edges, counts;
    /* Used instead of `edges` if trace->sum_slices is set. */
    struct dj_running_sums running_sums;
    /* For each kind of event: bits of enum dj_builder_output. */
    uint8_t outputs[DJ_EVENT_KINDS];
    /* Threads that have ended and whose ids were reused. Owned by this struct. */
    struct dj_trace_thread *former_threads;
    size_t former_thread_count;
};

/* Prepares the builder. Called before the first event. If a trace has no events, called
 * at its end. */
void dj_builder_start(struct dj_trace_builder *build);

/* Adds an event. This is an event sink function, and `build` is a struct
 * dj_trace_builder. Returns 0, DJ_E_IO if rows cannot be stored, or DJ_E_LIMIT if slices
 * cannot be summed up while they are read. An error may be returned some events later, or
 * only by dj_builder_complete(). After DJ_E_LIMIT, running_sums.needs_second_read is set.
 * dj_builder_finish() does not change it. */
int dj_builder_add_event(void *build, const struct dj_event *event);

/* Completes the trace and frees the memory of the builder, even after an error. Call this
 * function after the last event. */
int dj_builder_complete(struct dj_trace_builder *build, struct dj_error *err);
void dj_builder_finish(struct dj_trace_builder *build);

/* The parts of the trace to which an event is added. Independently of these parts, the
 * event updates its threads. Most events belong to no part. */
enum dj_builder_output {
    DJ_OUTPUT_MARK = 1,
    DJ_OUTPUT_SPAN = 2,
    DJ_OUTPUT_EDGE = 4,
    DJ_OUTPUT_COUNT = 8,
    DJ_OUTPUT_FRAME = 16,
    /* The event changes the name, the process or the existence of a thread. */
    DJ_OUTPUT_THREAD_CHANGE = 32,
    DJ_OUTPUT_NOT_OF_THREAD = 64 /* No thread has caused the event. */
};

/* Adds the event to the parts in `outputs`. Ignores DJ_OUTPUT_THREAD_CHANGE and
 * DJ_OUTPUT_NOT_OF_THREAD. */
void dj_builder_add_outputs(struct dj_trace_builder *build, const struct dj_event *event,
                            uint8_t outputs);

#endif
