#include "measure/rig.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "history/upkeep.h"
#include "measure/order.h"
#include "measure/settings.h"

#define COOL_DOWN_LOOK_NS (5 * DJ_SECOND_NS)

enum { RUNS_IN_VAIN = 3 /* in a row: the rest will come to nothing, too */ };

bool dj_rig_stopped(const struct dj_rig *rig)
{
    return dj_interrupt_latest_ns(&rig->stop) != INT64_MAX;
}

void dj_rig_tell(struct dj_rig *rig, struct dj_play_event event)
{
    struct dj_stage *stage = rig->stage;
    event.device = rig->index;
    event.flow = rig->flow;
    event.runs_planned = rig->runs_planned;
    event.runs_done = rig->runs_done;
    pthread_mutex_lock(&stage->lock);
    if (stage->world->event != NULL) {
        stage->world->event(stage->world->user, &event);
    }
    pthread_mutex_unlock(&stage->lock);
}

void dj_rig_say(struct dj_rig *rig, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    dj_rig_tell(rig, (struct dj_play_event){.kind = DJ_PLAY_SAYS, .message = message});
}

static const struct dj_batch_plan *plan_of(const struct dj_rig *rig)
{
    return rig->stage->plan;
}

static int64_t runs_of(const struct dj_rig *rig, const struct dj_flow_plan *flow)
{
    return flow->runs > 0 ? flow->runs : plan_of(rig)->runs;
}

/* ---- one attempt ---- */

static void show_progress(void *user, const struct dj_collect_progress *progress)
{
    struct dj_rig *rig = user;
    struct dj_play_event event = *rig->run_event;
    event.kind = DJ_PLAY_PROGRESS;
    event.progress = progress;
    dj_rig_tell(rig, event);
}

/* As it is before the run, the screen awake. */
static int look_before(struct dj_rig *rig, struct dj_run *run, struct dj_error *err)
{
    bool woken = false;
    int code = dj_conditions_read(rig->device, &run->before, err);
    if (code == 0) {
        code = dj_settings_wake(rig->device, &run->before.facts, &woken, err);
    }
    if (code == 0 && woken) {
        code = dj_conditions_read(rig->device, &run->before, err);
    }
    run->has_before = code == 0;
    return code;
}

/* The guide's cool-down: a warm device is slow in its own way. */
static int cool_down(struct dj_rig *rig, struct dj_run *run, struct dj_error *err)
{
    int64_t until_ns = dj_host_now_ns() + plan_of(rig)->cool_down_ns;
    char says[200];
    bool told = false;
    for (;;) {
        int code = look_before(rig, run, err);
        if (code != 0 ||
            !dj_conditions_hot(&run->before, &rig->limits, says, sizeof(says)) ||
            dj_host_now_ns() > until_ns || dj_rig_stopped(rig)) {
            return code;
        }
        if (!told) {
            dj_rig_say(rig, "cooling down: %s", says);
        }
        told = true;
        int64_t look_ns = dj_host_now_ns() + COOL_DOWN_LOOK_NS;
        while (dj_host_now_ns() < look_ns && !dj_rig_stopped(rig)) {
            dj_host_sleep_ns(100 * DJ_MILLISECOND_NS);
        }
    }
}

/* Of two builds each run installs its own anew: whatever an installation changes, it
 * changes for both alike. */
static int install(struct dj_rig *rig, size_t build, struct dj_error *err)
{
    struct dj_app *app = &rig->apps[build];
    if (app->installed && plan_of(rig)->build_count == 1) {
        return 0;
    }
    int code = dj_app_install(app, err);
    app->installed = code == 0;
    return code;
}

struct attempt {
    const struct dj_order_slot *slot;
    struct dj_run run;
    char anomaly[240]; /* of its conditions; "" */
    struct dj_history_committed committed;
};

static int play_run(struct dj_rig *rig, struct attempt *attempt, struct dj_error *err)
{
    const struct dj_run_work work = {
        .device = rig->device,
        .watcher = rig->watcher,
        .plan = plan_of(rig),
        .flow = rig->flow,
        .app = &rig->apps[attempt->slot->build],
        .driver = &rig->driver,
        .limits = rig->limits,
        .stop = &rig->stop,
        .give_up = &rig->stage->world->give_up,
        .progress = show_progress,
        .user = rig,
    };
    int code = dj_run_play(&work, &attempt->run, err);
    const struct dj_run *run = &attempt->run;
    if (code == 0 && run->has_before && !rig->has_first) {
        rig->first = run->before;
        rig->has_first = true;
    }
    if (code == 0 && run->verdict.outcome == DJ_RUN_OK && run->has_before &&
        run->has_after) {
        dj_conditions_anomalous(&rig->first, &run->before, &run->after, &rig->limits,
                                attempt->anomaly, sizeof(attempt->anomaly));
    }
    return code;
}

/* Something is known of the device's absence before a run began: it is a run, too. */
static void note_absence(struct attempt *attempt, const struct dj_error *why)
{
    attempt->run.verdict.outcome = DJ_RUN_DEVICE_GONE;
    snprintf(attempt->run.verdict.reason, sizeof(attempt->run.verdict.reason), "%.239s",
             why->message);
}

static void count(struct dj_rig *rig, const struct attempt *attempt)
{
    struct dj_play_result *result = rig->stage->result;
    bool ok = attempt->run.verdict.outcome == DJ_RUN_OK;
    pthread_mutex_lock(&rig->stage->lock);
    result->failed += ok || attempt->slot->warmup ? 0 : 1;
    pthread_mutex_unlock(&rig->stage->lock);
}

static int keep(struct dj_rig *rig, struct attempt *attempt, struct dj_play_event event,
                struct dj_error *err)
{
    const struct dj_run *run = &attempt->run;
    int code =
        dj_rig_keep(rig, attempt->slot->build, run, attempt->slot->number,
                    attempt->slot->warmup, attempt->anomaly, &attempt->committed, err);
    if (code != 0) {
        return code;
    }
    count(rig, attempt);
    rig->runs_done++;
    event.kind = DJ_PLAY_RUN_END;
    event.attempt = attempt->committed.attempt;
    event.outcome = run->verdict.outcome;
    event.message = run->verdict.reason[0] != '\0' ? run->verdict.reason
                    : attempt->anomaly[0] != '\0'  ? attempt->anomaly
                                                   : NULL;
    event.metrics = &attempt->committed.metrics;
    event.recovery = &run->collection.recovery;
    dj_rig_tell(rig, event);
    return 0;
}

static bool is_absence(int code)
{
    return code == DJ_E_GONE || code == DJ_E_TIMEOUT || code == DJ_E_PROTOCOL;
}

/* One attempt from installing to the store. */
static int make_attempt(struct dj_rig *rig, struct attempt *attempt, int64_t number,
                        struct dj_error *err)
{
    const struct dj_order_slot *slot = attempt->slot;
    const struct dj_play_event event = {
        .kind = DJ_PLAY_RUN,
        .build = &plan_of(rig)->builds[slot->build],
        .batch = rig->batches[slot->build].id,
        .warmup = slot->warmup,
        .number = slot->number,
        .attempt = number,
    };
    struct dj_error why = {0};
    rig->run_event = &event;
    dj_rig_tell(rig, event);
    int code = install(rig, slot->build, &why);
    if (code == 0) {
        code = cool_down(rig, &attempt->run, &why);
    }
    if (code == 0) {
        code = play_run(rig, attempt, err);
        if (code != 0) {
            return code;
        }
    } else if (is_absence(code)) {
        note_absence(attempt, &why);
    } else if (code != DJ_E_INTERRUPTED) {
        *err = why;
        return code;
    } else {
        attempt->run.verdict.outcome = DJ_RUN_INTERRUPTED;
    }
    return keep(rig, attempt, event, err);
}

/* ---- one run of the order, with its repetitions ---- */

static void exclude(struct dj_rig *rig, const struct attempt *attempt)
{
    struct dj_error ignored = {0};
    char reason[300];
    snprintf(reason, sizeof(reason), "repeated, as it was anomalous: %s",
             attempt->anomaly);
    pthread_mutex_lock(&rig->stage->lock);
    dj_history_exclude_run(rig->stage->history, attempt->committed.key, reason, &ignored);
    pthread_mutex_unlock(&rig->stage->lock);
}

static void tell_repeat(struct dj_rig *rig, const struct attempt *attempt)
{
    struct dj_play_event event = *rig->run_event;
    event.kind = DJ_PLAY_REPEAT;
    event.outcome = attempt->run.verdict.outcome;
    event.message =
        attempt->anomaly[0] != '\0' ? attempt->anomaly : attempt->run.verdict.reason;
    dj_rig_tell(rig, event);
}

/* The device went away in this attempt: the batch goes on where it comes back. */
static int recover(struct dj_rig *rig, const struct attempt *attempt,
                   struct dj_error *err)
{
    return attempt->run.verdict.outcome == DJ_RUN_DEVICE_GONE && !dj_rig_stopped(rig)
               ? dj_rig_recover(rig, err)
               : 0;
}

static void add_clean(struct dj_rig *rig, int64_t count)
{
    pthread_mutex_lock(&rig->stage->lock);
    rig->stage->result->clean += count;
    pthread_mutex_unlock(&rig->stage->lock);
}

static void note_result(struct dj_rig *rig, const struct attempt *attempt)
{
    enum dj_run_outcome outcome = attempt->run.verdict.outcome;
    rig->last_outcome = outcome;
    if (outcome == DJ_RUN_OK) {
        rig->failed_in_a_row = 0;
        if (!attempt->slot->warmup) {
            rig->batches[attempt->slot->build].clean[attempt->slot->number - 1] = true;
            add_clean(rig, 1);
        }
    } else if (!attempt->slot->warmup) {
        rig->failed_in_a_row++;
    }
}

static int play_slot(struct dj_rig *rig, const struct dj_order_slot *slot,
                     struct dj_error *err)
{
    int64_t most = slot->warmup ? 1 : 1 + plan_of(rig)->retries;
    for (int64_t number = 1;; number++) {
        struct attempt attempt = {.slot = slot};
        int code = make_attempt(rig, &attempt, number, err);
        bool again =
            attempt.run.verdict.outcome != DJ_RUN_OK || attempt.anomaly[0] != '\0';
        if (code == 0 && again && number == 1 && !slot->warmup) {
            rig->batches[slot->build].anomalous++;
        }
        again = again && number < most && !dj_rig_stopped(rig) &&
                !dj_run_is_final(attempt.run.verdict.outcome);
        if (code == 0 && again) {
            tell_repeat(rig, &attempt);
            if (attempt.anomaly[0] != '\0') {
                exclude(rig, &attempt);
            }
        } else if (code == 0) {
            note_result(rig, &attempt);
        }
        if (code == 0) {
            code = recover(rig, &attempt, err);
        }
        dj_run_finish(&attempt.run);
        if (code != 0 || !again) {
            return code;
        }
    }
}

/* ---- a flow ---- */

static bool is_done(const struct dj_rig *rig, const struct dj_order_slot *slot)
{
    return !slot->warmup && rig->batches[slot->build].clean[slot->number - 1];
}

static int64_t count_clean(const struct dj_rig *rig)
{
    int64_t clean = 0;
    for (size_t i = 0; i < plan_of(rig)->build_count; i++) {
        for (int64_t k = 0; k < runs_of(rig, rig->flow); k++) {
            clean += rig->batches[i].clean[k];
        }
    }
    return clean;
}

static bool is_in_vain(struct dj_rig *rig)
{
    if (rig->failed_in_a_row < RUNS_IN_VAIN &&
        !(rig->failed_in_a_row > 0 && rig->last_outcome == DJ_RUN_NOT_IN_GFXINFO)) {
        return false;
    }
    dj_rig_say(rig, "%lld runs in a row came to nothing (%s): the rest is left out",
               (long long)rig->failed_in_a_row, dj_run_outcome_name(rig->last_outcome));
    return true;
}

static int play_slots(struct dj_rig *rig, const struct dj_order_slot *slots, size_t count,
                      struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; code == 0 && i < count && !dj_rig_stopped(rig); i++) {
        if (is_done(rig, &slots[i])) {
            rig->runs_done++;
            add_clean(rig, 1);
        } else {
            code = play_slot(rig, &slots[i], err);
            if (is_in_vain(rig)) {
                return code;
            }
        }
    }
    return code;
}

static int play_once(struct dj_rig *rig, struct dj_error *err)
{
    const struct dj_batch_plan *plan = plan_of(rig);
    int64_t runs = runs_of(rig, rig->flow);
    size_t count = plan->build_count * (size_t)(plan->warmups + runs);
    struct dj_order_slot *slots = calloc(count, sizeof(*slots));
    if (slots == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    rig->has_first = false;
    rig->failed_in_a_row = 0;
    dj_order_draw(plan->build_count, plan->warmups, runs, plan->seed, slots);
    int64_t clean = count_clean(rig);
    int code = 0;
    if (clean == (int64_t)plan->build_count * runs) {
        add_clean(rig, clean); /* nothing is missing: no warm-up either */
    } else {
        code = play_slots(rig, slots, count, err);
    }
    free(slots);
    return code;
}

/* The guide: where runs are anomalous repeat them, where many are, the batch. */
static bool is_anomalous(const struct dj_rig *rig)
{
    int64_t runs = runs_of(rig, rig->flow);
    for (size_t i = 0; i < plan_of(rig)->build_count; i++) {
        if (runs >= 2 && 2 * rig->batches[i].anomalous >= runs) {
            return true;
        }
    }
    return false;
}

static int repeat(struct dj_rig *rig, struct dj_error *err)
{
    const char *ids[DJ_BATCH_BUILDS_MAX] = {NULL};
    char kept[DJ_BATCH_BUILDS_MAX][DJ_HISTORY_ID];
    int code = 0;
    dj_rig_tell(rig, (struct dj_play_event){
                         .kind = DJ_PLAY_REPEAT,
                         .message = "half of the batch was anomalous: it is made "
                                    "again, and this one is left out",
                     });
    pthread_mutex_lock(&rig->stage->lock);
    for (size_t i = 0; code == 0 && i < plan_of(rig)->build_count; i++) {
        memcpy(kept[i], rig->batches[i].id, sizeof(kept[i]));
        ids[i] = kept[i];
        code = dj_history_exclude_batch(rig->stage->history, rig->batches[i].key,
                                        "repeated, as half of it was anomalous", err);
    }
    pthread_mutex_unlock(&rig->stage->lock);
    add_clean(rig, -count_clean(rig));
    dj_rig_end_batches(rig);
    rig->runs_planned += (int64_t)plan_of(rig)->build_count *
                         (plan_of(rig)->warmups + runs_of(rig, rig->flow));
    if (code == 0) {
        code = dj_rig_begin(rig, ids, err);
    }
    return code == 0 ? play_once(rig, err) : code;
}

int dj_rig_play_flow(struct dj_rig *rig, struct dj_error *err)
{
    int code = dj_rig_begin(rig, NULL, err);
    if (code == 0) {
        code = play_once(rig, err);
    }
    bool once_more = code == 0 && !dj_rig_stopped(rig) && is_anomalous(rig) &&
                     rig->failed_in_a_row < RUNS_IN_VAIN && plan_of(rig)->retries > 0;
    if (once_more) {
        code = repeat(rig, err);
    }
    dj_rig_end_batches(rig);
    return code;
}

/* ---- the device ---- */

static int play_flows(struct dj_rig *rig, struct dj_error *err)
{
    const struct dj_batch_plan *plan = plan_of(rig);
    int code = 0;
    for (size_t i = 0; code == 0 && i < plan->flow_count && !dj_rig_stopped(rig); i++) {
        const struct dj_driver_maker *maker = plan->flows[i].maker;
        rig->flow = &plan->flows[i];
        rig->driver = (struct dj_driver){.kind = maker->kind};
        code = maker->rotates && strcmp(rig->facts.platform, "android") == 0
                   ? dj_settings_note_rotation(rig->device, &rig->journal, err)
                   : 0;
        if (code == 0) {
            code = maker->make(maker->user, rig->device, &rig->driver, err);
        }
        if (code == 0) {
            code = dj_rig_play_flow(rig, err);
            if (maker->unmake != NULL) {
                maker->unmake(&rig->driver);
            }
        }
    }
    rig->flow = NULL;
    return code;
}

static void plan_runs(struct dj_rig *rig)
{
    const struct dj_batch_plan *plan = plan_of(rig);
    for (size_t i = 0; i < plan->flow_count; i++) {
        rig->runs_planned +=
            (int64_t)plan->build_count * (plan->warmups + runs_of(rig, &plan->flows[i]));
    }
}

static void fail(struct dj_rig *rig, const struct dj_error *err)
{
    struct dj_play_result *result = rig->stage->result;
    pthread_mutex_lock(&rig->stage->lock);
    result->devices_failed++;
    if (result->error.code == 0) {
        result->error = *err;
    }
    pthread_mutex_unlock(&rig->stage->lock);
    dj_rig_tell(rig,
                (struct dj_play_event){.kind = DJ_PLAY_FAILED, .message = err->message});
}

void dj_rig_play(struct dj_rig *rig)
{
    struct dj_error err = {0};
    rig->lease.fd = -1;
    rig->limits = dj_condition_limits_default();
    rig->limits.busy_pct = plan_of(rig)->busy_pct;
    plan_runs(rig);
    int code = dj_rig_set_up(rig, &err);
    if (code == 0) {
        dj_rig_tell(rig, (struct dj_play_event){.kind = DJ_PLAY_DEVICE});
        code = play_flows(rig, &err);
    }
    if (code != 0 && !(code == DJ_E_INTERRUPTED && dj_rig_stopped(rig))) {
        fail(rig, &err);
    }
    dj_rig_tear_down(rig);
    dj_rig_tell(rig, (struct dj_play_event){.kind = DJ_PLAY_DEVICE_END});
}
