#include <criterion/criterion.h>
#include <unistd.h>

#include "app.h"
#include "live/apps.h"

TestSuite(local, .init = test_setup, .fini = test_teardown);

static struct dj_segment_writer writer;

Test(local, returns_each_new_frame_once)
{
    test_create(&writer);
    app_write(&writer, 1, "Main", 2, false);
    struct dj_live *live = app_open();
    cr_assert_eq(app_update(live), 2);
    cr_assert_eq(app_update(live), 0);
    app_write(&writer, 1, "Main", 3, true);
    cr_assert_eq(app_update(live), 3);
    cr_assert_eq(dj_live_frame_count(live), 5);
    for (size_t i = 0; i < 5; i++) {
        const struct dj_live_frame *frame = dj_live_get_frame(live, i);
        cr_assert_eq(frame->sequence, i + 1);
        cr_assert_eq(frame->number, i + 1);
        cr_assert_eq(frame->lost_before, 0);
        cr_assert(frame->is_judged);
        cr_assert_eq(frame->is_janky, i == 4);
        cr_assert_eq(frame->frame_time_ns, i == 4 ? APP_JANKY_NS : APP_FRAME_NS);
    }
    cr_assert_eq(dj_live_get_state(live), DJ_LIVE_RUNNING);
    cr_assert_eq(dj_live_get_pid(live), getpid());
    dj_live_close(live);
}

Test(local, divides_a_frame_into_stages)
{
    test_create(&writer);
    struct dj_live *live = app_open();
    app_write(&writer, 1, "Main", 1, true);
    cr_assert_eq(app_update(live), 1);
    const struct dj_stages *stages = &app_new_frame(live, 0)->stages;
    cr_assert(stages->known & 1U << DJ_STAGE_DRAW);
    cr_assert_eq(stages->ns[DJ_STAGE_DRAW], APP_JANKY_NS - 3500000);
    cr_assert_eq(stages->ns[DJ_STAGE_SWAP], 1000000);
    cr_assert(app_new_frame(live, 0)->findings & 1U << DJ_FINDING_DRAW);
    dj_live_close(live);
}

Test(local, reports_frames_that_the_ring_overwrote)
{
    test_create(&writer);
    struct dj_live *live = app_open();
    app_write(&writer, 1, "Main", 10, false);
    cr_assert_eq(app_update(live), 10);
    app_write(&writer, 1, "Main", TEST_KEEP + 20, false);
    cr_assert_eq(app_update(live), TEST_KEEP);
    cr_assert_eq(app_new_frame(live, 0)->lost_before, 20);
    cr_assert_eq(app_new_frame(live, 0)->number, 31);
    cr_assert_eq(app_new_frame(live, 1)->lost_before, 0);
    app_write(&writer, 1, "Main", 1, false);
    cr_assert_eq(app_update(live), 1);
    cr_assert_eq(app_new_frame(live, 0)->lost_before, 0);
    struct dj_live_figures total;
    dj_live_compute_total(live, &total);
    cr_assert_eq(total.lost, 20);
    cr_assert_eq(total.lost_ranges, 1);
    dj_live_close(live);
}

Test(local, reads_more_rows_than_usual_after_a_pause)
{
    test_create_named(&writer, APP_NAME, "example", 4096);
    struct dj_live *live = app_open();
    app_write(&writer, 1, "Main", 1, false);
    cr_assert_eq(app_update(live), 1);
    app_write(&writer, 1, "Main", 500, false);
    cr_assert_eq(app_update(live), 500);
    cr_assert_eq(app_new_frame(live, 0)->lost_before, 0);
    dj_live_close(live);
}

Test(local, keeps_windows_apart)
{
    test_create(&writer);
    struct dj_live *live = app_open();
    app_write(&writer, 1, "Main", 3, false);
    app_write(&writer, 2, "Dialog", 2, true);
    cr_assert_eq(app_update(live), 5);
    app_write(&writer, 1, "Main", 1, false);
    cr_assert_eq(app_update(live), 1);
    const struct dj_live_window *main = dj_live_get_window(live, 0);
    const struct dj_live_window *dialog = dj_live_get_window(live, 1);
    cr_assert_str_eq(main->title, "Main");
    cr_assert_str_eq(dialog->title, "Dialog");
    cr_assert_str_eq(main->process, APP_NAME);
    cr_assert_eq(main->pid, getpid());
    cr_assert_eq(main->interval_ns, TEST_INTERVAL_NS);
    cr_assert_eq(main->frames, 4);
    cr_assert_eq(dialog->frames, 2);
    cr_assert_eq(app_new_frame(live, 0)->window, main->id);
    cr_assert_eq(app_new_frame(live, 0)->number, 4);
    cr_assert_eq(dj_live_find_window(live, dialog->id), dialog);
    cr_assert_null(dj_live_get_window(live, 2));
    dj_live_close(live);
}

Test(local, separates_windows_that_use_one_slot)
{
    test_create(&writer);
    struct dj_live *live = app_open();
    for (uint64_t key = 1; key <= DJ_SEGMENT_WINDOWS; key++) {
        app_write(&writer, key, "Old", 1, false);
    }
    cr_assert_eq(app_update(live), DJ_SEGMENT_WINDOWS);
    app_write(&writer, 40, "New", 1, false);
    cr_assert_eq(app_update(live), 1);
    const struct dj_live_frame *frame = app_new_frame(live, 0);
    cr_assert_eq(frame->number, 1);
    cr_assert_eq(frame->window, DJ_SEGMENT_WINDOWS + 1);
    cr_assert_str_eq(dj_live_find_window(live, frame->window)->title, "New");
    size_t ended = 0;
    for (size_t i = 0; dj_live_get_window(live, i) != NULL; i++) {
        ended += dj_live_get_window(live, i)->is_ended;
    }
    cr_assert_eq(ended, 1);
    dj_live_close(live);
}

Test(local, ignores_a_reset_and_does_not_reset)
{
    test_create(&writer);
    struct dj_live *live = app_open();
    app_write(&writer, 1, "Main", 3, false);
    cr_assert_eq(app_update(live), 3);
    struct dj_error err = {0};
    cr_assert_eq(test_reset(test_segment(), dj_host_now_ns(), &err), 0, "%s",
                 err.message);
    app_write(&writer, 1, "Main", 2, false);
    cr_assert_eq(app_update(live), 2);
    cr_assert_eq(app_new_frame(live, 0)->lost_before, 0);
    struct dj_snapshot snapshot = {0};
    const struct dj_snapshot_options options = {0};
    test_read(test_segment(), &options, &snapshot);
    cr_assert_eq(snapshot.windows[0].stats.counter[DJ_COUNTER_TOTAL], 2);
    dj_segment_snapshot_finish(&snapshot);
    dj_live_close(live);
}

Test(local, resumes_after_a_sequence)
{
    test_create(&writer);
    struct dj_live *live = app_open();
    cr_assert_eq(dj_live_find_after(live, 0), 0);
    app_write(&writer, 1, "Main", 3, false);
    app_update(live);
    cr_assert_eq(dj_live_find_after(live, 0), 0);
    cr_assert_eq(dj_live_find_after(live, 2), 2);
    cr_assert_eq(dj_live_find_after(live, 3), 3);
    cr_assert_eq(dj_live_find_after(live, 99), 3);
    dj_live_close(live);
}

Test(local, lists_the_apps_that_run)
{
    struct dj_live_apps apps = {0};
    struct dj_error err = {0};
    cr_assert_eq(dj_live_list_apps(&apps, &err), 0);
    cr_assert_eq(apps.count, 0);
    test_create(&writer);
    app_write(&writer, 1, "Main", 1, false);
    cr_assert_eq(dj_live_list_apps(&apps, &err), 0);
    cr_assert_eq(apps.count, 1);
    cr_assert_str_eq(apps.apps[0].name, APP_NAME);
    cr_assert_str_eq(apps.apps[0].program, "example");
    cr_assert_eq(apps.apps[0].pid, getpid());
    dj_live_apps_finish(&apps);
}
