#include <criterion/criterion.h>
#include <unistd.h>

#include "app.h"
#include "live/apps.h"
#include "live/state/state.h"

TestSuite(process, .init = test_setup, .fini = test_teardown);

/* Updates the view as if the time until the next search for segments had passed. */
static size_t search(struct dj_live *live)
{
    live->scan_ns = 0;
    return app_update(live);
}

Test(process, waits_for_an_app)
{
    struct dj_segment_writer writer = {0};
    struct dj_live *live = app_open();
    cr_assert_eq(app_update(live), 0);
    cr_assert_eq(dj_live_get_state(live), DJ_LIVE_WAITING);
    cr_assert_eq(dj_live_get_pid(live), -1);
    test_create(&writer);
    app_write(&writer, 1, "Main", 2, false);
    cr_assert_eq(search(live), 2);
    cr_assert_eq(dj_live_get_state(live), DJ_LIVE_RUNNING);
    dj_live_close(live);
}

Test(process, does_not_join_a_restarted_app_with_the_old_one)
{
    int end;
    struct dj_live *live = app_open();
    pid_t first = app_start_process(3, &end);
    cr_assert_eq(search(live), 3);
    app_end_process(first, end);
    cr_assert_eq(app_update(live), 0);
    cr_assert_eq(dj_live_get_state(live), DJ_LIVE_ENDED);
    cr_assert_eq(dj_live_get_restarts(live), 0);
    cr_assert(dj_live_get_window(live, 0)->is_ended);

    pid_t second = app_start_process(2, &end);
    cr_assert_eq(search(live), 2);
    cr_assert_eq(dj_live_get_state(live), DJ_LIVE_RUNNING);
    cr_assert_eq(dj_live_get_restarts(live), 1);
    cr_assert_eq(dj_live_get_pid(live), second);
    cr_assert_eq(app_new_frame(live, 0)->window, 2);
    cr_assert_eq(app_new_frame(live, 0)->number, 1);
    cr_assert_eq(dj_live_find_window(live, 1)->pid, first);
    cr_assert_eq(dj_live_find_window(live, 2)->pid, second);
    app_end_process(second, end);
    dj_live_close(live);
}

Test(process, reads_an_app_that_started_and_ended_between_two_updates)
{
    int end;
    struct dj_live *live = app_open();
    app_update(live);
    pid_t process = app_start_process(4, &end);
    app_end_process(process, end);
    cr_assert_eq(search(live), 4);
    cr_assert_eq(dj_live_get_state(live), DJ_LIVE_ENDED);
    cr_assert_eq(search(live), 0);
    dj_live_close(live);
}

Test(process, ignores_an_app_that_had_ended_before)
{
    int end;
    pid_t process = app_start_process(4, &end);
    app_end_process(process, end);
    usleep(150000); /* The frames of the app end up to 0.1 s after it wrote them. */
    struct dj_live *live = app_open();
    cr_assert_eq(app_update(live), 0);
    cr_assert_eq(dj_live_get_state(live), DJ_LIVE_WAITING);
    dj_live_close(live);
}

Test(process, does_not_join_the_program_that_exec_starts)
{
    static struct dj_segment_writer before, after;
    test_create(&before);
    struct dj_live *live = app_open();
    app_write(&before, 1, "Main", 3, false);
    cr_assert_eq(app_update(live), 3);
    dj_segment_unmap(&before);
    const struct dj_segment_options options = {.directory = test_directory,
                                               .name = APP_NAME,
                                               .program = "example",
                                               .dialect = dj_frame_dialect_default(),
                                               .keep = TEST_KEEP,
                                               .interval_ns = TEST_INTERVAL_NS,
                                               .now_ns = dj_host_now_ns()};
    struct dj_error err = {0};
    cr_assert_eq(dj_segment_create(&after, &options, &err), 0, "%s", err.message);
    app_write(&after, 1, "Main", 2, false);
    cr_assert_eq(app_update(live), 2);
    cr_assert_eq(app_new_frame(live, 0)->window, 2);
    cr_assert_eq(app_new_frame(live, 0)->number, 1);
    cr_assert(dj_live_find_window(live, 1)->is_ended);
    cr_assert_eq(dj_live_get_state(live), DJ_LIVE_RUNNING);
    dj_live_close(live);
}

Test(process, follows_several_processes_of_one_app)
{
    int ends[2];
    struct dj_live *live = app_open();
    pid_t first = app_start_process(3, &ends[0]);
    pid_t second = app_start_process(2, &ends[1]);
    cr_assert_eq(search(live), 5);
    app_end_process(first, ends[0]);
    cr_assert_eq(app_update(live), 0);
    cr_assert_eq(dj_live_get_state(live), DJ_LIVE_RUNNING);
    app_end_process(second, ends[1]);
    app_update(live);
    cr_assert_eq(dj_live_get_state(live), DJ_LIVE_ENDED);
    cr_assert_eq(dj_live_get_restarts(live), 0);
    dj_live_close(live);
}

Test(process, forgets_the_oldest_ended_processes)
{
    struct dj_live *live = app_open();
    size_t frames = 0;
    for (size_t i = 0; i < DJ_LIVE_PROCESSES_MAX + 3; i++) {
        int end;
        pid_t process = app_start_process(1, &end);
        app_end_process(process, end);
        frames += search(live);
    }
    cr_assert_eq(frames, DJ_LIVE_PROCESSES_MAX + 3);
    cr_assert_eq(live->process_count, DJ_LIVE_PROCESSES_MAX);
    cr_assert_eq(live->window_count, DJ_LIVE_WINDOWS_MAX);
    cr_assert_eq(search(live), 0);
    dj_live_close(live);
}

Test(process, has_a_view_in_the_group_of_all_processes)
{
    int ends[2];
    struct dj_live_group group = {0};
    struct dj_error err = {0};
    cr_assert_eq(dj_live_group_update(&group, &err), 0);
    cr_assert_eq(group.count, 0);
    pid_t first = app_start_process(3, &ends[0]);
    pid_t second = app_start_process(2, &ends[1]);
    group.list_ns = 0;
    cr_assert_eq(dj_live_group_update(&group, &err), 0);
    cr_assert_eq(group.count, 2);
    size_t frames = 0;
    for (size_t i = 0; i < 2; i++) {
        int64_t pid = dj_live_get_pid(group.views[i]);
        cr_assert(pid == first || pid == second);
        cr_assert_str_eq(dj_live_get_app(group.views[i]), APP_NAME);
        frames += dj_live_new_count(group.views[i]);
    }
    cr_assert_eq(frames, 5);
    app_end_process(first, ends[0]);
    app_end_process(second, ends[1]);
    group.list_ns = 0;
    cr_assert_eq(dj_live_group_update(&group, &err), 0);
    cr_assert_eq(group.count, 2, "ended processes stay for some time");
    for (size_t i = 0; i < 2; i++) {
        cr_assert_eq(dj_live_get_state(group.views[i]), DJ_LIVE_ENDED);
        group.views[i]->processes[0].last_ns -= 2 * DJ_LIVE_GROUP_ENDED_NS;
    }
    group.list_ns = 0;
    cr_assert_eq(dj_live_group_update(&group, &err), 0);
    cr_assert_eq(group.count, 0);
    dj_live_group_finish(&group);
}

Test(process, notices_that_its_segment_was_replaced)
{
    struct dj_segment_writer writer = {0};
    test_create(&writer);
    struct dj_live *live = app_open();
    app_write(&writer, 1, "Main", 3, false);
    cr_assert_eq(app_update(live), 3);
    dj_segment_unmap(&writer);
    test_create(&writer); /* At the same path. */
    app_write(&writer, 1, "Main", 5, false);
    cr_assert_eq(app_update(live), 5);
    cr_assert_eq(app_new_frame(live, 0)->window, 2);
    cr_assert_eq(app_new_frame(live, 0)->number, 1);
    cr_assert_eq(app_new_frame(live, 0)->lost_before, 0);
    cr_assert_eq(dj_live_get_restarts(live), 1);
    dj_live_close(live);
}
