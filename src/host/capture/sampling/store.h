/* Stores the call stacks of a capture. Stacks with the same callers share memory, and the
 * samples are in a temporary file, so a capture of an hour needs little memory. */
#ifndef DEJANK_CAPTURE_SAMPLING_STORE_H
#define DEJANK_CAPTURE_SAMPLING_STORE_H

#include "base/map.h"
#include "capture/janky.h"
#include "spill/spill.h"
#include "stacks/names.h"
#include "stacks/unwind.h"
#include "trace/event.h"

/* A function call: an address in a mapping. */
struct dj_stack_call {
    uint64_t address; /* Address inside the call's code, in the process. */
    uint32_t mapping; /* Number of the mapping in stacks/maps.h. */
};

/* A call together with its callers. Node 0 is the empty stack. */
struct dj_stack_node {
    uint32_t caller; /* Number of the caller's node. */
    uint32_t call;   /* Index of the call in `calls`. */
};

struct dj_stack_sample {
    int64_t at_ns; /* Time of the sample in the kernel's CLOCK_MONOTONIC. */
    /* Innermost node of the sample's stack. If `is_lost` is set, the number of lost
     * records instead. */
    uint32_t node;
    int32_t pid, tid;
    uint16_t cpu;
    uint8_t source, end; /* Source and end of the stack, as in struct dj_event_stack. */
    bool in_kernel, is_lost;
};

/* Number of samples that are written to the file at once. */
enum { DJ_STACK_BLOCK = 1024 };

/* Zero the struct before use. Do not move it while it contains stacks. */
struct dj_stack_store {
    struct dj_stack_call *calls; /* Different calls. Owned by this struct. */
    struct dj_stack_node *nodes; /* Different stacks. Owned by this struct. */
    size_t call_count, node_count;
    /* Map a hash of a call or node to its index in `calls` or `nodes`. */
    struct dj_map call_places, node_places;
    struct dj_stack_sample
        block[DJ_STACK_BLOCK]; /* Samples that were not written to `file` yet. */
    size_t block_count;
    struct dj_spill file;
    uint64_t samples; /* Number of all samples, in the file and in `block`. */
};

/* Returns the node of a stack. Returns 0 if the stack is empty or if there is no memory.
 */
uint32_t dj_sampling_store_add_stack(struct dj_stack_store *store,
                                     const struct dj_stacks_stack *stack);

/* Adds a sample. Samples must be added in order of time. Returns 0, DJ_E_NO_MEMORY, or
 * DJ_E_OUTPUT if the temporary file cannot be written. */
int dj_sampling_store_add_sample(struct dj_stack_store *store,
                                 const struct dj_stack_sample *sample,
                                 struct dj_error *err);

/* The parameters of dj_sampling_store_write(). */
struct dj_stack_writing {
    struct dj_stacks_maps *maps;
    struct dj_stacks_names *names;
    const struct dj_keep
        /* Spans of time. If `keep` is not NULL, only samples in these spans are
         * written. */
        *keep;
    int64_t until_ns;    /* Samples after this time are not written. */
    int64_t interval_ns; /* Time between two samples of a CPU. */
    struct dj_event_sink sink;
    uint64_t written; /* Number of written samples. Losses are not counted. */
};

/* Passes the samples to the sink, with the names of their functions. Returns the sink's
 * result, DJ_E_NO_MEMORY or DJ_E_IO. */
int dj_sampling_store_write(struct dj_stack_store *store,
                            struct dj_stack_writing *writing, struct dj_error *err);

void dj_sampling_store_finish(struct dj_stack_store *store);

#endif
