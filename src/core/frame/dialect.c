#include "frame/dialect.h"

#include <string.h>

#include "frame/tracker.h"

/* The per-type tests of a frame that missed its deadline, 9 … 16. Source: hwui JankTracker.cpp, COMPARISONS. */
static const struct dj_threshold thresholds_9[] = {
    {DJ_COUNTER_MISSED_VSYNC, DJ_COLUMN_INTENDED_VSYNC, DJ_COLUMN_VSYNC, 0, 1},
    {DJ_COUNTER_SLOW_UI_THREAD, DJ_COLUMN_VSYNC, DJ_COLUMN_SYNC_START, 0.5, 0},
    {DJ_COUNTER_SLOW_BITMAP_UPLOADS, DJ_COLUMN_SYNC_START, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, 0.2,
     0},
    {DJ_COUNTER_SLOW_ISSUE_DRAW_COMMANDS, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START,
     DJ_COLUMN_FRAME_COMPLETED, 0.75, 0},
};

static const struct dj_dialect dialects[] = {
    {
        .name = "11",
        .api = 30,
        .source = "hwui JankTracker.cpp, Ankits-lab/frameworks_base@150a924",
        .columns = {{DJ_COLUMN_FLAGS, DJ_COLUMN_INTENDED_VSYNC, DJ_COLUMN_VSYNC,
                     DJ_COLUMN_OLDEST_INPUT_EVENT, DJ_COLUMN_NEWEST_INPUT_EVENT,
                     DJ_COLUMN_HANDLE_INPUT_START, DJ_COLUMN_ANIMATION_START,
                     DJ_COLUMN_PERFORM_TRAVERSALS_START, DJ_COLUMN_DRAW_START,
                     DJ_COLUMN_SYNC_QUEUED, DJ_COLUMN_SYNC_START,
                     DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, DJ_COLUMN_SWAP_BUFFERS,
                     DJ_COLUMN_FRAME_COMPLETED, DJ_COLUMN_DEQUEUE_BUFFER_DURATION,
                     DJ_COLUMN_QUEUE_BUFFER_DURATION, DJ_COLUMN_GPU_COMPLETED},
                    17},
        .judge = dj_judge_swap_deadline,
        .thresholds = thresholds_9,
        .threshold_count = sizeof(thresholds_9) / sizeof(thresholds_9[0]),
        .counts_gpu = true,
    },
};

const struct dj_dialect *dj_dialect_at(size_t index)
{
    return index < sizeof(dialects) / sizeof(dialects[0]) ? &dialects[index] : NULL;
}

const struct dj_dialect *dj_dialect_find(const char *release)
{
    for (size_t i = 0; dj_dialect_at(i) != NULL; i++) {
        if (strcmp(dialects[i].name, release) == 0) {
            return &dialects[i];
        }
    }
    return NULL;
}

const struct dj_dialect *dj_dialect_default(void)
{
    return dj_dialect_find("11");
}
