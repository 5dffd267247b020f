#include "support.h"

struct dj_frame frame_of(int64_t intended_ns, int64_t total_ns)
{
    struct dj_frame frame = {0};
    dj_frame_set(&frame, DJ_COLUMN_FLAGS, 0);
    dj_frame_set(&frame, DJ_COLUMN_INTENDED_VSYNC, intended_ns);
    dj_frame_set(&frame, DJ_COLUMN_VSYNC, intended_ns);
    dj_frame_set(&frame, DJ_COLUMN_OLDEST_INPUT_EVENT, INT64_MAX);
    dj_frame_set(&frame, DJ_COLUMN_SYNC_QUEUED, intended_ns + 1);
    dj_frame_set(&frame, DJ_COLUMN_SYNC_START, intended_ns + 1);
    dj_frame_set(&frame, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, intended_ns + 2);
    dj_frame_set(&frame, DJ_COLUMN_SWAP_BUFFERS, intended_ns + 3);
    dj_frame_set(&frame, DJ_COLUMN_FRAME_COMPLETED, intended_ns + total_ns);
    return frame;
}
