#include "gfxinfo/column_sets.h"

#include "frame/dialect.h"

/* Columns of the development branch after Android 16: those of 16 plus AnimationTime. As
 * in the releases, the columns of the UI thread come first. */
static const struct dj_column_list after_16 = {
    {DJ_COLUMN_FLAGS,
     DJ_COLUMN_FRAME_TIMELINE_VSYNC_ID,
     DJ_COLUMN_INTENDED_VSYNC,
     DJ_COLUMN_VSYNC,
     DJ_COLUMN_INPUT_EVENT_ID,
     DJ_COLUMN_HANDLE_INPUT_START,
     DJ_COLUMN_ANIMATION_START,
     DJ_COLUMN_PERFORM_TRAVERSALS_START,
     DJ_COLUMN_DRAW_START,
     DJ_COLUMN_FRAME_DEADLINE,
     DJ_COLUMN_FRAME_START_TIME,
     DJ_COLUMN_FRAME_INTERVAL,
     DJ_COLUMN_WORKLOAD_TARGET,
     DJ_COLUMN_ANIMATION_TIME,
     DJ_COLUMN_SYNC_QUEUED,
     DJ_COLUMN_SYNC_START,
     DJ_COLUMN_ISSUE_DRAW_COMMANDS_START,
     DJ_COLUMN_SWAP_BUFFERS,
     DJ_COLUMN_FRAME_COMPLETED,
     DJ_COLUMN_DEQUEUE_BUFFER_DURATION,
     DJ_COLUMN_QUEUE_BUFFER_DURATION,
     DJ_COLUMN_GPU_COMPLETED,
     DJ_COLUMN_SWAP_BUFFERS_COMPLETED,
     DJ_COLUMN_DISPLAY_PRESENT_TIME,
     DJ_COLUMN_COMMAND_SUBMISSION_COMPLETED},
    25,
};

const struct dj_column_list *dj_column_sets_find(size_t count)
{
    for (size_t i = 0; count > 0 && dj_frame_dialect_at(i) != NULL; i++) {
        if (dj_frame_dialect_at(i)->columns.count == count) {
            return &dj_frame_dialect_at(i)->columns;
        }
    }
    return count == after_16.count ? &after_16 : NULL;
}

void dj_gfxinfo_column_sets_describe(struct dj_text *text)
{
    size_t sets[DJ_COLUMN_COUNT], count = 0;
    for (size_t i = 1; i <= DJ_COLUMN_COUNT; i++) {
        if (dj_column_sets_find(i) != NULL) {
            sets[count++] = i;
        }
    }
    for (size_t i = 0; i < count; i++) {
        dj_text_format(text, "%s%zu", dj_text_append_separator(i, count), sets[i]);
    }
}
