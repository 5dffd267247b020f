/* The time at which the GPU finished a frame, from the GPU's own clock if that can be
 * true. Pure.
 *
 * The rule: the GPU cannot finish before it received the work, nor before it was last
 * seen working, nor after it was seen finished. A stamp outside these bounds, allowing
 * for the uncertainty of the clock comparison, is wrong (software rasterisers return
 * 0, or the time at which a command was read), and the frame's completion is unknown.
 * Without a stamp the bounds themselves give the time if they are close enough
 * together. */
#ifndef DEJANK_RECORDER_GPU_TIME_H
#define DEJANK_RECORDER_GPU_TIME_H

#include <stdbool.h>
#include <stdint.h>

enum {
    DJ_GPU_VAGUE_NS = 500000 /* wider bounds give no time */
};

/* The GPU's clock and CLOCK_MONOTONIC at one instant. */
struct dj_gpu_clock {
    uint64_t ticks;
    int64_t at_ns;
    int64_t deviation_ns; /* maximum time between the two readings */
    double tick_ns;       /* length of a tick */
    uint32_t valid_bits;  /* of a tick count, 1 … 64; the other bits are 0 */
};

/* Converts `ticks`, which may be before or after the comparison. The clock wraps
 * around, so the nearer of the two possible times is returned. */
int64_t dj_recorder_gpu_clock_ns(const struct dj_gpu_clock *clock, uint64_t ticks);

/* Observations of a submission from the CPU, in CLOCK_MONOTONIC. */
struct dj_gpu_sighting {
    int64_t submitted_ns;
    int64_t pending_ns; /* last seen working; 0: never */
    int64_t done_ns;    /* first seen finished */
};

/* Checks a stamp that may be wrong by deviation_ns and sets *completed_ns. Returns
 * false if the stamp is before the work, before it was last seen working, or after it
 * was seen finished. */
bool dj_recorder_gpu_judge_stamp(const struct dj_gpu_sighting *seen, int64_t stamp_ns,
                                 int64_t deviation_ns, int64_t *completed_ns);

/* Same as dj_recorder_gpu_judge_stamp() without a stamp. Returns false if the
 * observations are too far apart. */
bool dj_recorder_gpu_judge_fence(const struct dj_gpu_sighting *seen,
                                 int64_t *completed_ns);

#endif
