/* Stores the sampled stacks of a trace. */
#ifndef DEJANK_TRACE_MODEL_SAMPLES_H
#define DEJANK_TRACE_MODEL_SAMPLES_H

#include "trace/trace.h"

/* Zero the struct and set `trace`. */
struct dj_samples {
    struct dj_trace *trace;
    struct dj_trace_rows rows;
};

/* Adds a DJ_EVENT_STACK that is not a loss. */
void dj_samples_add_event(struct dj_samples *samples, const struct dj_event *event);

/* Moves the samples to the trace. */
void dj_samples_complete(struct dj_samples *samples);
void dj_samples_finish(struct dj_samples *samples);

#endif
