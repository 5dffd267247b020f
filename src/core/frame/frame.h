/* One frame from any source: a slot for every column of every release, and the set of
 * known columns. */
#ifndef DEJANK_FRAME_FRAME_H
#define DEJANK_FRAME_FRAME_H

#include "base/checked.h"
#include "frame/columns.h"

/* Unknown is never zero: a value is valid only if its bit in `known` is set. Unknown
 * slots contain 0. */
struct dj_frame {
    int64_t value[DJ_COLUMN_COUNT];
    uint64_t known; /* bit n: value[n] was recorded */
};

_Static_assert(DJ_COLUMN_COUNT <= 64, "known has one bit per column");

#define DJ_COLUMN_BIT(column) (UINT64_C(1) << (column))

static inline bool dj_frame_has(const struct dj_frame *frame, enum dj_column column)
{
    return (frame->known & DJ_COLUMN_BIT(column)) != 0;
}

/* Returns whether every column of the mask is known. */
static inline bool dj_frame_has_all(const struct dj_frame *frame, uint64_t mask)
{
    return (frame->known & mask) == mask;
}

static inline void dj_frame_set(struct dj_frame *frame, enum dj_column column,
                                int64_t value)
{
    frame->value[column] = value;
    frame->known |= DJ_COLUMN_BIT(column);
}

/* Returns the value, or `otherwise` if it is unknown. */
static inline int64_t dj_frame_get(const struct dj_frame *frame, enum dj_column column,
                                   int64_t otherwise)
{
    return dj_frame_has(frame, column) ? frame->value[column] : otherwise;
}

static inline bool dj_frame_equal(const struct dj_frame *a, const struct dj_frame *b)
{
    if (a->known != b->known) {
        return false;
    }
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        if (dj_frame_has(a, (enum dj_column)i) && a->value[i] != b->value[i]) {
            return false;
        }
    }
    return true;
}

/* Returns how long the frame waited for the render thread, SyncQueued → SyncStart.
 * Returns 0 if the release or source has no such timestamps. */
static inline int64_t dj_frame_stall_ns(const struct dj_frame *frame)
{
    if (!dj_frame_has_all(frame, DJ_COLUMN_BIT(DJ_COLUMN_SYNC_QUEUED) |
                                     DJ_COLUMN_BIT(DJ_COLUMN_SYNC_START))) {
        return 0;
    }
    int64_t stall_ns = dj_checked_subtract_saturated(frame->value[DJ_COLUMN_SYNC_START],
                                                     frame->value[DJ_COLUMN_SYNC_QUEUED]);
    return stall_ns > 0 ? stall_ns : 0;
}

/* hwui's FrameInfo::duration(): end − start, without that wait if the span contains
 * it. 0 if start ≤ 0 or if the result is negative. Returns false, with *ns unchanged,
 * if either end is unknown. Source: libs/hwui/FrameInfo.h, 6.0 … 16. */
static inline bool dj_frame_duration(const struct dj_frame *frame, enum dj_column start,
                                     enum dj_column end, int64_t *ns)
{
    if (!dj_frame_has(frame, start) || !dj_frame_has(frame, end)) {
        return false;
    }
    int64_t start_ns = frame->value[start];
    int64_t gap_ns =
        start_ns > 0 ? dj_checked_subtract_saturated(frame->value[end], start_ns) : 0;
    if (start < DJ_COLUMN_SYNC_QUEUED && end > DJ_COLUMN_SYNC_QUEUED) {
        gap_ns = dj_checked_subtract_saturated(gap_ns, dj_frame_stall_ns(frame));
    }
    *ns = gap_ns > 0 ? gap_ns : 0;
    return true;
}

/* Returns the value to print for an unknown column, so that sums over the text remain
 * right. A stage repeats the known stage before it, and GpuCompleted repeats
 * FrameCompleted. A deadline is IntendedVsync + interval, WorkloadTarget is the
 * interval, input timestamps and the vsync id are hwui's sentinels for "none", all
 * others are 0. */
int64_t dj_frame_fallback(const struct dj_frame *frame, enum dj_column column,
                          int64_t interval_ns);

#endif
