#include "frame/recovery.h"

bool dj_frame_span_contains(const struct dj_span *span, const struct dj_frame *frame)
{
    int64_t at_ns;
    return dj_frame_find_time(frame, &at_ns) && at_ns >= span->start_ns &&
           at_ns < span->end_ns;
}

bool dj_frame_is_complete(const struct dj_frame *frame)
{
    if (!dj_frame_has_all(frame, DJ_COLUMN_BIT(DJ_COLUMN_INTENDED_VSYNC) |
                                     DJ_COLUMN_BIT(DJ_COLUMN_FRAME_COMPLETED))) {
        return dj_frame_is_present_only(frame);
    }
    int64_t completed_ns = frame->value[DJ_COLUMN_FRAME_COMPLETED];
    return completed_ns > 0 && completed_ns >= frame->value[DJ_COLUMN_INTENDED_VSYNC];
}

void dj_frame_accumulator_start(struct dj_stats_accumulator *accumulator,
                                const struct dj_stats *stats, bool counts_all)
{
    *accumulator = (struct dj_stats_accumulator){.started = true};
    accumulator->last = *stats;
    if (!counts_all) {
        accumulator->base = *stats;
    }
}

static void close_period(struct dj_stats_accumulator *accumulator)
{
    struct dj_stats period = accumulator->last;
    dj_frame_stats_subtract(&period, &accumulator->base);
    dj_frame_stats_merge(&accumulator->sum, &period);
    accumulator->base = (struct dj_stats){0};
}

static bool has_restarted(const struct dj_stats *last, const struct dj_stats *now)
{
    return now->since_ns != last->since_ns ||
           now->counter[DJ_COUNTER_TOTAL] < last->counter[DJ_COUNTER_TOTAL];
}

void dj_frame_accumulator_add(struct dj_stats_accumulator *accumulator,
                              const struct dj_stats *stats)
{
    if (!accumulator->started) {
        dj_frame_accumulator_start(accumulator, stats, false);
        return;
    }
    /* Without "Stats since", it is unknown whether the reset happened if the counters are
     * higher than before. Assume that the reset happened. */
    bool believed = accumulator->resetting && stats->since_ns == 0;
    if (believed || has_restarted(&accumulator->last, stats)) {
        close_period(accumulator);
        accumulator->restarts += accumulator->resetting ? 0 : 1;
    }
    accumulator->resetting = false;
    accumulator->last = *stats;
}

void dj_frame_accumulator_reset(struct dj_stats_accumulator *accumulator)
{
    accumulator->resetting = accumulator->started;
}

void dj_frame_accumulator_sum(const struct dj_stats_accumulator *accumulator,
                              struct dj_stats *sum)
{
    struct dj_stats_accumulator copy = *accumulator;
    close_period(&copy);
    *sum = copy.sum;
    sum->since_ns = 0;
}

void dj_frame_recovery_add_rows(struct dj_recovery *recovery,
                                const struct dj_frame *frames, size_t count,
                                const struct dj_span *span)
{
    for (size_t i = 0; i < count; i++) {
        bool inside = dj_frame_span_contains(span, &frames[i]);
        if ((dj_frame_get(&frames[i], DJ_COLUMN_FLAGS, 0) & DJ_FLAG_SKIPPED_FRAME) != 0) {
            recovery->skipped += inside ? 1 : 0;
        } else if (!dj_frame_is_complete(&frames[i])) {
            recovery->incomplete += inside ? 1 : 0;
        } else if (inside) {
            recovery->recovered++;
        } else {
            recovery->outside++;
        }
    }
}

void dj_frame_recovery_set_counted(struct dj_recovery *recovery, uint32_t counted)
{
    int64_t expected = (int64_t)counted - recovery->outside;
    recovery->expected = expected > recovery->recovered ? expected : recovery->recovered;
}

void dj_frame_recovery_merge(struct dj_recovery *recovery,
                             const struct dj_recovery *other)
{
    recovery->recovered += other->recovered;
    recovery->expected += other->expected;
    recovery->outside += other->outside;
    recovery->skipped += other->skipped;
    recovery->incomplete += other->incomplete;
}
