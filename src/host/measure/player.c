#include "measure/player.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "history/upkeep.h"
#include "measure/order.h"

#define COOL_DOWN_LOOK_NS (5 * DJ_SECOND_NS)

enum { RUNS_IN_VAIN = 3 /* in a row: the rest will come to nothing, too */ };

bool dj_player_stopped(const struct dj_player *player)
{
    return dj_interrupt_latest_ns(&player->stop) != INT64_MAX;
}

void dj_player_tell(struct dj_player *player, struct dj_play_event event)
{
    struct dj_stage *stage = player->stage;
    event.device = player->index;
    event.flow = player->flow;
    event.runs_planned = player->runs_planned;
    event.runs_done = player->runs_done;
    pthread_mutex_lock(&stage->lock);
    if (stage->world->event != NULL) {
        stage->world->event(stage->world->user, &event);
    }
    pthread_mutex_unlock(&stage->lock);
}

void dj_player_say(struct dj_player *player, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    dj_player_tell(player,
                   (struct dj_play_event){.kind = DJ_PLAY_SAYS, .message = message});
}

static const struct dj_batch_plan *plan_of(const struct dj_player *player)
{
    return player->stage->plan;
}

static int64_t runs_of(const struct dj_player *player, const struct dj_flow_plan *flow)
{
    return flow->runs > 0 ? flow->runs : plan_of(player)->runs;
}

/* ---- one attempt ---- */

static void show_progress(void *user, const struct dj_collect_progress *progress)
{
    struct dj_player *player = user;
    struct dj_play_event event = *player->run_event;
    event.kind = DJ_PLAY_PROGRESS;
    event.progress = progress;
    dj_player_tell(player, event);
}

/* The guide's cool-down: a warm device is slow in its own way. */
static int cool_down(struct dj_player *player, struct dj_run *run, struct dj_error *err)
{
    int64_t until_ns = dj_host_now_ns() + plan_of(player)->cool_down_ns;
    char says[200];
    bool told = false;
    for (;;) {
        int code = dj_conditions_read(player->device, &run->before, err);
        run->has_before = code == 0;
        if (code != 0 ||
            !dj_conditions_hot(&run->before, &player->limits, says, sizeof(says)) ||
            dj_host_now_ns() > until_ns || dj_player_stopped(player)) {
            return code;
        }
        if (!told) {
            dj_player_say(player, "cooling down: %s", says);
        }
        told = true;
        int64_t look_ns = dj_host_now_ns() + COOL_DOWN_LOOK_NS;
        while (dj_host_now_ns() < look_ns && !dj_player_stopped(player)) {
            dj_host_sleep_ns(100 * DJ_MILLISECOND_NS);
        }
    }
}

/* Of two builds each run installs its own anew: whatever an installation changes, it
 * changes for both alike. */
static int install(struct dj_player *player, size_t build, struct dj_error *err)
{
    struct dj_app *app = &player->apps[build];
    if (app->installed && plan_of(player)->build_count == 1) {
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

static int play_run(struct dj_player *player, struct attempt *attempt,
                    struct dj_error *err)
{
    const struct dj_run_work work = {
        .device = player->device,
        .watcher = player->watcher,
        .plan = plan_of(player),
        .flow = player->flow,
        .app = &player->apps[attempt->slot->build],
        .driver = &player->driver,
        .limits = player->limits,
        .stop = &player->stop,
        .give_up = &player->stage->world->give_up,
        .progress = show_progress,
        .user = player,
    };
    int code = dj_run_play(&work, &attempt->run, err);
    const struct dj_run *run = &attempt->run;
    if (code == 0 && run->has_before && !player->has_first) {
        player->first = run->before;
        player->has_first = true;
    }
    if (code == 0 && run->verdict.outcome == DJ_RUN_OK && run->has_before &&
        run->has_after) {
        dj_conditions_anomalous(&player->first, &run->before, &run->after,
                                &player->limits, attempt->anomaly,
                                sizeof(attempt->anomaly));
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

static void count(struct dj_player *player, const struct attempt *attempt)
{
    struct dj_play_result *result = player->stage->result;
    bool ok = attempt->run.verdict.outcome == DJ_RUN_OK;
    pthread_mutex_lock(&player->stage->lock);
    result->failed += ok || attempt->slot->warmup ? 0 : 1;
    pthread_mutex_unlock(&player->stage->lock);
}

static int keep(struct dj_player *player, struct attempt *attempt,
                struct dj_play_event event, struct dj_error *err)
{
    const struct dj_run *run = &attempt->run;
    int code =
        dj_player_keep(player, attempt->slot->build, run, attempt->slot->number,
                       attempt->slot->warmup, attempt->anomaly, &attempt->committed, err);
    if (code != 0) {
        return code;
    }
    count(player, attempt);
    player->runs_done++;
    event.kind = DJ_PLAY_RUN_END;
    event.attempt = attempt->committed.attempt;
    event.outcome = run->verdict.outcome;
    event.message = run->verdict.reason[0] != '\0' ? run->verdict.reason
                    : attempt->anomaly[0] != '\0'  ? attempt->anomaly
                                                   : NULL;
    event.metrics = &attempt->committed.metrics;
    event.recovery = &run->collection.recovery;
    dj_player_tell(player, event);
    return 0;
}

static bool is_absence(int code)
{
    return code == DJ_E_GONE || code == DJ_E_TIMEOUT || code == DJ_E_PROTOCOL;
}

/* One attempt from installing to the store. */
static int make_attempt(struct dj_player *player, struct attempt *attempt, int64_t number,
                        struct dj_error *err)
{
    const struct dj_order_slot *slot = attempt->slot;
    const struct dj_play_event event = {
        .kind = DJ_PLAY_RUN,
        .build = &plan_of(player)->builds[slot->build],
        .batch = player->batches[slot->build].id,
        .warmup = slot->warmup,
        .number = slot->number,
        .attempt = number,
    };
    struct dj_error why = {0};
    player->run_event = &event;
    dj_player_tell(player, event);
    int code = install(player, slot->build, &why);
    if (code == 0) {
        code = cool_down(player, &attempt->run, &why);
    }
    if (code == 0) {
        code = play_run(player, attempt, err);
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
    return keep(player, attempt, event, err);
}

/* ---- one run of the order, with its repetitions ---- */

static void exclude(struct dj_player *player, const struct attempt *attempt)
{
    struct dj_error ignored = {0};
    char reason[300];
    snprintf(reason, sizeof(reason), "repeated, as it was anomalous: %s",
             attempt->anomaly);
    pthread_mutex_lock(&player->stage->lock);
    dj_history_exclude_run(player->stage->history, attempt->committed.key, reason,
                           &ignored);
    pthread_mutex_unlock(&player->stage->lock);
}

static void tell_repeat(struct dj_player *player, const struct attempt *attempt)
{
    struct dj_play_event event = *player->run_event;
    event.kind = DJ_PLAY_REPEAT;
    event.outcome = attempt->run.verdict.outcome;
    event.message =
        attempt->anomaly[0] != '\0' ? attempt->anomaly : attempt->run.verdict.reason;
    dj_player_tell(player, event);
}

/* The device went away in this attempt: the batch goes on where it comes back. */
static int recover(struct dj_player *player, const struct attempt *attempt,
                   struct dj_error *err)
{
    return attempt->run.verdict.outcome == DJ_RUN_DEVICE_GONE &&
                   !dj_player_stopped(player)
               ? dj_player_recover(player, err)
               : 0;
}

static void add_clean(struct dj_player *player, int64_t count)
{
    pthread_mutex_lock(&player->stage->lock);
    player->stage->result->clean += count;
    pthread_mutex_unlock(&player->stage->lock);
}

static void note_result(struct dj_player *player, const struct attempt *attempt)
{
    enum dj_run_outcome outcome = attempt->run.verdict.outcome;
    player->last_outcome = outcome;
    if (outcome == DJ_RUN_OK) {
        player->failed_in_a_row = 0;
        if (!attempt->slot->warmup) {
            player->batches[attempt->slot->build].clean[attempt->slot->number - 1] = true;
            add_clean(player, 1);
        }
    } else if (!attempt->slot->warmup) {
        player->failed_in_a_row++;
    }
}

static int play_slot(struct dj_player *player, const struct dj_order_slot *slot,
                     struct dj_error *err)
{
    int64_t most = slot->warmup ? 1 : 1 + plan_of(player)->retries;
    for (int64_t number = 1;; number++) {
        struct attempt attempt = {.slot = slot};
        int code = make_attempt(player, &attempt, number, err);
        bool again =
            attempt.run.verdict.outcome != DJ_RUN_OK || attempt.anomaly[0] != '\0';
        if (code == 0 && again && number == 1 && !slot->warmup) {
            player->batches[slot->build].anomalous++;
        }
        again = again && number < most && !dj_player_stopped(player) &&
                !dj_run_is_final(attempt.run.verdict.outcome);
        if (code == 0 && again) {
            tell_repeat(player, &attempt);
            if (attempt.anomaly[0] != '\0') {
                exclude(player, &attempt);
            }
        } else if (code == 0) {
            note_result(player, &attempt);
        }
        if (code == 0) {
            code = recover(player, &attempt, err);
        }
        dj_run_finish(&attempt.run);
        if (code != 0 || !again) {
            return code;
        }
    }
}

/* ---- a flow ---- */

static bool is_done(const struct dj_player *player, const struct dj_order_slot *slot)
{
    return !slot->warmup && player->batches[slot->build].clean[slot->number - 1];
}

static int64_t count_clean(const struct dj_player *player)
{
    int64_t clean = 0;
    for (size_t i = 0; i < plan_of(player)->build_count; i++) {
        for (int64_t k = 0; k < runs_of(player, player->flow); k++) {
            clean += player->batches[i].clean[k];
        }
    }
    return clean;
}

static bool is_in_vain(struct dj_player *player)
{
    if (player->failed_in_a_row < RUNS_IN_VAIN &&
        !(player->failed_in_a_row > 0 && player->last_outcome == DJ_RUN_NOT_IN_GFXINFO)) {
        return false;
    }
    dj_player_say(player, "%lld runs in a row came to nothing (%s): the rest is left out",
                  (long long)player->failed_in_a_row,
                  dj_run_outcome_name(player->last_outcome));
    return true;
}

static int play_slots(struct dj_player *player, const struct dj_order_slot *slots,
                      size_t count, struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; code == 0 && i < count && !dj_player_stopped(player); i++) {
        if (is_done(player, &slots[i])) {
            player->runs_done++;
            add_clean(player, 1);
        } else {
            code = play_slot(player, &slots[i], err);
            if (is_in_vain(player)) {
                return code;
            }
        }
    }
    return code;
}

static int play_once(struct dj_player *player, struct dj_error *err)
{
    const struct dj_batch_plan *plan = plan_of(player);
    int64_t runs = runs_of(player, player->flow);
    size_t count = plan->build_count * (size_t)(plan->warmups + runs);
    struct dj_order_slot *slots = calloc(count, sizeof(*slots));
    if (slots == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    player->has_first = false;
    player->failed_in_a_row = 0;
    dj_order_draw(plan->build_count, plan->warmups, runs, plan->seed, slots);
    int64_t clean = count_clean(player);
    int code = 0;
    if (clean == (int64_t)plan->build_count * runs) {
        add_clean(player, clean); /* nothing is missing: no warm-up either */
    } else {
        code = play_slots(player, slots, count, err);
    }
    free(slots);
    return code;
}

/* The guide: where runs are anomalous repeat them, where many are, the batch. */
static bool is_anomalous(const struct dj_player *player)
{
    int64_t runs = runs_of(player, player->flow);
    for (size_t i = 0; i < plan_of(player)->build_count; i++) {
        if (runs >= 2 && 2 * player->batches[i].anomalous >= runs) {
            return true;
        }
    }
    return false;
}

static int repeat(struct dj_player *player, struct dj_error *err)
{
    const char *ids[DJ_BATCH_BUILDS_MAX] = {NULL};
    char kept[DJ_BATCH_BUILDS_MAX][DJ_HISTORY_ID];
    int code = 0;
    dj_player_tell(player, (struct dj_play_event){
                               .kind = DJ_PLAY_REPEAT,
                               .message = "half of the batch was anomalous: it is made "
                                          "again, and this one is left out",
                           });
    pthread_mutex_lock(&player->stage->lock);
    for (size_t i = 0; code == 0 && i < plan_of(player)->build_count; i++) {
        memcpy(kept[i], player->batches[i].id, sizeof(kept[i]));
        ids[i] = kept[i];
        code = dj_history_exclude_batch(player->stage->history, player->batches[i].key,
                                        "repeated, as half of it was anomalous", err);
    }
    pthread_mutex_unlock(&player->stage->lock);
    add_clean(player, -count_clean(player));
    dj_player_end_batches(player);
    player->runs_planned += (int64_t)plan_of(player)->build_count *
                            (plan_of(player)->warmups + runs_of(player, player->flow));
    if (code == 0) {
        code = dj_player_begin(player, ids, err);
    }
    return code == 0 ? play_once(player, err) : code;
}

int dj_player_play_flow(struct dj_player *player, struct dj_error *err)
{
    int code = dj_player_begin(player, NULL, err);
    if (code == 0) {
        code = play_once(player, err);
    }
    bool once_more = code == 0 && !dj_player_stopped(player) && is_anomalous(player) &&
                     player->failed_in_a_row < RUNS_IN_VAIN &&
                     plan_of(player)->retries > 0;
    if (once_more) {
        code = repeat(player, err);
    }
    dj_player_end_batches(player);
    return code;
}

/* ---- the device ---- */

static int play_flows(struct dj_player *player, struct dj_error *err)
{
    const struct dj_batch_plan *plan = plan_of(player);
    int code = 0;
    for (size_t i = 0; code == 0 && i < plan->flow_count && !dj_player_stopped(player);
         i++) {
        const struct dj_driver_maker *maker = plan->flows[i].maker;
        player->flow = &plan->flows[i];
        player->driver = (struct dj_driver){.kind = maker->kind};
        code = maker->make(maker->user, player->device, &player->driver, err);
        if (code == 0) {
            code = dj_player_play_flow(player, err);
            if (maker->unmake != NULL) {
                maker->unmake(&player->driver);
            }
        }
    }
    player->flow = NULL;
    return code;
}

static void plan_runs(struct dj_player *player)
{
    const struct dj_batch_plan *plan = plan_of(player);
    for (size_t i = 0; i < plan->flow_count; i++) {
        player->runs_planned += (int64_t)plan->build_count *
                                (plan->warmups + runs_of(player, &plan->flows[i]));
    }
}

static void fail(struct dj_player *player, const struct dj_error *err)
{
    struct dj_play_result *result = player->stage->result;
    pthread_mutex_lock(&player->stage->lock);
    result->devices_failed++;
    if (result->error.code == 0) {
        result->error = *err;
    }
    pthread_mutex_unlock(&player->stage->lock);
    dj_player_tell(
        player, (struct dj_play_event){.kind = DJ_PLAY_FAILED, .message = err->message});
}

void dj_player_play(struct dj_player *player)
{
    struct dj_error err = {0};
    player->lease.fd = -1;
    player->limits = dj_condition_limits_default();
    player->limits.busy_pct = plan_of(player)->busy_pct;
    plan_runs(player);
    int code = dj_player_set_up(player, &err);
    if (code == 0) {
        dj_player_tell(player, (struct dj_play_event){.kind = DJ_PLAY_DEVICE});
        code = play_flows(player, &err);
    }
    if (code != 0 && !(code == DJ_E_INTERRUPTED && dj_player_stopped(player))) {
        fail(player, &err);
    }
    dj_player_tear_down(player);
    dj_player_tell(player, (struct dj_play_event){.kind = DJ_PLAY_DEVICE_END});
}
