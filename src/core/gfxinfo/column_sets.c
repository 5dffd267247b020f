#include "gfxinfo/column_sets.h"

/* Source: gfxinfo.md §1.1. FrameStartTime and FrameInterval stand in the order of the
 * values, which is not that of the header's labels in 12 and 13. */
#define UI_PHASES                                                                        \
    DJ_COLUMN_HANDLE_INPUT_START, DJ_COLUMN_ANIMATION_START,                             \
        DJ_COLUMN_PERFORM_TRAVERSALS_START, DJ_COLUMN_DRAW_START
#define UI_PREVIEW                                                                       \
    DJ_COLUMN_FLAGS, DJ_COLUMN_INTENDED_VSYNC, DJ_COLUMN_VSYNC,                          \
        DJ_COLUMN_OLDEST_INPUT_EVENT, DJ_COLUMN_NEWEST_INPUT_EVENT, UI_PHASES
#define UI_12                                                                            \
    DJ_COLUMN_FLAGS, DJ_COLUMN_FRAME_TIMELINE_VSYNC_ID, DJ_COLUMN_INTENDED_VSYNC,        \
        DJ_COLUMN_VSYNC, DJ_COLUMN_INPUT_EVENT_ID, UI_PHASES, DJ_COLUMN_FRAME_DEADLINE,  \
        DJ_COLUMN_FRAME_START_TIME, DJ_COLUMN_FRAME_INTERVAL
#define RT_PREVIEW                                                                       \
    DJ_COLUMN_SYNC_START, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, DJ_COLUMN_SWAP_BUFFERS,   \
        DJ_COLUMN_FRAME_COMPLETED
#define RT_6 DJ_COLUMN_SYNC_QUEUED, RT_PREVIEW
#define RT_71 RT_6, DJ_COLUMN_DEQUEUE_BUFFER_DURATION, DJ_COLUMN_QUEUE_BUFFER_DURATION
#define RT_11 RT_71, DJ_COLUMN_GPU_COMPLETED
#define RT_12 RT_11, DJ_COLUMN_SWAP_BUFFERS_COMPLETED, DJ_COLUMN_DISPLAY_PRESENT_TIME
#define RT_13 RT_12, DJ_COLUMN_COMMAND_SUBMISSION_COMPLETED

static const struct dj_column_list sets[] = {
    {{UI_PREVIEW, RT_PREVIEW}, 13},
    {{UI_PREVIEW, RT_6}, 14},
    {{UI_PREVIEW, RT_71}, 16},
    {{UI_PREVIEW, RT_11}, 17},
    {{UI_12, RT_12}, 22},
    {{UI_12, RT_13}, 23},
    {{UI_12, DJ_COLUMN_WORKLOAD_TARGET, RT_13}, 24},
    {{UI_12, DJ_COLUMN_WORKLOAD_TARGET, DJ_COLUMN_ANIMATION_TIME, RT_13}, 25},
};

const struct dj_column_list *dj_column_set(size_t count)
{
    for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
        if (sets[i].count == count) {
            return &sets[i];
        }
    }
    return NULL;
}
