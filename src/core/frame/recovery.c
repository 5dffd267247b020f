#include "frame/recovery.h"

bool dj_frame_span_contains(const struct dj_span *span, const struct dj_frame *frame)
{
    if (!dj_frame_has(frame, DJ_COLUMN_INTENDED_VSYNC)) {
        return false;
    }
    int64_t at_ns = frame->value[DJ_COLUMN_INTENDED_VSYNC];
    return at_ns >= span->start_ns && at_ns < span->end_ns;
}

bool dj_frame_is_complete(const struct dj_frame *frame)
{
    if (!dj_frame_has_all(frame, DJ_COLUMN_BIT(DJ_COLUMN_INTENDED_VSYNC) |
                                     DJ_COLUMN_BIT(DJ_COLUMN_FRAME_COMPLETED))) {
        return false;
    }
    int64_t completed_ns = frame->value[DJ_COLUMN_FRAME_COMPLETED];
    return completed_ns > 0 && completed_ns >= frame->value[DJ_COLUMN_INTENDED_VSYNC];
}

void dj_frame_tally_open(struct dj_tally *tally, const struct dj_stats *stats,
                         bool all_ours)
{
    *tally = (struct dj_tally){.opened = true};
    tally->last = *stats;
    if (!all_ours) {
        tally->base = *stats;
    }
}

static void close_period(struct dj_tally *tally)
{
    struct dj_stats stretch = tally->last;
    dj_frame_stats_subtract(&stretch, &tally->base);
    dj_frame_stats_merge(&tally->sum, &stretch);
    tally->base = (struct dj_stats){0};
}

static bool has_restarted(const struct dj_stats *last, const struct dj_stats *now)
{
    return now->since_ns != last->since_ns ||
           now->counter[DJ_COUNTER_TOTAL] < last->counter[DJ_COUNTER_TOTAL];
}

void dj_frame_tally_add_reading(struct dj_tally *tally, const struct dj_stats *stats)
{
    if (!tally->opened) {
        dj_frame_tally_open(tally, stats, false);
        return;
    }
    /* Without "Stats since" a busy period after a reset looks like no reset: trust the
     * reset. */
    bool believed = tally->resetting && stats->since_ns == 0;
    if (believed || has_restarted(&tally->last, stats)) {
        close_period(tally);
        tally->breaks += tally->resetting ? 0 : 1;
    }
    tally->resetting = false;
    tally->last = *stats;
}

void dj_frame_tally_reset(struct dj_tally *tally)
{
    tally->resetting = tally->opened;
}

void dj_frame_tally_sum(const struct dj_tally *tally, struct dj_stats *sum)
{
    struct dj_tally copy = *tally;
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
