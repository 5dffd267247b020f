#include "fake_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"

static int64_t completed_ns(const struct fake_app *app, int64_t index)
{
    return app->from_ns + index * app->interval_ns + app->frame_ns;
}

/* Returns the number of frames that are complete at now_ns. */
static int64_t count_by(const struct fake_app *app, int64_t now_ns)
{
    if (app->interval_ns <= 0) {
        return 0;
    }
    int64_t last_ns = now_ns - app->frame_ns - app->from_ns;
    int64_t end_ns = app->until_ns > 0 ? app->until_ns - app->from_ns - 1 : INT64_MAX;
    if (app->dies_ns > 0 && app->dies_ns - app->frame_ns - app->from_ns < last_ns) {
        last_ns = app->dies_ns - app->frame_ns - app->from_ns;
    }
    last_ns = last_ns < end_ns ? last_ns : end_ns;
    return last_ns < 0 ? 0 : last_ns / app->interval_ns + 1;
}

int64_t fake_frames(const struct fake_app *app, int64_t after_ns, int64_t until_ns)
{
    return count_by(app, until_ns) - count_by(app, after_ns);
}

static int64_t reset_of(const struct fake_device *device, const struct fake_app *app)
{
    int64_t reset_ns =
        app->reset_ns > 0 && app->reset_ns <= device->now_ns ? app->reset_ns : 0;
    return device->our_reset_ns > reset_ns ? device->our_reset_ns : reset_ns;
}

static void fill_rows(const struct fake_device *device, const struct fake_app *app,
                      struct dj_dump_window *window)
{
    int64_t since_ns = reset_of(device, app);
    int64_t end = count_by(app, device->now_ns);
    int64_t ring = device->ring_rows > 0 ? device->ring_rows : FAKE_RING;
    int64_t start = end > ring ? end - ring : 0;
    window->frames = calloc((size_t)(2 * ring + 2), sizeof(*window->frames));
    for (int64_t i = start; i < end; i++) {
        if (completed_ns(app, i) <= since_ns) {
            continue;
        }
        struct dj_frame *frame = &window->frames[window->frame_count++];
        int64_t intended_ns = app->from_ns + i * app->interval_ns;
        bool late = intended_ns + app->slow_completion_ns > device->now_ns;
        dj_frame_set(frame, DJ_COLUMN_FLAGS, 0);
        dj_frame_set(frame, DJ_COLUMN_INTENDED_VSYNC, intended_ns);
        dj_frame_set(frame, DJ_COLUMN_FRAME_COMPLETED, late ? 0 : completed_ns(app, i));
        if (app->skipped_every > 0 && i % app->skipped_every == 0) {
            frame = &window->frames[window->frame_count++];
            dj_frame_set(frame, DJ_COLUMN_FLAGS, DJ_FLAG_SKIPPED_FRAME);
            dj_frame_set(frame, DJ_COLUMN_INTENDED_VSYNC, intended_ns + 1);
            dj_frame_set(frame, DJ_COLUMN_FRAME_COMPLETED, intended_ns + 1);
        }
    }
}

static void fill_vendor_column(struct dj_dump_window *window)
{
    window->vendor_count = 1;
    window->vendor = calloc(1, sizeof(*window->vendor));
    window->vendor[0] = (struct dj_vendor_column){strdup("Mood"), 1};
    window->vendor_values = calloc(window->frame_count + 1, sizeof(struct dj_number));
    for (size_t i = 0; i < window->frame_count; i++) {
        window->vendor_values[i] = (struct dj_number){
            2 * window->frames[i].value[DJ_COLUMN_INTENDED_VSYNC], true};
    }
}

static bool app_hangs(const struct fake_device *device)
{
    return device->app_hangs_from_ns > 0 && device->now_ns >= device->app_hangs_from_ns;
}

static void fill_section(const struct fake_device *device, const struct fake_app *app,
                         bool framestats, struct dj_dump *dump)
{
    int64_t since_ns = reset_of(device, app);
    struct dj_dump_process *process = dj_gfxinfo_dump_add_process(dump);
    process->pid = app->pid;
    process->name = strdup("app");
    if (app_hangs(device)) {
        return;
    }
    process->not_recorded = app->not_recorded;
    process->ended = app->dies_ns > 0 && device->now_ns >= app->dies_ns;
    process->stats.present = !app->no_stats;
    process->stats.lines = UINT32_MAX;
    process->stats.stats.since_ns = since_ns > 0 ? since_ns : app->born_ns;
    uint32_t total = (uint32_t)fake_frames(app, since_ns, device->now_ns);
    process->stats.stats.counter[DJ_COUNTER_TOTAL] = total;
    process->stats.stats.frame_histogram[5] = total;
    struct dj_dump_window *window = dj_gfxinfo_dump_add_window(process);
    window->title = strdup(app->title != NULL ? app->title : "app/Main");
    window->has_frames = framestats;
    window->stats = process->stats;
    if (!framestats) {
        return;
    }
    fill_rows(device, app, window);
    if (app->vendor_column) {
        fill_vendor_column(window);
    }
}

static bool has_section(const struct fake_device *device, const struct fake_app *app)
{
    bool dead = app->dies_ns > 0 && device->now_ns >= app->dies_ns;
    return device->now_ns >= app->born_ns && (!dead || app->leaves_a_segment);
}

static void do_reset(struct fake_device *device)
{
    device->resets++;
    if (!device->ignores_reset && !device->reset_keeps_rows) {
        device->our_reset_ns = device->now_ns;
    }
}

/* Does not answer until the timeout, or until the caller interrupts. */
static int hang(struct fake_device *device, struct dj_error *err)
{
    int64_t until_ns = device->now_ns + FAKE_TIMEOUT_NS;
    while (device->now_ns < until_ns) {
        if (device->now_ns >= dj_interrupt_latest_ns(&device->base.interrupt)) {
            return dj_error_set(err, DJ_E_INTERRUPTED, "interrupted before it answered");
        }
        device->now_ns += 10 * MS;
    }
    return dj_error_set(err, DJ_E_TIMEOUT, "no answer in time");
}

static int fake_gfxinfo(struct dj_device *base, const struct dj_gfxinfo_request *request,
                        struct dj_device_gfxinfo *reading, struct dj_error *err)
{
    struct fake_device *device = (struct fake_device *)base;
    if (device->gone_ns > 0 && device->now_ns >= device->gone_ns) {
        return dj_error_set(err, DJ_E_GONE, "adb: device 'fake' not found");
    }
    if (device->hangs_from_ns > 0 && device->now_ns >= device->hangs_from_ns) {
        return hang(device, err);
    }
    if (device->now_ns >= device->mute_from_ns &&
        device->now_ns < device->mute_until_ns) {
        device->now_ns += 100 * MS;
        return dj_error_set(err, DJ_E_TIMEOUT, "no answer in time");
    }
    device->requested_since_ns[device->readings++ > 0] = request->since_ns;
    int64_t clock_ns = dj_checked_add_saturated(device->now_ns, device->clock_ahead_ns);
    reading->dev_ns = device->no_clock ? -1 : clock_ns / MS * MS;
    reading->dump.uptime_ms = device->no_clock ? -1 : clock_ns / MS;
    reading->ring_rows = device->ring_rows > 0 ? device->ring_rows : FAKE_RING;
    reading->cost_ns = device->cost_ns;
    reading->reset_keeps_rows = device->reset_keeps_rows;
    for (size_t i = 0; i < device->app_count; i++) {
        if (has_section(device, &device->app[i])) {
            fill_section(device, &device->app[i], request->framestats, &reading->dump);
        }
    }
    if (app_hangs(device)) {
        reading->report.refusal = DJ_REFUSAL_FAILED;
    }
    if (reading->dump.process_count == 0) {
        reading->dump.not_found = strdup(request->package);
    }
    if (request->reset) {
        do_reset(device);
    }
    device->now_ns += device->cost_ns;
    return 0;
}

static int64_t fake_latest_ns(void *user)
{
    const struct fake_device *device = user;
    bool wanted = device->stop_ns > 0 && device->now_ns >= device->stop_ns;
    return wanted ? device->stop_ns + FAKE_PATIENCE_NS : INT64_MAX;
}

static const struct dj_device_ops fake_ops = {.gfxinfo = fake_gfxinfo};

void fake_device_init(struct fake_device *device)
{
    *device = (struct fake_device){.base.ops = &fake_ops,
                                   .base.interrupt = {fake_latest_ns, device},
                                   .now_ns = 1000 * SECOND,
                                   .cost_ns = 10 * MS,
                                   .app_count = 1};
    /* The app draws 60 frames per second, since long before the window. Each frame takes
     * 8 ms. */
    device->app[0] = (struct fake_app){.pid = 42,
                                       .from_ns = 900 * SECOND,
                                       .interval_ns = 50 * MS / 3,
                                       .frame_ns = 8 * MS,
                                       .born_ns = 899 * SECOND};
    snprintf(device->base.name, sizeof(device->base.name), "fake");
}

static int64_t fake_now(void *user)
{
    return ((struct fake_device *)user)->now_ns;
}

static void fake_sleep(void *user, int64_t ns)
{
    ((struct fake_device *)user)->now_ns += ns;
}

static void fake_event(void *user, const char *message)
{
    struct fake_device *device = user;
    device->events++;
    snprintf(device->last_event, sizeof(device->last_event), "%s", message);
}

void fake_world(struct fake_device *device, struct dj_collect_callbacks *world)
{
    *world = (struct dj_collect_callbacks){
        .now_ns = fake_now, .sleep_ns = fake_sleep, .event = fake_event, .user = device};
}
