#include "measure/rig/rig.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "measure/settings.h"

bool dj_rig_is_stopped(const struct dj_rig *rig)
{
    return dj_interrupt_latest_ns(&rig->stop) != INT64_MAX;
}

void dj_rig_add_count(struct dj_rig *rig, int64_t *number, int64_t count)
{
    pthread_mutex_lock(&rig->session->lock);
    *number += count;
    pthread_mutex_unlock(&rig->session->lock);
}

void dj_rig_sleep(const struct dj_rig *rig, int64_t ns)
{
    int64_t until_ns = dj_host_now_ns() + ns;
    while (dj_host_now_ns() < until_ns && !dj_rig_is_stopped(rig)) {
        dj_host_sleep_ns(100 * DJ_MILLISECOND_NS);
    }
}

void dj_rig_send_event(struct dj_rig *rig, struct dj_play_event event)
{
    struct dj_play_session *session = rig->session;
    event.device = rig->index;
    event.flow = rig->flow;
    event.runs_planned = rig->runs_planned;
    event.runs_done = rig->runs_done;
    pthread_mutex_lock(&session->lock);
    if (session->context->event != NULL) {
        session->context->event(session->context->user, &event);
    }
    pthread_mutex_unlock(&session->lock);
}

void dj_rig_report(struct dj_rig *rig, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    dj_rig_send_event(rig,
                      (struct dj_play_event){.kind = DJ_PLAY_SAYS, .message = message});
}

int dj_rig_create_driver(struct dj_rig *rig, struct dj_error *err)
{
    const struct dj_driver_maker *maker = rig->flow->maker;
    rig->driver = (struct dj_driver){.kind = maker->kind};
    int code = maker->make(maker->user, rig->device, &rig->driver, err);
    rig->driver_made = code == 0;
    return code;
}

void dj_rig_destroy_driver(struct dj_rig *rig)
{
    if (rig->driver_made && rig->flow->maker->unmake != NULL) {
        rig->flow->maker->unmake(&rig->driver);
    }
    rig->driver_made = false;
}

static int note_rotation(struct dj_rig *rig, struct dj_error *err)
{
    bool turns = rig->flow->maker->rotates && strcmp(rig->facts.platform, "android") == 0;
    return turns ? dj_measure_settings_note_rotation(rig->device, &rig->journal, err) : 0;
}

/* Creates the driver of the flow. If the device has disconnected after the previous flow,
 * waits until the device is back. */
static int make_flow_ready(struct dj_rig *rig, struct dj_error *err)
{
    int code = note_rotation(rig, err);
    code = code == 0 ? dj_rig_create_driver(rig, err) : code;
    if (dj_rig_is_absent_error(code) && !dj_rig_is_stopped(rig)) {
        code = dj_rig_recover(rig, err);
        code = code == 0 ? note_rotation(rig, err) : code;
    }
    return code;
}

static int play_flows(struct dj_rig *rig, struct dj_error *err)
{
    const struct dj_batch_plan *plan = rig->plan;
    int code = 0;
    for (size_t i = 0; code == 0 && i < plan->flow_count && !dj_rig_is_stopped(rig);
         i++) {
        rig->flow = &plan->flows[i];
        code = make_flow_ready(rig, err);
        /* Apps of a resumed batch are checked before its first run, because the batch may
         * need no further run. */
        if (code == 0 && !plan->resume) {
            code = dj_rig_check_apps(rig, err);
        }
        if (code == 0) {
            code = dj_rig_play_flow(rig, err);
        }
        dj_rig_destroy_driver(rig);
    }
    rig->flow = NULL;
    return code;
}

static void plan_runs(struct dj_rig *rig)
{
    const struct dj_batch_plan *plan = rig->plan;
    for (size_t i = 0; i < plan->flow_count; i++) {
        rig->runs_planned +=
            (int64_t)plan->build_count *
            (plan->warmups + dj_batch_flow_runs(rig->plan, &plan->flows[i]));
    }
}

static void report_failure(struct dj_rig *rig, const struct dj_error *err)
{
    struct dj_play_result *result = rig->session->result;
    pthread_mutex_lock(&rig->session->lock);
    result->devices_failed++;
    if (result->error.code == 0) {
        result->error = *err;
    }
    pthread_mutex_unlock(&rig->session->lock);
    dj_rig_send_event(
        rig, (struct dj_play_event){.kind = DJ_PLAY_FAILED, .message = err->message});
}

void dj_rig_play(struct dj_rig *rig)
{
    struct dj_error err = {0};
    rig->lease.fd = -1;
    rig->limits = dj_conditions_default_limits();
    rig->limits.busy_pct = rig->plan->busy_pct;
    plan_runs(rig);
    int code = dj_rig_set_up(rig, &err);
    if (code == 0) {
        dj_rig_send_event(rig, (struct dj_play_event){.kind = DJ_PLAY_DEVICE});
        code = play_flows(rig, &err);
    }
    if (code != 0 && !(code == DJ_E_INTERRUPTED && dj_rig_is_stopped(rig))) {
        report_failure(rig, &err);
    }
    dj_rig_tear_down(rig);
    dj_rig_send_event(rig, (struct dj_play_event){.kind = DJ_PLAY_DEVICE_END});
}
