/* Converts samples to stacks: from the call chain that was recorded, or by unwinding the
 * copy of the stack. */
#ifndef DEJANK_TRACE_PERF_DATA_STACK_H
#define DEJANK_TRACE_PERF_DATA_STACK_H

#include "trace/perf_data/calls.h"
#include "trace/perf_data/record.h"

/* Zero it and set the first five members. */
struct dj_perf_stacks {
    const struct dj_perf_data *file;
    struct dj_perf_calls *calls;
    struct dj_stacks_maps *maps;
    struct dj_stacks_unwinder *unwinder;
    enum dj_stacks_machine machine; /* DJ_STACKS_MACHINES: nothing is unwound. */
    struct dj_stacks_stack unwound;
    struct dj_event_call frames[DJ_STACK_FRAMES_MAX];
    size_t count;
    uint64_t incomplete; /* Number of stacks that could not be unwound to their end. */
    uint32_t missing_mapping; /* Where the last of them ends. Valid if there is one. */
};

/* Converts a sample. The result is valid until the next call. */
struct dj_event_stack dj_perf_data_stacks_convert(struct dj_perf_stacks *stacks,
                                                  const struct dj_perf_record *record,
                                                  const struct dj_perf_sample *sample);

/* Returns the module in which the last incomplete stack ends, or NULL. */
const struct dj_stacks_module *
dj_perf_data_stacks_get_missing(const struct dj_perf_stacks *stacks);

#endif
