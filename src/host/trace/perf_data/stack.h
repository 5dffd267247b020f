/* Converts samples to stacks. Uses the recorded call chain if the sample has one,
 * otherwise unwinds the recorded copy of the thread's stack. */
#ifndef DEJANK_TRACE_PERF_DATA_STACK_H
#define DEJANK_TRACE_PERF_DATA_STACK_H

#include "trace/perf_data/calls.h"
#include "trace/perf_data/record.h"

/* Converter of samples to stacks. Zero the struct and set its first five members. */
struct dj_perf_stacks {
    const struct dj_perf_data *file;
    struct dj_perf_calls *calls;
    struct dj_stacks_maps *maps;
    struct dj_stacks_unwinder *unwinder;
    /* Type of the recording machine. If it is DJ_STACKS_MACHINES, no stack is unwound. */
    enum dj_stacks_machine machine;
    struct dj_stacks_stack unwound;
    struct dj_event_call frames[DJ_STACK_FRAMES_MAX];
    size_t count;
    uint64_t incomplete;  /* Number of stacks that could not be unwound to their end. */
    uint64_t not_unwound; /* Number of copied stacks that could not be unwound at all. */
    /* Mapping in which the last incomplete stack ends. Valid if there was one. */
    uint32_t missing_mapping;
};

/* Converts a sample to a stack. The result is valid until the next call. */
struct dj_event_stack dj_perf_data_stacks_convert(struct dj_perf_stacks *stacks,
                                                  const struct dj_perf_record *record,
                                                  const struct dj_perf_sample *sample);

/* Returns the module in which the last incomplete stack ends, or NULL. */
const struct dj_stacks_module *
dj_perf_data_stacks_get_missing(const struct dj_perf_stacks *stacks);

#endif
