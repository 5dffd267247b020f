#include "measure/run/run.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "measure/run/trace.h"
#include "measure/window/surface_reader.h"

#define AFTERMATH_NS (20 * DJ_SECOND_NS)

enum { COLLECTOR_STACK = 512 * 1024 };

void dj_run_finish(struct dj_run *run)
{
    dj_drive_log_finish(&run->log);
    dj_measure_collection_finish(&run->collection);
    dj_text_finish(&run->end.evidence);
    dj_text_finish(&run->gfxinfo);
    dj_text_finish(&run->raw);
    dj_text_finish(&run->app_output);
    dj_text_finish(&run->layers);
    dj_text_finish(&run->trace);
    *run = (struct dj_run){.verdict.outcome = DJ_RUN_OK};
}

/* A run in progress. */
struct running {
    const struct dj_run_work *work;
    struct dj_run *run;
    struct dj_run_facts facts;
    /* Capture of the system trace. Only the collecting thread uses it. */
    struct dj_run_trace trace;
    char layer[200];
    /* Interrupts the driver if the run is stopped or the window has ended. */
    struct dj_interrupt_request stop;
    _Atomic bool is_ended; /* True if the driver has finished, which ends the window. */
    /* True if the driver requests a reading, because a part of its work has ended. */
    _Atomic bool is_requested;
    _Atomic bool collected; /* True if the window has ended. The driver must then stop. */
};

static bool is_stopped(const struct running *running)
{
    return dj_interrupt_latest_ns(running->work->stop) != INT64_MAX;
}

static bool is_over(void *user)
{
    return ((struct running *)user)->is_ended;
}

static bool is_due(void *user)
{
    return atomic_exchange(&((struct running *)user)->is_requested, false);
}

static void note_ended(void *user)
{
    ((struct running *)user)->is_requested = true;
}

static void pass_progress(void *user, const struct dj_collect_progress *progress)
{
    struct running *running = user;
    const struct dj_run_work *work = running->work;
    dj_run_trace_poll(&running->trace);
    if (work->progress != NULL) {
        work->progress(work->user, progress);
    }
}

/* Clears `err` if the code is 0. An error that was handled may have set it. */
static void clear_handled_error(int code, struct dj_error *err)
{
    if (code == 0) {
        *err = (struct dj_error){0};
    }
}

static void *collect(void *user)
{
    struct running *running = user;
    const struct dj_run_work *work = running->work;
    const struct dj_collect_options options = {
        .package = work->plan->package,
        .duration_ns = work->flow->duration_ns,
        .aggregate_only = work->plan->aggregate_only,
        .awaited = work->driver->starts_app,
        .source = work->frame_source,
        .journal = work->journal,
    };
    const struct dj_collect_callbacks callbacks = {.progress = pass_progress,
                                                   .is_requested = is_due,
                                                   .is_ended = is_over,
                                                   .user = running};
    int code = dj_measure_collect(work->watcher, &options, &callbacks,
                                  &running->run->collection, &running->facts.collect);
    clear_handled_error(code, &running->facts.collect);
    running->collected = true;
    return NULL;
}

/* Returns the time at which the driver must stop. This is 0 (at once) if the window has
 * ended. Otherwise it is the time at which the user stops the run. */
static int64_t drive_until_ns(void *user)
{
    struct running *running = user;
    int64_t stop_ns = dj_interrupt_latest_ns(running->work->stop);
    return running->collected ? 0 : stop_ns;
}

static void drive(struct running *running)
{
    const struct dj_run_work *work = running->work;
    struct dj_interrupt_request before = work->device->interrupt;
    work->device->interrupt = running->stop;
    running->run->log.ended = note_ended;
    running->run->log.user = running;
    int code = work->driver->drive(work->driver->self, work->device, &running->run->log,
                                   &running->facts.drive);
    clear_handled_error(code, &running->facts.drive);
    work->device->interrupt = before;
    running->run->log.ended = NULL;
    bool cut =
        code == DJ_E_INTERRUPTED || running->run->log.outcome == DJ_RUN_INTERRUPTED;
    if (cut && running->collected && !is_stopped(running)) {
        /* The end of the window has interrupted the driver, which is not an error. */
        running->facts.drive = (struct dj_error){0};
        running->run->log.outcome = DJ_RUN_OK;
    }
    running->is_ended = work->driver->ends_window || code != 0;
}

static void drive_and_collect(struct running *running)
{
    pthread_t collector;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, COLLECTOR_STACK);
    int code = pthread_create(&collector, &attributes, collect, running);
    pthread_attr_destroy(&attributes);
    if (code != 0) {
        dj_error_set(&running->facts.drive, DJ_E_IO, "cannot start a thread: %s",
                     strerror(code));
        return;
    }
    drive(running);
    pthread_join(collector, NULL);
}

/* Resets the device's counters, so that frames before the window are not counted. */
static int reset(struct running *running, struct dj_error *err)
{
    const struct dj_run_work *work = running->work;
    const struct dj_gfxinfo_request request = {
        .package = work->plan->package, .since_ns = -1, .reset = true};
    struct dj_device_gfxinfo reading = {.dev_ns = -1};
    int code = dj_device_read_gfxinfo(work->device, &request, &reading, err);
    dj_device_gfxinfo_finish(&reading);
    return code == DJ_E_NO_DATA || code == DJ_E_TIMEOUT ? 0 : code;
}

static void wait_to_settle(const struct running *running)
{
    int64_t until_ns = dj_host_now_ns() + running->work->plan->settle_ns;
    int64_t left_ns = running->work->plan->settle_ns;
    while (left_ns > 0 && !is_stopped(running)) {
        dj_host_sleep_ns(left_ns < 100 * DJ_MILLISECOND_NS ? left_ns
                                                           : 100 * DJ_MILLISECOND_NS);
        left_ns = until_ns - dj_host_now_ns();
    }
}

/* Starts the app and prepares the driver, up to the start of the window. */
static int prepare_app(struct running *running, struct dj_error *err)
{
    const struct dj_run_work *work = running->work;
    int code = 0;
    if (work->driver->starts_app) {
        dj_app_stop(work->app);
    } else {
        code = dj_app_start(work->app, err);
        if (code == 0) {
            wait_to_settle(running);
        }
    }
    if (code == 0 && work->driver->prepare != NULL) {
        running->facts.preparing = true;
        code = work->driver->prepare(work->driver->self, work->device, err);
    }
    if (code == 0 && !work->driver->starts_app) {
        code = reset(running, err);
    }
    return code;
}

static void play_window(struct running *running)
{
    int code = prepare_app(running, &running->facts.start);
    clear_handled_error(code, &running->facts.start);
    if (code != 0) {
        return;
    }
    dj_run_trace_begin(&running->trace, running->work, running->run);
    if (running->work->driver->drive == NULL) {
        collect(running);
    } else {
        drive_and_collect(running);
    }
    dj_run_trace_end(&running->trace, running->run);
    running->facts.collection = &running->run->collection;
}

static void read_raw(struct running *running)
{
    const struct dj_run_work *work = running->work;
    const struct dj_gfxinfo_request request = {
        .package = work->plan->package, .framestats = true, .since_ns = -1};
    struct dj_device_gfxinfo reading = {.dev_ns = -1};
    struct dj_error ignored = {0};
    if (dj_device_read_gfxinfo(work->device, &request, &reading, &ignored) == 0) {
        running->run->raw = reading.raw;
        reading.raw = (struct dj_text){0};
    }
    dj_device_gfxinfo_finish(&reading);
}

/* Finds the layer in which the app drew in the window. If SurfaceFlinger does not report
 * present times, accepts a SurfaceView, because apps use it to draw without hwui. */
static bool find_layer(struct running *running, const char *list)
{
    const char *package = running->work->plan->package;
    struct dj_surface_reader reader = {.device = running->work->device,
                                       .package = package};
    const struct dj_surface_request request = {.opening = false};
    struct dj_device_gfxinfo reading = {.dev_ns = -1};
    struct dj_error ignored = {0};
    int code = dj_surface_reader_read(&reader, &request, &reading, &ignored);
    bool found =
        code == 0 && reader.layers.period_ns > 0
            ? dj_layers_find_shown(&reading.dump, &running->run->collection.window,
                                   running->layer, sizeof(running->layer))
            : dj_layers_find(list, package, running->layer, sizeof(running->layer));
    dj_device_gfxinfo_finish(&reading);
    dj_surface_reader_finish(&reader);
    return found;
}

static void read_layers(struct running *running)
{
    static const char *const argv[] = {"dumpsys", "SurfaceFlinger", "--list", NULL};
    struct dj_device_result result = {0};
    struct dj_error ignored = {0};
    if (dj_device_run(running->work->device, argv, AFTERMATH_NS, &result, &ignored) ==
            0 &&
        find_layer(running, dj_text_get(&result.out))) {
        running->run->layers = result.out;
        result.out = (struct dj_text){0};
    }
    dj_device_result_finish(&result);
}

/* Prints the collection as text. All figures are computed from this text, and the store
 * contains it. So figures that are computed later from the store are the same. */
static int print(struct running *running, struct dj_error *err)
{
    const struct dj_dump *dump = &running->run->collection.dump;
    if (dump->process_count > 0) {
        dj_measure_print_collection(&running->run->gfxinfo, &running->run->collection,
                                    !running->work->plan->aggregate_only);
    }
    return running->run->gfxinfo.failed
               ? dj_error_set(err, DJ_E_NO_MEMORY, "the dump does not fit into memory")
               : 0;
}

/* Reads the state of the app and of the device after the window, even if the run was
 * stopped. */
static void read_state_after(struct running *running)
{
    const struct dj_run_work *work = running->work;
    struct dj_run *run = running->run;
    struct dj_error err = {0};
    bool android = strcmp(run->before.facts.platform, "android") == 0;
    struct dj_interrupt_request before = work->device->interrupt;
    work->device->interrupt = *work->give_up;
    dj_app_read_end(work->app, &run->end);
    if (run->collection.outcome == DJ_COLLECT_NO_FRAMES && android) {
        read_layers(running);
    }
    if (run->collection.dump.process_count > 0 && strcmp(work->device->name, "local:")) {
        read_raw(running);
    }
    if (!is_stopped(running)) {
        int code = dj_conditions_read(work->device, &run->after, &err);
        run->has_after = code == 0;
        running->facts.device_gone = code != 0;
    }
    dj_app_append_output(work->app, &run->app_output);
    if (!work->plan->attach) {
        dj_app_stop(work->app);
    }
    work->device->interrupt = before;
}

static int64_t get_unix_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / DJ_MILLISECOND_NS;
}

int dj_run_play(const struct dj_run_work *work, struct dj_run *run, struct dj_error *err)
{
    struct running running = {
        .work = work,
        .run = run,
        .stop = {drive_until_ns, &running},
        .facts = {.log = &run->log,
                  .end = &run->end,
                  .layer = running.layer,
                  .before = run->has_before ? &run->before : NULL,
                  .aggregate_only = work->plan->aggregate_only,
                  .app_may_end = work->driver->starts_app,
                  .limits = work->limits},
    };
    int64_t begun_ns = dj_host_now_ns();
    run->started_unix_ms = get_unix_ms();
    play_window(&running);
    read_state_after(&running);
    running.facts.interrupted = is_stopped(&running);
    running.facts.after = run->has_after ? &run->after : NULL;
    run->verdict = dj_outcome_decide(&running.facts);
    run->duration_ns = dj_host_now_ns() - begun_ns;
    return print(&running, err);
}
