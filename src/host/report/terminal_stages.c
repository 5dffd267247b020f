#include "report/terminal_bars.h"

static const struct {
    char letter;
    int color;
} stage_looks[DJ_STAGE_COUNT] = {
    [DJ_STAGE_APP] = {'A', 62},    [DJ_STAGE_VSYNC_DELAY] = {'V', 245},
    [DJ_STAGE_INPUT] = {'I', 175}, [DJ_STAGE_ANIMATION] = {'N', 36},
    [DJ_STAGE_LAYOUT] = {'L', 74}, [DJ_STAGE_DRAW] = {'D', 25},
    [DJ_STAGE_WAIT] = {'W', 240},  [DJ_STAGE_SYNC] = {'Y', 221},
    [DJ_STAGE_ISSUE] = {'C', 178}, [DJ_STAGE_SWAP] = {'S', 166},
};

/* The wait for the display is no part of a frame's time. */
static struct dj_bar stages_bar(const struct dj_view *view, size_t index)
{
    const struct dj_view_frame *frame = &view->frames[index];
    struct dj_bar bar = {.total_ns = frame->frame_time_ns};
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        bar.part_ns[i] = i == DJ_STAGE_WAIT ? 0 : frame->stages.ns[i];
    }
    return bar;
}

void dj_terminal_stages(struct dj_terminal *out, const struct dj_view *view)
{
    struct dj_bar_look looks[DJ_BAR_PARTS];
    for (size_t i = 0; i < DJ_STAGE_COUNT; i++) {
        looks[i] = (struct dj_bar_look){stage_looks[i].letter, stage_looks[i].color,
                                        dj_stage_name((enum dj_stage)i)};
    }
    if (view->frame_count == 0) {
        return;
    }
    dj_terminal_bars(out, &(struct dj_bars){
                              .title = "Stages of the frames (ms)",
                              .word = "frame",
                              .view = view,
                              .count = view->frame_count,
                              .bar = stages_bar,
                              .looks = looks,
                              .known = view->stages_known & ~(1U << DJ_STAGE_WAIT),
                          });
    if ((view->stages_known & (1U << DJ_STAGE_WAIT)) != 0) {
        dj_terminal_wrap(
            out, "", "",
            "The wait for the display (SyncQueued → SyncStart) is not part of "
            "a frame's time and not drawn.");
    }
}

/* Columns that a release lacks are negative. */
static int64_t nanoseconds(float ms)
{
    return ms > 0 ? (int64_t)((double)ms * 1e6) : 0;
}

static struct dj_bar profile_bar(const struct dj_view *view, size_t index)
{
    const struct dj_profile_row *row = &view->window->profile[index];
    struct dj_bar bar = {
        .part_ns = {nanoseconds(row->draw_ms), nanoseconds(row->prepare_ms),
                    nanoseconds(row->process_ms), nanoseconds(row->execute_ms)}};
    for (size_t i = 0; i < DJ_BAR_PARTS; i++) {
        bar.total_ns += bar.part_ns[i];
    }
    return bar;
}

void dj_terminal_profile(struct dj_terminal *out, const struct dj_view *view)
{
    static const struct dj_bar_look looks[DJ_BAR_PARTS] = {{'D', 25, "Draw"},
                                                           {'R', 221, "Prepare"},
                                                           {'P', 178, "Process"},
                                                           {'E', 166, "Execute"}};
    enum { ALL = 0xf, PREPARE = 0x2 };
    if (!dj_view_has_profile(view)) {
        return;
    }
    dj_terminal_bars(
        out, &(struct dj_bars){
                 .title = "Simple timing dump (ms)",
                 .word = "row",
                 .view = view,
                 .count = view->window->profile_count,
                 .bar = profile_bar,
                 .looks = looks,
                 .known = view->window->profile[0].prepare_ms < 0 ? ALL & ~PREPARE : ALL,
             });
}
