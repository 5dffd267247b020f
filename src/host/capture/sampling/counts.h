/* Defines the counts of sampled stacks and of losses. */
#ifndef DEJANK_CAPTURE_SAMPLING_COUNTS_H
#define DEJANK_CAPTURE_SAMPLING_COUNTS_H

#include "capture/sampling/events.h"

/* Counts of what the sampler did. */
struct dj_sampler_counts {
    enum dj_sampling_scope scope;
    int64_t rate_hz;    /* Requested samples per second and CPU. */
    int64_t ring_bytes; /* Size of the ring of each CPU in bytes. */
    uint64_t samples;   /* Number of samples with at least one function. */
    /* Number of samples that were taken when a thread began to wait. */
    uint64_t waits;
    uint64_t incomplete; /* Number of samples whose outer functions are missing. */
    uint64_t guessed;    /* Number of samples in which a caller was guessed. */
    uint64_t failed;     /* Number of samples without any function. */
    uint64_t lost;       /* Number of records that the kernel lost. */
    /* Number of times that the kernel paused the timer of a CPU because sampling took too
     * long. */
    uint64_t throttled;
    /* Number of waits whose stacks were not examined, to limit the cost. */
    uint64_t waits_capped;
    uint64_t rings_damaged;
};

#endif
