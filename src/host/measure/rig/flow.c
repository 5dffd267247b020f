#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/rig/rig.h"
#include "store/upkeep.h"

/* If this many runs fail in a row, the remaining runs of the flow are skipped. */
enum { FAILED_RUNS_MAX = 3 };

/* Reports that the run will be repeated. If the current attempt was stored as valid,
 * excludes it from the results. */
static void repeat_run(struct dj_rig *rig, const struct dj_attempt *attempt)
{
    struct dj_error ignored = {0};
    struct dj_play_event event = rig->run_event;
    char reason[300];
    event.kind = DJ_PLAY_REPEAT;
    event.outcome = attempt->run.verdict.outcome;
    event.message = attempt->remark;
    dj_rig_send_event(rig, event);
    if (attempt->anomaly[0] != '\0') {
        snprintf(reason, sizeof(reason), "repeated because it was anomalous: %s",
                 attempt->anomaly);
        pthread_mutex_lock(&rig->session->lock);
        dj_store_exclude_run(rig->session->store, attempt->committed.key, reason,
                             &ignored);
        pthread_mutex_unlock(&rig->session->lock);
    }
}

/* Waits until the device is back, if it has disconnected in this attempt. */
static int recover(struct dj_rig *rig, const struct dj_attempt *attempt,
                   struct dj_error *err)
{
    return attempt->run.verdict.outcome == DJ_RUN_DEVICE_GONE && !dj_rig_is_stopped(rig)
               ? dj_rig_recover(rig, err)
               : 0;
}

static void note_result(struct dj_rig *rig, const struct dj_attempt *attempt)
{
    const struct dj_order_slot *slot = attempt->slot;
    bool is_ok = attempt->run.verdict.outcome == DJ_RUN_OK;
    rig->last_outcome = attempt->run.verdict.outcome;
    rig->failed_in_a_row = is_ok ? 0 : rig->failed_in_a_row + !slot->warmup;
    if (!is_ok || slot->warmup) {
        return;
    }
    rig->batches[slot->build].clean[slot->number - 1] = true;
    dj_rig_add_count(rig, &rig->session->result->clean, 1);
    if (attempt->anomaly[0] != '\0') {
        rig->disturbed++;
    }
}

/* Reads the following runs from SurfaceFlinger, if the app drew in a layer that gfxinfo
 * does not show. Returns true if that changes anything. */
static bool switch_to_surface(struct dj_rig *rig, const struct dj_attempt *attempt)
{
    const char *wanted = rig->plan->frame_source;
    if (attempt->run.verdict.outcome != DJ_RUN_NOT_IN_GFXINFO ||
        attempt->run.collection.from_surface ||
        (wanted != NULL && strcmp(wanted, "auto") != 0)) {
        return false;
    }
    rig->frame_source = "surface";
    return true;
}

/* Updates the budget after an attempt. Returns true if the run must be repeated. `number`
 * is the number of the attempt. `left` is the number of later runs of the same build. */
static bool count_start(struct dj_rig *rig, const struct dj_attempt *attempt,
                        int64_t number, int64_t left)
{
    struct dj_run_budget *budget = &rig->budgets[attempt->slot->build];
    bool anomalous =
        attempt->run.verdict.outcome != DJ_RUN_OK || attempt->anomaly[0] != '\0';
    bool switched = switch_to_surface(rig, attempt);
    if (attempt->slot->warmup) {
        return false;
    }
    budget->starts++;
    budget->retries += number > 1;
    budget->anomalous += anomalous && number == 1;
    return anomalous && number <= rig->plan->retries && !dj_rig_is_stopped(rig) &&
           (switched || !dj_outcome_is_final(attempt->run.verdict.outcome)) &&
           dj_run_budget_allows_retry(budget, left);
}

/* Plays one run, and repeats it while it is anomalous and the budget allows it. `left` is
 * the number of later runs of the same build. */
static int play_slot(struct dj_rig *rig, const struct dj_order_slot *slot, int64_t left,
                     struct dj_error *err)
{
    for (int64_t number = 1;; number++) {
        struct dj_attempt attempt = {.slot = slot};
        int code = dj_rig_make_attempt(rig, &attempt, number, err);
        bool again = code == 0 && count_start(rig, &attempt, number, left);
        if (again) {
            repeat_run(rig, &attempt);
        } else if (code == 0) {
            note_result(rig, &attempt);
        }
        code = code == 0 ? recover(rig, &attempt, err) : code;
        dj_run_finish(&attempt.run);
        if (code != 0 || !again) {
            return code;
        }
    }
}

static bool is_done(const struct dj_rig *rig, const struct dj_order_slot *slot)
{
    return !slot->warmup && rig->batches[slot->build].clean[slot->number - 1];
}

static int64_t count_clean(const struct dj_rig *rig)
{
    int64_t clean = 0;
    for (size_t i = 0; i < rig->plan->build_count; i++) {
        for (int64_t k = 0; k < dj_batch_flow_runs(rig->plan, rig->flow); k++) {
            clean += rig->batches[i].clean[k];
        }
    }
    return clean;
}

/* Returns true if the remaining runs would fail too. If an app draws frames that gfxinfo
 * does not contain, it does so in every run. */
static bool is_hopeless(const struct dj_rig *rig)
{
    return rig->failed_in_a_row >= FAILED_RUNS_MAX ||
           (rig->failed_in_a_row > 0 && rig->last_outcome == DJ_RUN_NOT_IN_GFXINFO);
}

static bool give_up_if_hopeless(struct dj_rig *rig)
{
    if (!is_hopeless(rig)) {
        return false;
    }
    dj_rig_report(rig, "%lld runs in a row failed (%s): the remaining runs are skipped",
                  (long long)rig->failed_in_a_row,
                  dj_facts_outcome_name(rig->last_outcome));
    return true;
}

/* Counts the runs after slot `at` that belong to the same build and are not done yet. */
static int64_t count_left(const struct dj_rig *rig, const struct dj_order_slot *slots,
                          size_t count, size_t at)
{
    int64_t left = 0;
    for (size_t i = at + 1; i < count; i++) {
        left += slots[i].build == slots[at].build && !slots[i].warmup &&
                !is_done(rig, &slots[i]);
    }
    return left;
}

/* Returns true if the whole batch must be repeated, because half of the runs of a build
 * were anomalous (see docs/guide.md). If fewer runs are anomalous, only these runs are
 * repeated. */
static bool is_to_be_repeated(const struct dj_rig *rig)
{
    bool anomalous = false;
    bool allowed = rig->plan->retries > 0;
    for (size_t i = 0; i < rig->plan->build_count; i++) {
        anomalous = anomalous || dj_run_budget_is_anomalous(&rig->budgets[i]);
        allowed = allowed && dj_run_budget_allows_repeat(&rig->budgets[i]);
    }
    return anomalous && allowed;
}

/* Plays the runs in the given order. If the whole batch must be repeated, does not start
 * the remaining runs, because the number of starts is limited. */
static int play_slots(struct dj_rig *rig, const struct dj_order_slot *slots, size_t count,
                      struct dj_error *err)
{
    int code = 0;
    bool ends = false;
    for (size_t i = 0; code == 0 && i < count && !dj_rig_is_stopped(rig); i++) {
        if (is_done(rig, &slots[i])) {
            rig->runs_done++;
            dj_rig_add_count(rig, &rig->session->result->clean, 1);
        } else if (ends) {
            rig->runs_planned--;
        } else {
            code = dj_rig_check_apps(rig, err);
            if (code == 0) {
                code = play_slot(rig, &slots[i], count_left(rig, slots, count, i), err);
            }
            ends = give_up_if_hopeless(rig) || is_to_be_repeated(rig);
        }
    }
    return code;
}

static int play_once(struct dj_rig *rig, struct dj_error *err)
{
    const struct dj_batch_plan *plan = rig->plan;
    int64_t runs = dj_batch_flow_runs(rig->plan, rig->flow);
    size_t count = plan->build_count * (size_t)(plan->warmups + runs);
    struct dj_order_slot *slots = calloc(count, sizeof(*slots));
    if (slots == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    rig->has_first = false;
    rig->failed_in_a_row = 0;
    rig->disturbed = 0;
    dj_order_draw(plan->build_count, plan->warmups, runs, plan->seed, slots);
    int64_t clean = count_clean(rig);
    int code = 0;
    if (clean == (int64_t)plan->build_count * runs) {
        dj_rig_add_count(rig, &rig->session->result->clean,
                         /* All runs are already in the store, so not even a warm-up is
                          * started. */
                         clean);
    } else {
        code = play_slots(rig, slots, count, err);
    }
    free(slots);
    return code;
}

static int repeat_batch(struct dj_rig *rig, struct dj_error *err)
{
    const char *ids[DJ_BATCH_BUILDS_MAX] = {NULL};
    char old_ids[DJ_BATCH_BUILDS_MAX][DJ_STORE_ID_BYTES];
    int code = 0;
    dj_rig_send_event(
        rig,
        (struct dj_play_event){
            .kind = DJ_PLAY_REPEAT,
            .message =
                "half of the runs were anomalous: the batch is excluded and repeated",
        });
    pthread_mutex_lock(&rig->session->lock);
    for (size_t i = 0; code == 0 && i < rig->plan->build_count; i++) {
        memcpy(old_ids[i], rig->batches[i].id, sizeof(old_ids[i]));
        ids[i] = old_ids[i];
        code = dj_store_exclude_batch(rig->session->store, rig->batches[i].key,
                                      "repeated because half of its runs were anomalous",
                                      err);
    }
    pthread_mutex_unlock(&rig->session->lock);
    dj_rig_add_count(rig, &rig->session->result->clean, -count_clean(rig));
    dj_rig_end_batches(rig);
    rig->runs_planned += (int64_t)rig->plan->build_count *
                         (rig->plan->warmups + dj_batch_flow_runs(rig->plan, rig->flow));
    for (size_t i = 0; i < rig->plan->build_count; i++) {
        dj_run_budget_begin_repeat(&rig->budgets[i]);
    }
    if (code == 0) {
        code = dj_rig_begin_batches(rig, ids, err);
    }
    return code == 0 ? play_once(rig, err) : code;
}

int dj_rig_play_flow(struct dj_rig *rig, struct dj_error *err)
{
    for (size_t i = 0; i < DJ_BATCH_BUILDS_MAX; i++) {
        rig->budgets[i] =
            (struct dj_run_budget){.runs = dj_batch_flow_runs(rig->plan, rig->flow)};
    }
    int code = dj_rig_begin_batches(rig, NULL, err);
    if (code == 0) {
        code = play_once(rig, err);
    }
    if (code == 0 && !dj_rig_is_stopped(rig) && is_to_be_repeated(rig) &&
        !is_hopeless(rig)) {
        code = repeat_batch(rig, err);
    }
    dj_rig_add_count(rig, &rig->session->result->disturbed, rig->disturbed);
    dj_rig_end_batches(rig);
    return code;
}
