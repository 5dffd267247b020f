/* One frame from any source: a value for each column of every Android release, and the
 * set of columns that are known. */
#ifndef DEJANK_FRAME_FRAME_H
#define DEJANK_FRAME_FRAME_H

#include "base/checked.h"
#include "frame/columns.h"

/* A frame. A value is valid only if its bit in `known` is set, because 0 may be a real
 * value. Values of unknown columns are 0. */
struct dj_frame {
    int64_t value[DJ_COLUMN_COUNT];
    uint64_t known; /* Bit mask: bit n is set if value[n] was recorded. */
};

_Static_assert(DJ_COLUMN_COUNT <= 64, "known has one bit per column");

#define DJ_COLUMN_BIT(column) (UINT64_C(1) << (column))

static inline bool dj_frame_has(const struct dj_frame *frame, enum dj_column column)
{
    return (frame->known & DJ_COLUMN_BIT(column)) != 0;
}

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

/* Returns the value of a column, or `otherwise` if the column is unknown. */
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

/* Returns whether DisplayPresentTime is the only known time of the frame. Such a frame
 * was recorded from outside its process, so it has no frame time and no stages. If it has
 * DJ_FLAG_SKIPPED_FRAME, the display never showed it, and DisplayPresentTime is when the
 * display skipped it. */
static inline bool dj_frame_is_present_only(const struct dj_frame *frame)
{
    return (frame->known & (DJ_COLUMN_BIT(DJ_COLUMN_INTENDED_VSYNC) |
                            DJ_COLUMN_BIT(DJ_COLUMN_FRAME_COMPLETED) |
                            DJ_COLUMN_BIT(DJ_COLUMN_DISPLAY_PRESENT_TIME))) ==
           DJ_COLUMN_BIT(DJ_COLUMN_DISPLAY_PRESENT_TIME);
}

/* Finds the time that orders frames and assigns them to windows: IntendedVsync, or
 * DisplayPresentTime if nothing else is known. Returns false if the frame has neither. */
static inline bool dj_frame_find_time(const struct dj_frame *frame, int64_t *at_ns)
{
    if (dj_frame_has(frame, DJ_COLUMN_INTENDED_VSYNC)) {
        *at_ns = frame->value[DJ_COLUMN_INTENDED_VSYNC];
        return true;
    }
    *at_ns = frame->value[DJ_COLUMN_DISPLAY_PRESENT_TIME];
    return dj_frame_is_present_only(frame);
}

/* Returns the time of dj_frame_find_time(), or `otherwise`. */
static inline int64_t dj_frame_get_time(const struct dj_frame *frame, int64_t otherwise)
{
    int64_t at_ns;
    return dj_frame_find_time(frame, &at_ns) ? at_ns : otherwise;
}

/* Returns FrameCompleted, or DisplayPresentTime if nothing else is known, or
 * `otherwise`. */
static inline int64_t dj_frame_get_end(const struct dj_frame *frame, int64_t otherwise)
{
    return dj_frame_get(frame,
                        dj_frame_is_present_only(frame) ? DJ_COLUMN_DISPLAY_PRESENT_TIME
                                                        : DJ_COLUMN_FRAME_COMPLETED,
                        otherwise);
}

/* Returns how long the frame waited for the render thread, SyncQueued → SyncStart, in
 * ns. Returns 0 if one of the two timestamps is unknown. */
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

/* Computes hwui's FrameInfo::duration(): end − start. If the wait for the render thread
 * (dj_frame_stall_ns()) is between the two, it is subtracted. The result is 0 if start ≤
 * 0 or if it would be negative. Returns false, with *ns unchanged, if start or end is
 * unknown. Source: libs/hwui/FrameInfo.h of Android 6.0 … 16. */
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

/* Returns the value to print for an unknown column. The values are chosen so that times
 * computed from the printed text are right. A stage has the value of the last known
 * stage before it, and GpuCompleted that of FrameCompleted. Without a known stage before
 * it, a stage has the value of DisplayPresentTime. FrameDeadline is
 * IntendedVsync + interval_ns, and FrameInterval and WorkloadTarget are interval_ns.
 * Input timestamps and the vsync id have hwui's special values for "none". All other
 * columns are 0. */
int64_t dj_frame_fallback(const struct dj_frame *frame, enum dj_column column,
                          int64_t interval_ns);

#endif
