#include <criterion/criterion.h>
#include <math.h>

#include "app.h"
#include "live/state/state.h"

TestSuite(figures, .init = test_setup, .fini = test_teardown);

static struct dj_segment_writer writer;

static struct dj_live_figures get_last(const struct dj_live *live)
{
    struct dj_live_figures figures;
    struct dj_error err = {0};
    cr_assert_eq(dj_live_compute_last(live, &figures, &err), 0, "%s", err.message);
    return figures;
}

static void add_frame(struct dj_live *live, int64_t start_ns, int64_t frame_time_ns)
{
    struct dj_live_frame frame = {.number = 1,
                                  .window = 1,
                                  .start_ns = start_ns,
                                  .frame_time_ns = frame_time_ns,
                                  .is_judged = true,
                                  .is_janky = frame_time_ns > APP_STEP_NS};
    cr_assert(dj_live_add_frame(live, &frame, start_ns + frame_time_ns));
}

Test(figures, are_unknown_without_frames)
{
    struct dj_live *live = app_open();
    struct dj_live_figures total;
    app_update(live);
    struct dj_live_figures last = get_last(live);
    dj_live_compute_total(live, &total);
    cr_assert_eq(last.frames, 0);
    cr_assert_eq(last.p50_ns, -1);
    cr_assert_eq(last.longest_ns, -1);
    cr_assert(isnan(last.fps));
    cr_assert(isnan(dj_live_janky_percent(&last)));
    cr_assert_eq(total.p99_ns, -1);
    cr_assert(isnan(total.fps));
    dj_live_close(live);
}

Test(figures, count_janky_frames_and_percentiles)
{
    test_create(&writer);
    struct dj_live *live = app_open();
    app_write(&writer, 1, "Main", 99, false);
    app_write(&writer, 1, "Main", 1, true);
    app_update(live);
    live->now_ns += 2 * DJ_SECOND_NS; /* The frames take 1.7 s. */
    struct dj_live_figures last = get_last(live);
    cr_assert_eq(last.frames, 100);
    cr_assert_eq(last.judged, 100);
    cr_assert_eq(last.janky, 1);
    cr_assert_float_eq(dj_live_janky_percent(&last), 1.0, 1e-9);
    cr_assert_eq(last.p50_ns, APP_FRAME_NS);
    cr_assert_eq(last.p95_ns, APP_FRAME_NS);
    cr_assert_eq(last.longest_ns, APP_JANKY_NS);
    cr_assert_float_eq(last.fps, 50, 1);
    struct dj_live_figures total;
    dj_live_compute_total(live, &total);
    cr_assert_eq(total.frames, 100);
    cr_assert_eq(total.janky, 1);
    cr_assert_eq(total.longest_ns, APP_JANKY_NS);
    cr_assert_float_eq((double)total.p50_ns, (double)APP_FRAME_NS, APP_FRAME_NS * 0.01);
    dj_live_close(live);
}

Test(figures, cover_the_last_ten_seconds)
{
    struct dj_live *live = app_open();
    int64_t begin_ns = live->opened_ns;
    for (int i = 0; i < 15; i++) {
        add_frame(live, begin_ns + i * DJ_SECOND_NS, i < 5 ? 90000000 : APP_FRAME_NS);
    }
    live->state = DJ_LIVE_RUNNING;
    live->now_ns = begin_ns + 14 * DJ_SECOND_NS + 500000000;
    struct dj_live_figures last = get_last(live);
    cr_assert_eq(last.span_ns, DJ_LIVE_SPAN_NS);
    cr_assert_eq(last.frames, 10);
    cr_assert_eq(last.janky, 0);
    cr_assert_eq(last.longest_ns, APP_FRAME_NS);
    cr_assert_float_eq(last.fps, 1.0, 1e-9);
    struct dj_live_figures total;
    dj_live_compute_total(live, &total);
    cr_assert_eq(total.frames, 15);
    cr_assert_eq(total.janky, 5);
    cr_assert_eq(total.longest_ns, 90000000);
    dj_live_close(live);
}

Test(figures, end_with_the_app)
{
    struct dj_live *live = app_open();
    add_frame(live, live->opened_ns, APP_FRAME_NS);
    add_frame(live, live->opened_ns + DJ_SECOND_NS - APP_FRAME_NS, APP_FRAME_NS);
    live->state = DJ_LIVE_ENDED;
    live->now_ns = live->opened_ns + 60 * DJ_SECOND_NS;
    struct dj_live_figures last = get_last(live);
    cr_assert_eq(last.frames, 2);
    cr_assert_eq(last.span_ns, DJ_SECOND_NS);
    dj_live_close(live);
}

Test(figures, exclude_frames_before_opening_from_the_total)
{
    struct dj_live *live = app_open();
    add_frame(live, live->opened_ns - DJ_SECOND_NS, APP_JANKY_NS);
    add_frame(live, live->opened_ns, APP_FRAME_NS);
    struct dj_live_figures total;
    dj_live_compute_total(live, &total);
    cr_assert_eq(dj_live_frame_count(live), 2);
    cr_assert_eq(total.frames, 1);
    cr_assert_eq(total.janky, 0);
    dj_live_close(live);
}

Test(figures, cover_less_time_if_the_ring_is_too_small)
{
    struct dj_live *live = app_open();
    int64_t step_ns = 100000; /* 10 kHz for 5 s. */
    for (int i = 0; i < 50000; i++) {
        add_frame(live, live->opened_ns + i * step_ns, 50000);
    }
    live->state = DJ_LIVE_RUNNING;
    live->now_ns = live->opened_ns + 50000 * step_ns;
    struct dj_live_figures last = get_last(live);
    cr_assert_eq(dj_live_frame_count(live), DJ_LIVE_FRAMES_MAX);
    cr_assert_eq(last.frames, DJ_LIVE_FRAMES_MAX);
    cr_assert_eq(last.span_ns, DJ_LIVE_FRAMES_MAX * step_ns);
    cr_assert_float_eq(last.fps, 10000, 1);
    cr_assert_eq(dj_live_get_frame(live, 0)->sequence, 50000 - DJ_LIVE_FRAMES_MAX + 1);
    dj_live_close(live);
}
