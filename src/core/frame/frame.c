#include "frame/frame.h"

static int64_t find_stage_before(const struct dj_frame *frame, enum dj_column column)
{
    for (size_t i = column; i-- > 0;) {
        enum dj_column before = (enum dj_column)i;
        if (dj_frame_column_kind(before) == DJ_KIND_STAGE &&
            dj_frame_has(frame, before)) {
            return frame->value[before];
        }
    }
    return 0;
}

int64_t dj_frame_fallback(const struct dj_frame *frame, enum dj_column column,
                          int64_t interval_ns)
{
    switch (dj_frame_column_kind(column)) {
    case DJ_KIND_STAGE:
        return find_stage_before(frame, column);
    case DJ_KIND_DEADLINE:
        return dj_checked_add_wrapped(find_stage_before(frame, DJ_COLUMN_VSYNC),
                                      interval_ns);
    case DJ_KIND_LATE:
        return column < DJ_COLUMN_SYNC_QUEUED
                   ? 0
                   : find_stage_before(frame, DJ_COLUMN_DEQUEUE_BUFFER_DURATION);
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
