/* Tests of frames that the compositor reported (FrameTimeline). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "triage/triage.h"

enum { MS = 1000000, SF_CPU = 16, SF_GPU = 32, APP = 64, STUFFING = 128 };

static struct dj_triage *triage;

static void finish(void)
{
    dj_triage_destroy(triage);
}

TestSuite(frame_timeline, .fini = finish);

static struct dj_trace_thread threads[] = {{.tid = 9, .pid = 9, .name = "surfaceflinger"},
                                           {.tid = 50, .pid = 50, .name = "app"}};
static struct dj_trace_slice slices[] = {{.name = "draw",
                                          .start_ns = 102 * MS,
                                          .end_ns = 125 * MS,
                                          .self_ns = 23 * MS,
                                          .tid = 50,
                                          .end_tid = 50},
                                         {.name = "composite",
                                          .start_ns = 117 * MS,
                                          .end_ns = 134 * MS,
                                          .self_ns = 17 * MS,
                                          .tid = 9,
                                          .end_tid = 9}};
static bool on_time;

/* Weighs one frame of an app that starts at 100 ms and is expected to end at 116 ms, and
 * the display frame that shows it. */
static const struct dj_triage_result *weigh(int end_ms, uint32_t jank, int shown_ms)
{
    struct dj_trace_frame frames[] = {
        {.layer = "TX - app",
         .expected_start_ns = 100 * MS,
         .expected_end_ns = 116 * MS,
         .start_ns = 101 * MS,
         .end_ns = (int64_t)end_ms * MS,
         .token = 1,
         .display_token = 2,
         .pid = 50,
         .finished_on_time = on_time,
         .jank_types = jank},
        {.layer = "",
         .expected_start_ns = 116 * MS,
         .expected_end_ns = 120 * MS,
         .start_ns = 117 * MS,
         .end_ns = (int64_t)shown_ms * MS,
         .token = 2,
         .pid = 9,
         .jank_types = jank,
         .display = true},
    };
    struct dj_trace trace = {.slices = slices,
                             .slice_count = 2,
                             .threads = threads,
                             .thread_count = 2,
                             .frames = frames,
                             .frame_count = 2,
                             .first_ns = 90 * MS,
                             .last_ns = 200 * MS};
    const struct dj_triage_result *result = NULL;
    struct dj_triage_rules rules = {0};
    struct dj_error err = {0};
    triage = dj_triage_create(&rules);
    cr_assert_eq(dj_triage_add(triage, &trace, "made", &err), 0, "%s", err.message);
    cr_assert_eq(dj_triage_weigh(triage, &result, &err), 0, "%s", err.message);
    return result;
}

Test(frame_timeline, an_apps_frame_is_compared_with_its_expected_end)
{
    const struct dj_triage_result *result = weigh(125, APP, 119);
    cr_expect_str_eq(result->frames_from, "FrameTimeline");
    cr_expect_eq(result->frames, 1);
    cr_expect_eq(result->janky, 1);
    cr_expect_eq(result->late_ns, 9 * MS);
    cr_assert(result->cause_count > 0);
    cr_expect_str_eq(result->causes[0].name, "draw");
    cr_expect_eq(result->causes[0].ns, 23 * MS);
}

Test(frame_timeline, a_late_compositor_is_a_display_cause)
{
    const struct dj_triage_result *result = weigh(115, SF_CPU, 135);
    cr_expect_eq(result->janky, 1);
    cr_expect_eq(result->late_ns, 15 * MS);
    cr_assert(result->cause_count > 0);
    cr_expect_eq(result->causes[0].kind, DJ_CAUSE_DISPLAY);
    cr_expect_str_eq(result->causes[0].name, "SurfaceFlinger's CPU deadline");
    cr_expect_eq(result->causes[0].ns, 20 * MS);
    cr_expect_eq(result->causes[0].saved_frames, 1);
    cr_expect_str_eq(result->causes[0].holder, "surfaceflinger");
    cr_expect_str_eq(result->causes[0].evidence[0].holder_section, "composite");
}

/* The app finished in time, and the frame waited for the previous one. */
Test(frame_timeline, an_app_that_finished_on_time_is_not_blamed)
{
    on_time = true;
    const struct dj_triage_result *result = weigh(118, SF_CPU, 135);
    cr_expect_eq(result->janky, 1);
    cr_expect_eq(result->late_ns, 15 * MS);
    cr_assert_eq(result->cause_count, 1);
    cr_expect_eq(result->causes[0].kind, DJ_CAUSE_DISPLAY);
    cr_expect_eq(result->causes[0].ns, 17 * MS);
}

Test(frame_timeline, unknown_lateness_of_shown_frames_is_reported)
{
    const struct dj_triage_result *result = weigh(115, STUFFING, 119);
    cr_expect_eq(result->janky, 0);
    bool found = false;
    for (size_t i = 0; i < result->limit_count; i++) {
        found |= strcmp(result->limits[i].text,
                        "1 frame finished in time and was shown late (buffer stuffing) "
                        "by an unknown time: it counts as in time") == 0;
    }
    cr_expect(found);
}

Test(frame_timeline, the_compositors_gpu_deadline_is_a_gpu_cause)
{
    const struct dj_triage_result *result = weigh(115, SF_GPU, 135);
    cr_assert(result->cause_count > 0);
    cr_expect_eq(result->causes[0].kind, DJ_CAUSE_GPU);
}

Test(frame_timeline, a_frame_shown_in_time_has_no_cause)
{
    const struct dj_triage_result *result = weigh(115, 1, 119);
    cr_expect_eq(result->frames, 1);
    cr_expect_eq(result->janky, 0);
    cr_expect_eq(result->cause_count, 0);
}

static const struct dj_triage_cause *find(const struct dj_triage_result *result,
                                          enum dj_cause_kind kind)
{
    for (size_t i = 0; i < result->cause_count; i++) {
        if (result->causes[i].kind == kind) {
            return &result->causes[i];
        }
    }
    return NULL;
}

/* The app is 9 ms late. The compositor, which then only lacked its own work, adds 15
 * ms. */
Test(frame_timeline, a_frame_late_by_app_and_compositor_has_both_causes)
{
    const struct dj_triage_result *result = weigh(125, APP | SF_CPU, 140);
    cr_expect_eq(result->janky, 1);
    cr_expect_eq(result->late_ns, (9 + 15) * MS);
    const struct dj_triage_cause *app = find(result, DJ_CAUSE_OWN_WORK);
    const struct dj_triage_cause *shown = find(result, DJ_CAUSE_DISPLAY);
    cr_assert(app == result->causes && shown != NULL);
    cr_expect_eq(app->ns, 23 * MS);
    cr_expect_eq(app->saved_frames, 1);
    cr_expect_eq(app->saved_ns, 9 * MS);
    cr_expect_eq(shown->kind, DJ_CAUSE_DISPLAY);
    cr_expect_str_eq(shown->name, "SurfaceFlinger's CPU deadline");
    cr_expect_eq(shown->ns, 15 * MS);
    cr_expect_eq(shown->saved_frames, 0, "the app was late all the same");
    cr_expect_eq(shown->saved_ns, 15 * MS);
    cr_assert_eq(result->worst_count, 1);
    cr_expect_eq(result->worst[0].end_ns, 140 * MS);
}

Test(frame_timeline, a_compositor_in_time_has_no_share)
{
    const struct dj_triage_result *result = weigh(117, APP | SF_CPU, 120);
    cr_expect_eq(result->late_ns, 1 * MS);
    cr_expect_null(find(result, DJ_CAUSE_DISPLAY));
}

/* Weighs three frames of each of two layers. Each frame is ready when the previous one
 * is shown, as in a queue of two buffers. The third frame is shown gap_ms after the
 * second. */
static const struct dj_triage_result *stuff(int gap_ms)
{
    static const char *const layers[] = {"TX - app", "TX - other"};
    enum { SHOWN = 3 };
    struct dj_trace_frame frames[3 * SHOWN];
    for (int i = 0; i < SHOWN; i++) {
        int64_t start_ns = (100 + 16 * i) * MS;
        int64_t shown_ns = (140 + 16 * i + (i == 2 ? gap_ms - 16 : 0)) * MS;
        for (int k = 0; k < 2; k++) {
            frames[3 * i + k] =
                (struct dj_trace_frame){.layer = layers[k],
                                        .expected_start_ns = start_ns,
                                        .expected_end_ns = start_ns + 16 * MS,
                                        .start_ns = start_ns + MS,
                                        .end_ns = start_ns + 10 * MS,
                                        .token = 10 * i + k + 1,
                                        .display_token = 10 * i + 5,
                                        .pid = 50,
                                        .finished_on_time = true,
                                        .jank_types = STUFFING};
        }
        frames[3 * i + 2] =
            (struct dj_trace_frame){.layer = "",
                                    .expected_start_ns = shown_ns - 4 * MS,
                                    .expected_end_ns = shown_ns,
                                    .start_ns = shown_ns - 3 * MS,
                                    .end_ns = shown_ns,
                                    .token = 10 * i + 5,
                                    .pid = 9,
                                    .jank_types = 1,
                                    .display = true};
    }
    struct dj_trace trace = {.threads = threads,
                             .thread_count = 2,
                             .frames = frames,
                             .frame_count = 3 * SHOWN,
                             .first_ns = 90 * MS,
                             .last_ns = 300 * MS};
    const struct dj_triage_result *result = NULL;
    struct dj_triage_rules rules = {0};
    struct dj_error err = {0};
    triage = dj_triage_create(&rules);
    cr_assert_eq(dj_triage_add(triage, &trace, "made", &err), 0, "%s", err.message);
    cr_assert_eq(dj_triage_weigh(triage, &result, &err), 0, "%s", err.message);
    return result;
}

static bool has_limit(const struct dj_triage_result *result, const char *words)
{
    for (size_t i = 0; i < result->limit_count; i++) {
        if (strstr(result->limits[i].text, words) != NULL) {
            return true;
        }
    }
    return false;
}

Test(frame_timeline, stuffed_frames_at_a_steady_pace_are_in_time)
{
    const struct dj_triage_result *result = stuff(16);
    cr_expect_eq(result->janky, 0);
    cr_expect(has_limit(result, "4 frames finished in time and were shown up to 16.0 ms "
                                "after the previous frame (buffer stuffing)"));
    cr_expect(has_limit(result, "2 frames finished in time and were shown late (buffer "
                                "stuffing) by an unknown time"));
}

Test(frame_timeline, stuffed_frames_that_lose_their_pace_are_late)
{
    const struct dj_triage_result *result = stuff(48);
    cr_expect_eq(result->janky, 2);
    cr_expect_eq(result->late_ns, 2 * 32 * MS);
    cr_assert_eq(result->cause_count, 1);
    cr_expect_eq(result->causes[0].kind, DJ_CAUSE_DISPLAY);
    cr_expect_str_eq(result->causes[0].name, "buffer stuffing");
    cr_expect_str_eq(result->causes[0].holder, "surfaceflinger");
    cr_expect_eq(result->causes[0].saved_frames, 2);
}

enum { FRAMES = 10, EACH_MS = 40 };

/* Weighs frames of a process with two threads. Each frame takes 25 ms. Thread `tid` runs
 * at the end of every frame. The other thread also runs in the first `others` frames. */
static const char *find_end_thread(uint32_t tid, int other_count)
{
    static struct dj_trace_thread pair[] = {{.tid = 50, .pid = 50, .name = "main"},
                                            {.tid = 51, .pid = 50, .name = "render"}};
    static struct dj_trace_frame frames[FRAMES];
    static struct dj_trace_state states[4 * FRAMES];
    size_t count = 0;
    for (int i = 0; i < FRAMES; i++) {
        int64_t start_ns = (int64_t)(100 + i * EACH_MS) * MS;
        frames[i] = (struct dj_trace_frame){.layer = "window",
                                            .expected_start_ns = start_ns,
                                            .expected_end_ns = start_ns + 16 * MS,
                                            .start_ns = start_ns,
                                            .end_ns = start_ns + 25 * MS,
                                            .token = i + 1,
                                            .pid = 50};
        for (uint32_t k = 50; k <= 51; k++) {
            bool runs = k == tid || i < other_count;
            states[count++] = (struct dj_trace_state){.start_ns = start_ns - 5 * MS,
                                                      .end_ns = start_ns + 30 * MS,
                                                      .tid = k,
                                                      .cpu = (int32_t)k - 50,
                                                      .waker = -1,
                                                      .waker_cpu = -1,
                                                      .state = runs ? DJ_THREAD_RUNNING
                                                                    : DJ_THREAD_SLEEPING};
        }
    }
    struct dj_trace trace = {.threads = pair,
                             .thread_count = 2,
                             .states = states,
                             .state_count = count,
                             .frames = frames,
                             .frame_count = FRAMES,
                             .first_ns = 90 * MS,
                             .last_ns = 600 * MS};
    const struct dj_triage_result *result = NULL;
    struct dj_triage_rules rules = {0};
    struct dj_error err = {0};
    dj_triage_destroy(triage);
    triage = dj_triage_create(&rules);
    cr_assert_eq(dj_triage_add(triage, &trace, "made", &err), 0, "%s", err.message);
    cr_assert_eq(dj_triage_weigh(triage, &result, &err), 0, "%s", err.message);
    cr_assert_eq(result->janky, FRAMES);
    cr_assert(result->worst_count > 0);
    return result->worst[0].thread;
}

Test(frame_timeline, frames_end_in_the_thread_that_runs_at_their_end)
{
    cr_expect_str_eq(find_end_thread(50, 0), "main");
    cr_expect_str_eq(find_end_thread(51, 0), "render");
    cr_expect_str_eq(find_end_thread(51, 3), "render");
    cr_expect_str_eq(find_end_thread(51, 6), "main",
                     "the main thread ran at most ends, too");
    cr_expect_str_eq(find_end_thread(50, 9), "main");
}

/* Rows of gfxinfo only name the process, so they begin in its main thread. */
Test(frame_timeline, rows_begin_in_the_main_thread)
{
    static struct dj_trace_thread pair[] = {{.tid = 50, .pid = 50, .name = "main"},
                                            {.tid = 51, .pid = 50, .name = "render"}};
    struct dj_trace_slice sections[2 * FRAMES];
    struct dj_triage_row all[FRAMES];
    for (int i = 0; i < FRAMES; i++) {
        int64_t start_ns = (int64_t)(100 + i * EACH_MS) * MS;
        int64_t handed_ns = start_ns + (i % 3 == 1 ? 20 : 4) * MS;
        int64_t end_ns = handed_ns + 6 * MS;
        sections[2 * i] = (struct dj_trace_slice){.name = "measure",
                                                  .start_ns = start_ns,
                                                  .end_ns = handed_ns,
                                                  .tid = 50,
                                                  .end_tid = 50};
        sections[2 * i + 1] = (struct dj_trace_slice){.name = "DrawFrames 7",
                                                      .start_ns = handed_ns,
                                                      .end_ns = end_ns,
                                                      .tid = 51,
                                                      .end_tid = 51};
        all[i] = (struct dj_triage_row){.pid = 50,
                                        .start_ns = start_ns,
                                        .end_ns = end_ns,
                                        .deadline_ns = start_ns + 16 * MS};
    }
    const struct dj_triage_rows rows = {.all = all, .count = FRAMES};
    struct dj_trace trace = {.threads = pair,
                             .thread_count = 2,
                             .slices = sections,
                             .slice_count = 2 * FRAMES,
                             .first_ns = 90 * MS,
                             .last_ns = 600 * MS};
    const struct dj_triage_result *result = NULL;
    struct dj_triage_rules rules = {.rows = &rows};
    struct dj_error err = {0};
    triage = dj_triage_create(&rules);
    cr_assert_eq(dj_triage_add(triage, &trace, "made", &err), 0, "%s", err.message);
    cr_assert_eq(dj_triage_weigh(triage, &result, &err), 0, "%s", err.message);
    cr_assert_eq(result->cause_count, 1);
    cr_expect_str_eq(result->causes[0].name, "measure");
    cr_expect_str_eq(result->causes[0].thread, "main");
    cr_expect_eq(result->causes[0].usual_ns, 4 * MS);
    cr_expect_eq(result->causes[0].saved_frames, 3);
}
