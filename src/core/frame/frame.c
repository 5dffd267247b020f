#include "frame/frame.h"

/* The columns that are stages, as bits. */
static const uint64_t stages = 0
#define DJ_STAGE_BIT(symbol, text, kind)                                                 \
    | (DJ_KIND_##kind == DJ_KIND_STAGE ? DJ_COLUMN_BIT(DJ_COLUMN_##symbol) : 0)
    DJ_COLUMN_MAP(DJ_STAGE_BIT)
#undef DJ_STAGE_BIT
    ;

/* Returns the last known stage before the column. If there is none, returns the known
 * present or 0. */
static int64_t find_stage_before(const struct dj_frame *frame, enum dj_column column)
{
    uint64_t before = frame->known & stages & (DJ_COLUMN_BIT(column) - 1);
    return before != 0 ? frame->value[63 - __builtin_clzll(before)]
                       : dj_frame_get(frame, DJ_COLUMN_DISPLAY_PRESENT_TIME, 0);
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
