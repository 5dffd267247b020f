#include <dejank/frames.h>

#include "recorder/recorder.h"

static const enum dj_column columns[DEJANK_STAGE_COUNT] = {
    [DEJANK_INTENDED_VSYNC] = DJ_COLUMN_INTENDED_VSYNC,
    [DEJANK_VSYNC] = DJ_COLUMN_VSYNC,
    [DEJANK_OLDEST_INPUT_EVENT] = DJ_COLUMN_OLDEST_INPUT_EVENT,
    [DEJANK_NEWEST_INPUT_EVENT] = DJ_COLUMN_NEWEST_INPUT_EVENT,
    [DEJANK_HANDLE_INPUT_START] = DJ_COLUMN_HANDLE_INPUT_START,
    [DEJANK_ANIMATION_START] = DJ_COLUMN_ANIMATION_START,
    [DEJANK_LAYOUT_START] = DJ_COLUMN_PERFORM_TRAVERSALS_START,
    [DEJANK_DRAW_START] = DJ_COLUMN_DRAW_START,
    [DEJANK_SYNC_QUEUED] = DJ_COLUMN_SYNC_QUEUED,
    [DEJANK_SYNC_START] = DJ_COLUMN_SYNC_START,
    [DEJANK_RENDER_START] = DJ_COLUMN_ISSUE_DRAW_COMMANDS_START,
    [DEJANK_SWAP_BUFFERS] = DJ_COLUMN_SWAP_BUFFERS,
    [DEJANK_FRAME_COMPLETED] = DJ_COLUMN_FRAME_COMPLETED,
    [DEJANK_FRAME_DEADLINE] = DJ_COLUMN_FRAME_DEADLINE,
    [DEJANK_GPU_COMPLETED] = DJ_COLUMN_GPU_COMPLETED,
    [DEJANK_DISPLAY_PRESENT_TIME] = DJ_COLUMN_DISPLAY_PRESENT_TIME,
};

static struct dj_surface get_declared_surface(uint64_t surface)
{
    return (struct dj_surface){DJ_PIPELINE_DECLARED, surface};
}

/* Checks the number, because C does not limit an enum argument to its enumerators. */
static bool is_stage(enum dejank_stage stage)
{
    return (unsigned)stage < DEJANK_STAGE_COUNT;
}

int64_t dejank_now_ns(void)
{
    return dj_recorder_clock_ns();
}

void dejank_frame_begin(uint64_t surface)
{
    dj_recorder_open_frame(get_declared_surface(surface));
}

void dejank_frame_stage(enum dejank_stage stage)
{
    if (is_stage(stage)) {
        dj_recorder_stamp_stage(columns[stage], dj_recorder_clock_ns());
    }
}

void dejank_frame_stage_at(enum dejank_stage stage, int64_t at_ns)
{
    if (is_stage(stage) && at_ns >= 0) {
        dj_recorder_stamp_stage(columns[stage], at_ns);
    }
}

struct dejank_frame dejank_frame_end(void)
{
    struct dj_recorded_frame recorded = dj_recorder_close_frame(true);
    return (struct dejank_frame){recorded.surface.id, recorded.index, recorded.valid};
}

void dejank_frame_discard(void)
{
    dj_recorder_discard_frame();
}

bool dejank_frame_amend(struct dejank_frame frame, enum dejank_stage stage, int64_t at_ns)
{
    const struct dj_recorded_frame recorded = {get_declared_surface(frame.surface),
                                               frame.index, frame.recorded};
    return (stage == DEJANK_GPU_COMPLETED || stage == DEJANK_DISPLAY_PRESENT_TIME) &&
           at_ns >= 0 && dj_recorder_amend_frame(&recorded, columns[stage], at_ns);
}

bool dejank_surface_set_title(uint64_t surface, const char *title)
{
    return dj_recorder_announce_surface(get_declared_surface(surface)) &&
           dj_recorder_set_title(get_declared_surface(surface), title);
}

bool dejank_surface_set_interval(uint64_t surface, int64_t interval_ns)
{
    return dj_recorder_announce_surface(get_declared_surface(surface)) &&
           dj_recorder_set_interval(get_declared_surface(surface), interval_ns);
}

bool dejank_surface_set_visible(uint64_t surface, bool visible)
{
    return dj_recorder_announce_surface(get_declared_surface(surface)) &&
           dj_recorder_set_visibility(get_declared_surface(surface),
                                      visible ? DJ_VISIBLE : DJ_INVISIBLE);
}
