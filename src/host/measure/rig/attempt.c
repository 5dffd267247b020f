
#include <string.h>

#include "measure/rig/rig.h"
#include "measure/settings.h"

#define COOL_DOWN_CHECK_NS (5 * DJ_SECOND_NS)

static void show_progress(void *user, const struct dj_collect_progress *progress)
{
    struct dj_rig *rig = user;
    struct dj_play_event event = rig->run_event;
    event.kind = DJ_PLAY_PROGRESS;
    event.progress = progress;
    dj_rig_send_event(rig, event);
}

/* Reads the conditions before the run. If the screen is off or locked, first switches it
 * on. */
static int read_conditions_before(struct dj_rig *rig, struct dj_run *run,
                                  struct dj_error *err)
{
    bool woken = false;
    int code = dj_conditions_read(rig->device, &run->before, err);
    if (code == 0) {
        code =
            dj_measure_settings_wake_screen(rig->device, &run->before.facts, &woken, err);
    }
    if (code == 0 && woken) {
        code = dj_conditions_read(rig->device, &run->before, err);
    }
    run->has_before = code == 0;
    return code;
}

/* Reads the conditions before the run. While the battery is too warm or the device
 * throttles, waits and reads them again. A warm device is slower (see docs/guide.md).
 * Returns after the time that the plan allows, if the measurement is stopped, or if the
 * conditions cannot be read. */
static int cool_down(struct dj_rig *rig, struct dj_run *run, struct dj_error *err)
{
    int64_t until_ns = dj_host_now_ns() + rig->plan->cool_down_ns;
    char reason[DJ_REASON];
    bool is_reported = false;
    for (;;) {
        int code = read_conditions_before(rig, run, err);
        if (code != 0 || !dj_conditions_is_too_warm(&run->before, &rig->limits, reason) ||
            dj_host_now_ns() > until_ns || dj_rig_is_stopped(rig)) {
            return code;
        }
        if (!is_reported) {
            dj_rig_report(rig, "cooling down: %s", reason);
        }
        is_reported = true;
        dj_rig_sleep(rig, COOL_DOWN_CHECK_NS);
    }
}

/* Installs the build if necessary. If two builds are compared, the build is installed
 * again before each of its runs, because the other build has replaced it. So each run of
 * both builds follows an installation. */
static int install_build(struct dj_rig *rig, size_t build, struct dj_error *err)
{
    struct dj_app *app = &rig->apps[build];
    if (app->installed && rig->plan->build_count == 1) {
        return 0;
    }
    int code = dj_app_install(app, err);
    app->installed = code == 0;
    return code;
}

/* Reports once that the frames come from SurfaceFlinger, and sets the anomaly if another
 * program has cleared its counters. */
static void note_surface(struct dj_rig *rig, struct dj_attempt *attempt)
{
    const struct dj_collection *collection = &attempt->run.collection;
    if (collection->from_surface && !rig->surface_reported) {
        dj_rig_report(rig,
                      "dejank reads the frames from SurfaceFlinger%s: only the times at "
                      "which the display showed them are known",
                      rig->plan->frame_source != NULL &&
                              strcmp(rig->plan->frame_source, "surface") == 0
                          ? ""
                          : ", because the app is not in gfxinfo");
        rig->surface_reported = true;
    }
    if (collection->is_cleared && attempt->run.verdict.outcome == DJ_RUN_OK &&
        attempt->anomaly[0] == '\0') {
        dj_conditions_set_reason(attempt->anomaly,
                                 "cleared-by-another: another program cleared the "
                                 "counters of SurfaceFlinger during the measurement");
    }
}

static int play_run(struct dj_rig *rig, struct dj_attempt *attempt, struct dj_error *err)
{
    const struct dj_run_work work = {
        .device = rig->device,
        .watcher = rig->watcher,
        .plan = rig->plan,
        .flow = rig->flow,
        .frame_source = rig->frame_source,
        .app = &rig->apps[attempt->slot->build],
        .driver = &rig->driver,
        .limits = rig->limits,
        .stop = &rig->stop,
        .give_up = &rig->session->context->give_up,
        .journal = &rig->journal,
        .progress = show_progress,
        .user = rig,
    };
    int code = dj_run_play(&work, &attempt->run, err);
    const struct dj_run *run = &attempt->run;
    if (run->trace_reason[0] != '\0') {
        dj_rig_report(
            rig, "%s %lld: the trace of this run is %s: %s",
            attempt->slot->warmup ? "warm-up" : "run", (long long)attempt->slot->number,
            run->trace.length > 0 ? "incomplete" : "missing", run->trace_reason);
    }
    if (code == 0 && run->has_before && !rig->has_first) {
        rig->first = run->before;
        rig->has_first = true;
    }
    if (code == 0 && run->verdict.outcome == DJ_RUN_OK && run->has_before &&
        run->has_after) {
        dj_conditions_is_anomalous(&rig->first, &run->before, &run->after, &rig->limits,
                                   attempt->anomaly);
    }
    note_surface(rig, attempt);
    return code;
}

/* Removes the recordings of stored runs from the device. After Ctrl-C (context->stop),
 * requests to the device normally fail. Only context->give_up interrupts these requests.
 */
static void discard_recordings(struct dj_rig *rig, const struct dj_attempt *attempt)
{
    if (rig->device != NULL && attempt->run.verdict.outcome != DJ_RUN_DEVICE_GONE) {
        struct dj_interrupt_request before = rig->device->interrupt;
        rig->device->interrupt = rig->session->context->give_up;
        dj_app_discard(&rig->apps[attempt->slot->build]);
        rig->device->interrupt = before;
    }
}

static int finish_attempt(struct dj_rig *rig, struct dj_attempt *attempt,
                          struct dj_error *err)
{
    struct dj_play_event event = rig->run_event;
    const struct dj_run *run = &attempt->run;
    attempt->remark = run->verdict.reason[0] != '\0' ? run->verdict.reason
                      : attempt->anomaly[0] != '\0'  ? attempt->anomaly
                                                     : NULL;
    int code = dj_rig_store_attempt(rig, attempt, err);
    if (code != 0) {
        return code;
    }
    discard_recordings(rig, attempt);
    bool failed = run->verdict.outcome != DJ_RUN_OK && !attempt->slot->warmup;
    dj_rig_add_count(rig, &rig->session->result->failed, failed);
    rig->runs_done++;
    event.kind = DJ_PLAY_RUN_END;
    event.attempt = attempt->committed.attempt;
    event.outcome = run->verdict.outcome;
    event.message = attempt->remark;
    event.metrics = &attempt->committed.metrics;
    event.recovery = &run->collection.recovery;
    dj_rig_send_event(rig, event);
    return 0;
}

int dj_rig_make_attempt(struct dj_rig *rig, struct dj_attempt *attempt, int64_t number,
                        struct dj_error *err)
{
    const struct dj_order_slot *slot = attempt->slot;
    rig->run_event = (struct dj_play_event){
        .kind = DJ_PLAY_RUN,
        .build = &rig->plan->builds[slot->build],
        .batch = rig->batches[slot->build].id,
        .warmup = slot->warmup,
        .number = slot->number,
        .attempt = number,
    };
    struct dj_error why = {0};
    dj_rig_send_event(rig, rig->run_event);
    int code = install_build(rig, slot->build, &why);
    if (code == 0) {
        code = cool_down(rig, &attempt->run, &why);
    }
    if (code == 0) {
        code = play_run(rig, attempt, err);
        if (code != 0) {
            return code;
        }
    } else if (dj_rig_is_absent_error(code)) {
        /* The device was disconnected before the run began. The store also contains such
         * a run. */
        attempt->run.verdict.outcome = DJ_RUN_DEVICE_GONE;
        dj_conditions_set_reason(attempt->run.verdict.reason, "%s", why.message);
    } else if (code != DJ_E_INTERRUPTED) {
        *err = why;
        return code;
    } else {
        attempt->run.verdict.outcome = DJ_RUN_INTERRUPTED;
    }
    return finish_attempt(rig, attempt, err);
}
