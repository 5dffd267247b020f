#include <criterion/criterion.h>

#include "../measure/fake_device.h"
#include "live/state/state.h"

static struct fake_device device;

static struct dj_live *open_live(void)
{
    struct dj_live *live;
    struct dj_error err = {0};
    fake_device_init(&device);
    cr_assert_eq(dj_live_open_device(&device.base, "app", &live, &err), 0);
    return live;
}

static void close_live(struct dj_live *live)
{
    live->device = NULL; /* It is not on the heap. */
    dj_live_close(live);
}

/* Reads the device after a time of its own clock. */
static size_t update_after(struct dj_live *live, int64_t ns)
{
    struct dj_error err = {0};
    device.now_ns += ns;
    live->next_ns = 0;
    cr_assert_eq(dj_live_update(live, &err), 0, "%s", err.message);
    return dj_live_new_count(live);
}

static const struct dj_live_frame *get_new(const struct dj_live *live, size_t index)
{
    return dj_live_get_frame(live,
                             dj_live_frame_count(live) - dj_live_new_count(live) + index);
}

Test(device, returns_each_new_frame_once)
{
    struct dj_live *live = open_live();
    cr_assert_eq(update_after(live, 0), FAKE_RING);
    int64_t from_ns = device.now_ns - device.cost_ns;
    size_t count = update_after(live, 500 * MS);
    int64_t until_ns = device.now_ns - device.cost_ns;
    cr_assert_eq((int64_t)count, fake_frames(&device.app[0], from_ns, until_ns));
    cr_assert_eq(get_new(live, 0)->number, FAKE_RING + 1);
    cr_assert_eq(get_new(live, 0)->lost_before, 0);
    cr_assert_eq(dj_live_get_state(live), DJ_LIVE_RUNNING);
    cr_assert_eq(device.resets, 0);
    close_live(live);
}

Test(device, is_read_no_more_often_than_needed)
{
    struct dj_live *live = open_live();
    struct dj_error err = {0};
    update_after(live, 0);
    cr_assert_eq(dj_live_update(live, &err), 0);
    cr_assert_eq(device.readings, 1);
    int64_t delay_ns = dj_live_next_ns(live) - dj_host_now_ns();
    cr_assert_gt(delay_ns, 100 * MS);
    cr_assert_leq(delay_ns, 500 * MS);
    close_live(live);
}

Test(device, reports_frames_that_the_ring_overwrote)
{
    struct dj_live *live = open_live();
    update_after(live, 0);
    int64_t from_ns = device.now_ns - device.cost_ns;
    cr_assert_eq(update_after(live, 5 * SECOND), FAKE_RING);
    int64_t drawn = fake_frames(&device.app[0], from_ns, device.now_ns - device.cost_ns);
    cr_assert_eq(get_new(live, 0)->lost_before, drawn - FAKE_RING);
    cr_assert_eq(get_new(live, 0)->number, (uint64_t)drawn + 1);
    cr_assert_eq(get_new(live, 1)->lost_before, 0);
    close_live(live);
}

Test(device, reports_an_unknown_number_of_lost_frames)
{
    struct dj_live *live = open_live();
    device.app[0].no_stats = true;
    update_after(live, 0);
    cr_assert_eq(update_after(live, 5 * SECOND), FAKE_RING);
    cr_assert_eq(get_new(live, 0)->lost_before, -1);
    struct dj_live_figures total;
    dj_live_compute_total(live, &total);
    cr_assert_eq(total.lost, 0);
    cr_assert_eq(total.lost_ranges, 1);
    close_live(live);
}

Test(device, leaves_incomplete_rows_for_the_next_reading)
{
    struct dj_live *live = open_live();
    device.app[0].slow_completion_ns = 40 * MS;
    size_t frames = update_after(live, 0);
    uint64_t last = get_new(live, frames - 1)->number;
    for (int i = 0; i < 5; i++) {
        frames = update_after(live, 200 * MS);
        cr_assert_gt(frames, 5);
        for (size_t k = 0; k < frames; k++) {
            cr_assert_eq(get_new(live, k)->number, ++last);
            cr_assert_eq(get_new(live, k)->lost_before, 0);
        }
    }
    close_live(live);
}

Test(device, does_not_join_a_restarted_app_with_the_old_one)
{
    struct dj_live *live = open_live();
    update_after(live, 0);
    device.app[0].dies_ns = device.now_ns + 100 * MS;
    device.app[1] = device.app[0];
    device.app[1].pid++;
    device.app[1].born_ns = device.app[1].from_ns = device.now_ns + 700 * MS;
    device.app[1].dies_ns = 0;
    device.app_count = 2;
    update_after(live, 300 * MS);
    cr_assert_eq(dj_live_get_state(live), DJ_LIVE_ENDED);
    cr_assert_gt(update_after(live, 800 * MS), 0);
    cr_assert_eq(dj_live_get_state(live), DJ_LIVE_RUNNING);
    cr_assert_eq(dj_live_get_restarts(live), 1);
    cr_assert_eq(get_new(live, 0)->window, 2);
    cr_assert_eq(get_new(live, 0)->number, 1);
    cr_assert_eq(get_new(live, 0)->lost_before, 0);
    close_live(live);
}

Test(device, waits_for_an_app)
{
    struct dj_live *live = open_live();
    device.app[0].born_ns = device.app[0].from_ns = device.now_ns + SECOND;
    update_after(live, 0);
    cr_assert_eq(dj_live_get_state(live), DJ_LIVE_WAITING);
    cr_assert_gt(update_after(live, 2 * SECOND), 50);
    cr_assert_eq(dj_live_get_state(live), DJ_LIVE_RUNNING);
    close_live(live);
}

Test(device, continues_after_errors)
{
    struct dj_live *live = open_live();
    struct dj_error err = {0};
    update_after(live, 0);
    device.mute_from_ns = device.now_ns;
    device.mute_until_ns = device.now_ns + 50 * MS;
    cr_assert_eq(update_after(live, 0), 0, "a time-out is no error");
    cr_assert_gt(update_after(live, 200 * MS), 0);
    device.gone_ns = device.now_ns;
    live->next_ns = 0;
    cr_assert_eq(dj_live_update(live, &err), DJ_E_GONE);
    cr_assert_gt(dj_live_frame_count(live), 0);
    device.gone_ns = 0;
    cr_assert_gt(update_after(live, 200 * MS), 0);
    cr_assert_eq(get_new(live, 0)->lost_before, 0);
    close_live(live);
}
