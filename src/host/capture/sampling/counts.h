/* Counts how many stacks were sampled, and how good they are. */
#ifndef DEJANK_CAPTURE_SAMPLING_COUNTS_H
#define DEJANK_CAPTURE_SAMPLING_COUNTS_H

#include "capture/sampling/events.h"

/* What the sampler did. */
struct dj_sampler_counts {
    enum dj_sampling_scope scope;
    int64_t rate_hz;    /* Requested samples per second and CPU. */
    int64_t ring_bytes; /* Size of the ring of each CPU. */
    uint64_t samples;   /* Number of samples with at least one function. */
    /* Number of samples that were taken when a thread began to wait. */
    uint64_t waits;
    uint64_t incomplete;   /* Number of samples whose outer functions are missing. */
    uint64_t guessed;      /* Number of samples with a guessed caller. */
    uint64_t failed;       /* Number of samples without a function. */
    uint64_t lost;         /* Number of records that the kernel lost. */
    uint64_t throttled;    /* How often the kernel paused the timer of a CPU. */
    uint64_t waits_capped; /* Number of waits that were left out to limit the cost. */
    uint64_t rings_damaged;
};

#endif
