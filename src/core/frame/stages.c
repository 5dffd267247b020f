#include "frame/stages.h"

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

const char *dj_frame_stage_name(enum dj_stage stage)
{
    return stages[stage].name;
}

void dj_frame_stage_columns(enum dj_stage stage, enum dj_column *start,
                            enum dj_column *end)
{
    *start = (enum dj_column)stages[stage].start;
    *end = (enum dj_column)stages[stage].end;
}

/* Timestamps that separate stages. Vsync does not separate stages. M Preview has no
 * SyncQueued, so its draw stage ends at SyncStart. */
#define BOUNDARY(symbol, name, kind)                                                     \
    | (DJ_KIND_##kind == DJ_KIND_STAGE ? DJ_COLUMN_BIT(DJ_COLUMN_##symbol) : 0)
static const uint64_t boundaries =
    (UINT64_C(0) DJ_COLUMN_MAP(BOUNDARY)) & ~DJ_COLUMN_BIT(DJ_COLUMN_VSYNC);
#undef BOUNDARY

/* A frame with only these two columns comes from another tool's log and has no stages. */
static const uint64_t ends =
    DJ_COLUMN_BIT(DJ_COLUMN_INTENDED_VSYNC) | DJ_COLUMN_BIT(DJ_COLUMN_FRAME_COMPLETED);

static enum dj_stage find_stage(enum dj_column start, enum dj_column next)
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

static enum dj_column find_lowest_column(uint64_t columns)
{
    return (enum dj_column)__builtin_ctzll(columns);
}

void dj_frame_divide_stages(uint64_t known, struct dj_stage_division *division)
{
    *division = (struct dj_stage_division){.known = known};
    uint64_t rest = known & boundaries;
    if (rest == ends) {
        return;
    }
    /* Each iteration removes the lowest bit. The loop ends when one bit remains. */
    for (; (rest & (rest - 1)) != 0; rest &= rest - 1) {
        enum dj_column start = find_lowest_column(rest);
        enum dj_column end = find_lowest_column(rest & (rest - 1));
        enum dj_stage stage = find_stage(start, end);
        division->stages |= 1U << stage;
        division->start[stage] = (uint8_t)start;
        division->end[stage] = (uint8_t)end;
    }
}

void dj_frame_compute_stages(const struct dj_frame *frame, struct dj_stages *out)
{
    struct dj_stage_division division;
    dj_frame_divide_stages(frame->known, &division);
    *out = (struct dj_stages){.known = division.stages};
    for (uint32_t rest = division.stages; rest != 0; rest &= rest - 1) {
        enum dj_stage stage = (enum dj_stage)__builtin_ctz(rest);
        out->ns[stage] = dj_stages_duration_ns(&division, frame, stage);
    }
}
