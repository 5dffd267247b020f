#include "recorder/gpu_time.h"

int64_t dj_recorder_gpu_clock_ns(const struct dj_gpu_clock *clock, uint64_t ticks)
{
    /* The two shifts convert the difference to a signed number with valid_bits bits. */
    uint32_t unused = 64 - clock->valid_bits;
    int64_t passed = (int64_t)((ticks - clock->ticks) << unused) >> unused;
    double ns = (double)passed * clock->tick_ns;
    const double limit = 4e18;
    if (ns > limit || ns < -limit) {
        return ns > 0 ? INT64_MAX : INT64_MIN;
    }
    int64_t at_ns;
    return !__builtin_add_overflow(clock->at_ns, (int64_t)ns, &at_ns) ? at_ns
           : ns > 0                                                   ? INT64_MAX
                                                                      : INT64_MIN;
}

static int64_t get_earliest(const struct dj_gpu_sighting *seen)
{
    return seen->pending_ns > seen->submitted_ns ? seen->pending_ns : seen->submitted_ns;
}

bool dj_recorder_gpu_judge_stamp(const struct dj_gpu_sighting *seen, int64_t stamp_ns,
                                 int64_t deviation_ns, int64_t *completed_ns)
{
    int64_t least_ns = get_earliest(seen);
    if (deviation_ns > DJ_GPU_VAGUE_NS) {
        return dj_recorder_gpu_judge_fence(seen, completed_ns);
    }
    if (stamp_ns < least_ns - deviation_ns || stamp_ns > seen->done_ns + deviation_ns) {
        return false;
    }
    *completed_ns = stamp_ns < least_ns        ? least_ns
                    : stamp_ns > seen->done_ns ? seen->done_ns
                                               : stamp_ns;
    return true;
}

bool dj_recorder_gpu_judge_fence(const struct dj_gpu_sighting *seen,
                                 int64_t *completed_ns)
{
    if (seen->done_ns - get_earliest(seen) > DJ_GPU_VAGUE_NS) {
        return false;
    }
    *completed_ns = seen->done_ns;
    return true;
}
