/*
 * When the GPU was done with a frame: what its own clock says, believed only where it can
 * be true. Pure.
 *
 * The rule: the GPU cannot be done before the work was handed to it, nor before it was
 * last seen at work, nor after it was seen done. A stamp outside these bounds, and what
 * the comparison of the two clocks leaves open, is untrue (of software rasterisers stamps
 * of 0, or of when a command was read, were seen), and the frame's completion unknown.
 * Without a stamp the bounds themselves are told where they are close enough together.
 */
#ifndef DEJANK_RECORDER_GPU_TIME_H
#define DEJANK_RECORDER_GPU_TIME_H

#include <stdbool.h>
#include <stdint.h>

enum {
    DJ_GPU_VAGUE_NS = 500000 /* bounds further apart than this tell nothing */
};

/* The GPU's clock beside CLOCK_MONOTONIC at one instant. */
struct dj_gpu_clock {
    uint64_t ticks;
    int64_t at_ns;
    int64_t deviation_ns; /* the two were read within so long */
    double tick_ns;       /* length of a tick */
    uint32_t valid_bits;  /* of a tick count, 1 … 64; the others are 0 */
};

/* When the GPU's clock showed `ticks`, before or after the comparison: the nearer of the
 * two that a clock which runs over allows. */
int64_t dj_gpu_clock_ns(const struct dj_gpu_clock *clock, uint64_t ticks);

/* What was seen of a submission from outside, in CLOCK_MONOTONIC. */
struct dj_gpu_sighting {
    int64_t submitted_ns;
    int64_t pending_ns; /* last seen at work; 0: never */
    int64_t done_ns;    /* first seen done */
};

/* Judges a stamp that may be wrong by deviation_ns: sets *completed_ns. False where the
 * stamp lies before the work, before it was seen at work, or after it was seen done. */
bool dj_gpu_judge_stamp(const struct dj_gpu_sighting *seen, int64_t stamp_ns,
                        int64_t deviation_ns, int64_t *completed_ns);

/* The same without a stamp. False where nobody looked in time. */
bool dj_gpu_judge_fence(const struct dj_gpu_sighting *seen, int64_t *completed_ns);

#endif
