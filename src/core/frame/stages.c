#include "frame/stages.h"

#include "base/checked.h"

static const struct {
    const char *name;
    uint8_t start, end;
} stages[DJ_STAGE_COUNT] = {
    [DJ_STAGE_APP] = {"App", DJ_COLUMN_INTENDED_VSYNC, DJ_COLUMN_SYNC_QUEUED},
    [DJ_STAGE_VSYNC_DELAY] = {"Vsync delay", DJ_COLUMN_INTENDED_VSYNC,
                              DJ_COLUMN_HANDLE_INPUT_START},
    [DJ_STAGE_INPUT] = {"Input", DJ_COLUMN_HANDLE_INPUT_START, DJ_COLUMN_ANIMATION_START},
    [DJ_STAGE_ANIMATION] = {"Animation", DJ_COLUMN_ANIMATION_START,
                            DJ_COLUMN_PERFORM_TRAVERSALS_START},
    [DJ_STAGE_LAYOUT] = {"Layout", DJ_COLUMN_PERFORM_TRAVERSALS_START,
                         DJ_COLUMN_DRAW_START},
    [DJ_STAGE_DRAW] = {"Draw", DJ_COLUMN_DRAW_START, DJ_COLUMN_SYNC_QUEUED},
    [DJ_STAGE_WAIT] = {"Wait", DJ_COLUMN_SYNC_QUEUED, DJ_COLUMN_SYNC_START},
    [DJ_STAGE_SYNC] = {"Sync", DJ_COLUMN_SYNC_START, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START},
    [DJ_STAGE_ISSUE] = {"Issue commands", DJ_COLUMN_ISSUE_DRAW_COMMANDS_START,
                        DJ_COLUMN_SWAP_BUFFERS},
    [DJ_STAGE_SWAP] = {"Swap", DJ_COLUMN_SWAP_BUFFERS, DJ_COLUMN_FRAME_COMPLETED},
};

const char *dj_stage_name(enum dj_stage stage)
{
    return stages[stage].name;
}

void dj_stage_columns(enum dj_stage stage, enum dj_column *start, enum dj_column *end)
{
    *start = (enum dj_column)stages[stage].start;
    *end = (enum dj_column)stages[stage].end;
}

static void add_span(struct dj_stages *out, enum dj_stage stage, int64_t start_ns,
                     int64_t end_ns)
{
    int64_t span_ns = dj_subtract_saturated(end_ns, start_ns);
    out->ns[stage] = span_ns > 0 ? span_ns : 0;
    out->known |= 1U << stage;
}

/* M Preview has no SyncQueued: its draw reaches to SyncStart. */
static bool is_boundary(enum dj_column column)
{
    return dj_column_kind(column) == DJ_KIND_STAGE && column != DJ_COLUMN_VSYNC;
}

static enum dj_stage stage_from(enum dj_column start, enum dj_column next)
{
    if (start == DJ_COLUMN_INTENDED_VSYNC) {
        return next >= DJ_COLUMN_SYNC_QUEUED ? DJ_STAGE_APP : DJ_STAGE_VSYNC_DELAY;
    }
    for (size_t i = DJ_STAGE_INPUT; i < DJ_STAGE_COUNT; i++) {
        if (stages[i].start == start) {
            return (enum dj_stage)i;
        }
    }
    return DJ_STAGE_APP;
}

void dj_stages_of(const struct dj_frame *frame, struct dj_stages *out)
{
    *out = (struct dj_stages){0};
    size_t start = DJ_COLUMN_COUNT;
    for (size_t i = 0; i < DJ_COLUMN_COUNT; i++) {
        enum dj_column column = (enum dj_column)i;
        if (!is_boundary(column) || !dj_frame_has(frame, column)) {
            continue;
        }
        if (start != DJ_COLUMN_COUNT) {
            add_span(out, stage_from((enum dj_column)start, column), frame->value[start],
                     frame->value[column]);
        }
        start = i;
    }
}
