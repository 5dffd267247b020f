/* Tests of the times at which the display showed frames, from FrameTimeline. */
#include <criterion/criterion.h>
#include <string.h>

#include "triage/triage.h"

enum { MS = 1000000, PERIOD = 16 * MS, FRAMES = 40, ON_TIME = 1, DROPPED = 4 };

static struct dj_triage *triage;
static struct dj_trace_frame frames[3 * FRAMES];
static size_t frame_count;

static void begin(void)
{
    memset(frames, 0, sizeof(frames));
    frame_count = 0;
}

static void finish(void)
{
    dj_triage_destroy(triage);
    triage = NULL;
}

TestSuite(presents, .init = begin, .fini = finish);

/* Adds a frame of a layer that is expected to start at `start_ms`, and the frame of the
 * display that shows it at `shown_ms`. 0: it was dropped. −1: the trace lacks it. */
static void add(const char *layer, int start_ms, int shown_ms)
{
    int64_t token = (int64_t)frame_count + 1;
    frames[frame_count++] = (struct dj_trace_frame){
        .layer = layer,
        .expected_start_ns = (int64_t)start_ms * MS,
        .expected_end_ns = (int64_t)(start_ms + 16) * MS,
        .start_ns = (int64_t)start_ms * MS,
        .end_ns = (int64_t)(start_ms + 8) * MS,
        .token = token,
        .display_token = token + 1000,
        .pid = 50,
        .present = shown_ms == 0 ? DROPPED : ON_TIME,
    };
    if (shown_ms > 0) {
        frames[frame_count++] = (struct dj_trace_frame){
            .layer = "",
            .expected_start_ns = (int64_t)(shown_ms - 16) * MS,
            .expected_end_ns = (int64_t)shown_ms * MS,
            .start_ns = (int64_t)(shown_ms - 16) * MS,
            .end_ns = (int64_t)shown_ms * MS,
            .token = token + 1000,
            .pid = 9,
            .present = ON_TIME,
            .display = true,
        };
    }
}

static const struct dj_triage_result *weigh(void)
{
    struct dj_trace trace = {.frames = frames,
                             .frame_count = frame_count,
                             .first_ns = 1 * MS,
                             .last_ns = (int64_t)10000 * MS};
    const struct dj_triage_result *result = NULL;
    struct dj_triage_rules rules = {0};
    struct dj_error err = {0};
    triage = dj_triage_create(&rules);
    cr_assert_eq(dj_triage_add(triage, &trace, "made", &err), 0, "%s", err.message);
    cr_assert_eq(dj_triage_weigh(triage, &result, &err), 0, "%s", err.message);
    return result;
}

/* The frame of index 20 is shown two refreshes late and its app draws it on time. */
Test(presents, late_presents_and_animation_errors_are_found)
{
    for (int i = 0; i < FRAMES; i++) {
        int late = i >= 20 ? 32 : 0;
        add("app", 100 + 16 * i + (i > 20 ? late : 0), 132 + 16 * i + late);
    }
    const struct dj_triage_result *result = weigh();
    cr_assert_eq(result->present_count, 1);
    cr_expect_str_eq(result->presents[0].layer, "app");
    cr_expect_str_eq(result->presents[0].trace, "made");
    const struct dj_present_figures *figures = &result->presents[0].figures;
    cr_expect_eq(figures->presents, FRAMES);
    cr_expect_eq(figures->step.count, FRAMES - 1);
    cr_expect_eq(figures->step.max_ns, 48 * MS);
    cr_expect_eq(figures->late[1], 1, "late by two refreshes");
    cr_expect_eq(figures->late_total, 1);
    cr_expect_eq(figures->repeated, 2);
    cr_expect_eq(figures->skipped, 0);
    cr_expect_float_eq(figures->pacing.max_ns, 0, 1);
    cr_expect_float_eq(figures->animation.max_ns, 32.0 * MS, 1);
    cr_expect_float_eq(figures->animation.mean_ns, 2 * 32.0 * MS / (FRAMES - 1), 1);
}

Test(presents, dropped_frames_are_skipped)
{
    for (int i = 0; i < FRAMES; i++) {
        add("app", 100 + 16 * i, i % 10 == 5 ? 0 : 132 + 16 * i);
    }
    const struct dj_present_figures *figures = &weigh()->presents[0].figures;
    cr_expect_eq(figures->presents, FRAMES - 4);
    cr_expect_eq(figures->skipped, 4);
    cr_expect_eq(figures->late[0], 4);
}

Test(presents, an_unknown_present_is_no_skipped_frame)
{
    for (int i = 0; i < FRAMES; i++) {
        add("app", 100 + 16 * i, i == 7 ? -1 : 132 + 16 * i);
    }
    const struct dj_present_figures *figures = &weigh()->presents[0].figures;
    cr_expect_eq(figures->presents, FRAMES - 1);
    cr_expect_eq(figures->skipped, 0);
    cr_expect_eq(figures->step.count, FRAMES - 3);
    cr_expect_eq(figures->step.max_ns, PERIOD);
}

Test(presents, a_frame_shown_before_an_older_one_follows_none)
{
    add("app", 100, 200);
    add("app", 116, 180);
    add("app", 132, 216);
    const struct dj_present_figures *figures = &weigh()->presents[0].figures;
    cr_expect_eq(figures->presents, 3);
    cr_expect_eq(figures->skipped, 0);
    cr_expect_eq(figures->step.count, 1);
    cr_expect_eq(figures->step.max_ns, 36 * MS);
}

Test(presents, layers_stay_apart)
{
    for (int i = 0; i < FRAMES / 2; i++) {
        add("b", 100 + 16 * i, 132 + 16 * i);
        add("a", 101 + 32 * i, 140 + 32 * i);
    }
    add("never shown", 200, 0);
    const struct dj_triage_result *result = weigh();
    cr_assert_eq(result->present_count, 2);
    cr_expect_str_eq(result->presents[0].layer, "a");
    cr_expect_eq(result->presents[0].figures.step.max_ns, 32 * MS);
    cr_expect_eq(result->presents[1].figures.step.max_ns, 16 * MS);
}

Test(presents, a_trace_without_frames_of_the_display_has_none)
{
    add("app", 100, -1);
    add("app", 116, -1);
    cr_expect_eq(weigh()->present_count, 0);
}
