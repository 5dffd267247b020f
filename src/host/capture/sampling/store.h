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
    uint32_t mapping; /* Number in stacks/maps.h. */
};

/* A call together with its callers. Number 0 is an empty stack. */
struct dj_stack_node {
    uint32_t caller; /* Number of the caller's node. */
    uint32_t call;   /* Index of the call. */
};

struct dj_stack_sample {
    int64_t at_ns; /* Time in the kernel's CLOCK_MONOTONIC. */
    uint32_t node; /* The innermost call. If `is_lost` is set, the number of records. */
    int32_t pid, tid;
    uint16_t cpu;
    uint8_t source, end; /* As in struct dj_event_stack. */
    bool in_kernel, is_lost;
};

enum { DJ_STACK_BLOCK = 1024 }; /* Number of samples that are written at once. */

/* Zero the struct before use. Do not move it while it contains stacks. */
struct dj_stack_store {
    struct dj_stack_call *calls; /* Owned by this struct. */
    struct dj_stack_node *nodes; /* Owned by this struct. */
    size_t call_count, node_count;
    /* Indices of calls and nodes by a hash of their contents. */
    struct dj_map call_places, node_places;
    struct dj_stack_sample
        block[DJ_STACK_BLOCK]; /* Samples that are not in `file` yet. */
    size_t block_count;
    struct dj_spill file;
    uint64_t samples; /* Number of samples in the file and in the block. */
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
        *keep;           /* If not NULL, only samples in these spans are written. */
    int64_t until_ns;    /* Later samples are not written. */
    int64_t interval_ns; /* Time between two samples of a CPU. */
    struct dj_event_sink sink;
    uint64_t written; /* Number of samples that were written, without losses. */
};

/* Passes the samples to the sink, with the names of their functions. Returns the sink's
 * result, DJ_E_NO_MEMORY or DJ_E_IO. */
int dj_sampling_store_write(struct dj_stack_store *store,
                            struct dj_stack_writing *writing, struct dj_error *err);

void dj_sampling_store_finish(struct dj_stack_store *store);

#endif
