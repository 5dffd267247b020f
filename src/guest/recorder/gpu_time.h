/* Computes the time at which the GPU finished a frame. Pure.
 *
 * The GPU cannot finish before the work was submitted, before the work was last seen
 * unfinished, or after the work was first seen finished. A time stamp of the GPU outside
 * these bounds is wrong, even after allowing for the error of the clock comparison.
 * (Software rasterisers return 0, or the time at which they read the command.) The
 * completion time of such a frame is unknown. If there is no time stamp but the bounds
 * are close together, the bounds give the completion time. */
#ifndef DEJANK_RECORDER_GPU_TIME_H
#define DEJANK_RECORDER_GPU_TIME_H

#include <stdbool.h>
#include <stdint.h>

enum {
    DJ_GPU_VAGUE_NS = 500000 /* Maximum distance in ns of bounds that still give a
                              * completion time. */
};

/* One comparison of the GPU's clock with CLOCK_MONOTONIC. */
struct dj_gpu_clock {
    uint64_t ticks;
    int64_t at_ns;
    int64_t deviation_ns; /* Maximum time between the reading of the GPU's clock and
                           * the reading of CLOCK_MONOTONIC. */
    double tick_ns;       /* Duration of one tick in ns. */
    uint32_t valid_bits;  /* Number of valid bits of a tick count, 1 … 64. The other
                           * bits are 0. */
};

/* Converts `ticks` to CLOCK_MONOTONIC in ns. `ticks` may be before or after the
 * comparison. The GPU's tick count wraps around, so several times are possible. The
 * function returns the one that is nearest to the comparison. */
int64_t dj_recorder_gpu_clock_ns(const struct dj_gpu_clock *clock, uint64_t ticks);

/* The times at which the CPU observed the state of work that it had submitted to the GPU.
 * All times are in CLOCK_MONOTONIC. */
struct dj_gpu_sighting {
    int64_t submitted_ns;
    int64_t pending_ns; /* Last time at which the work was unfinished, or 0 if it was
                         * never seen unfinished. */
    int64_t done_ns;    /* First time at which the work was finished. */
};

/* Checks a time stamp of the GPU that may be wrong by deviation_ns. Sets *completed_ns
 * to the stamp, moved into the observed bounds. Returns false if the stamp is outside
 * the bounds by more than deviation_ns. If deviation_ns exceeds DJ_GPU_VAGUE_NS,
 * ignores the stamp like dj_recorder_gpu_judge_fence(). */
bool dj_recorder_gpu_judge_stamp(const struct dj_gpu_sighting *seen, int64_t stamp_ns,
                                 int64_t deviation_ns, int64_t *completed_ns);

/* Sets *completed_ns from the observations alone, without a time stamp. Returns false
 * if the bounds are more than DJ_GPU_VAGUE_NS apart. */
bool dj_recorder_gpu_judge_fence(const struct dj_gpu_sighting *seen,
                                 int64_t *completed_ns);

#endif
