#include "frame/frame.h"

#include "base/checked.h"

/* The stall of a frame that waited for the render thread; 0 where a release or source has
 * no such stamp. */
static int64_t stall_ns(const struct dj_frame *frame)
{
    if (!dj_frame_has_all(frame, DJ_COLUMN_BIT(DJ_COLUMN_SYNC_QUEUED) |
                                     DJ_COLUMN_BIT(DJ_COLUMN_SYNC_START))) {
        return 0;
    }
    int64_t stall = dj_subtract_saturated(frame->value[DJ_COLUMN_SYNC_START],
                                          frame->value[DJ_COLUMN_SYNC_QUEUED]);
    return stall > 0 ? stall : 0;
}

bool dj_frame_duration(const struct dj_frame *frame, enum dj_column start,
                       enum dj_column end, int64_t *ns)
{
    if (!dj_frame_has(frame, start) || !dj_frame_has(frame, end)) {
        return false;
    }
    int64_t start_ns = frame->value[start];
    int64_t gap = start_ns > 0 ? dj_subtract_saturated(frame->value[end], start_ns) : 0;
    if (start < DJ_COLUMN_SYNC_QUEUED && end > DJ_COLUMN_SYNC_QUEUED) {
        gap = dj_subtract_saturated(gap, stall_ns(frame));
    }
    *ns = gap > 0 ? gap : 0;
    return true;
}

static int64_t stage_before(const struct dj_frame *frame, enum dj_column column)
{
    for (size_t i = column; i-- > 0;) {
        enum dj_column before = (enum dj_column)i;
        if (dj_column_kind(before) == DJ_KIND_STAGE && dj_frame_has(frame, before)) {
            return frame->value[before];
        }
    }
    return 0;
}

int64_t dj_frame_fallback(const struct dj_frame *frame, enum dj_column column,
                          int64_t interval_ns)
{
    switch (dj_column_kind(column)) {
    case DJ_KIND_STAGE:
        return stage_before(frame, column);
    case DJ_KIND_DEADLINE:
        return dj_add_wrapped(stage_before(frame, DJ_COLUMN_VSYNC), interval_ns);
    case DJ_KIND_LATE:
        return column < DJ_COLUMN_SYNC_QUEUED
                   ? 0
                   : stage_before(frame, DJ_COLUMN_DEQUEUE_BUFFER_DURATION);
    case DJ_KIND_INPUT:
        return column == DJ_COLUMN_OLDEST_INPUT_EVENT ? INT64_MAX : 0;
    case DJ_KIND_DURATION:
        return column == DJ_COLUMN_FRAME_INTERVAL || column == DJ_COLUMN_WORKLOAD_TARGET
                   ? interval_ns
                   : 0;
    case DJ_KIND_ID:
        return column == DJ_COLUMN_FRAME_TIMELINE_VSYNC_ID ? -1 : 0;
    case DJ_KIND_FLAGS:
        return 0;
    }
    return 0;
}
