#include "triage/speeds.h"

/* It runs at its limit if it is that near to it, in percent. */
enum { AT_LIMIT = 95 };

int64_t dj_triage_held_back(const struct dj_triage_index *index, int32_t cpu,
                            int64_t from_ns, int64_t to_ns)
{
    if (cpu < 0 || (size_t)cpu >= index->cpu_count) {
        return 0;
    }
    struct dj_triage_range range = index->cpu_speeds[cpu];
    size_t from = range.from;
    size_t to = range.to;
    while (from < to) { /* the first that was told later */
        size_t middle = from + (to - from) / 2;
        if (index->speeds[middle].at_ns <= from_ns) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    if (from == range.from) {
        return 0;
    }
    const struct dj_triage_speed *speed = &index->speeds[from - 1];
    bool held = speed->khz > 0 && speed->limit_khz > 0 &&
                speed->limit_khz < speed->full_khz && speed->khz < speed->full_khz &&
                100 * speed->khz >= AT_LIMIT * speed->limit_khz;
    return held ? (int64_t)((double)(to_ns - from_ns) *
                            (1.0 - (double)speed->khz / (double)speed->full_khz))
                : 0;
}
