#include <stdlib.h>

#include "measure/rig/describe_plan.h"
#include "measure/rig/rig.h"
#include "store/browse.h"

enum { RUN_EVIDENCE = 7 };

struct finding {
    struct dj_play_batch *batch;
    int64_t runs;
    int64_t next_order;
};

static int note_run(void *user, const struct dj_run_row *run)
{
    struct finding *finding = user;
    if (dj_store_run_counts(run) && run->number >= 1 && run->number <= finding->runs) {
        finding->batch->clean[run->number - 1] = true;
    }
    if (run->order_index >= finding->next_order) {
        finding->next_order = run->order_index + 1;
    }
    return 0;
}

static int find_batch(struct dj_rig *rig, struct dj_play_batch *batch, const char *arm,
                      struct dj_error *err)
{
    struct finding finding = {batch, dj_batch_flow_runs(rig->plan, rig->flow),
                              rig->order_index};
    struct dj_store *store = rig->session->store;
    int code = dj_store_find_resumable(store, batch->fingerprint, arm, batch->id,
                                       &batch->key, err);
    if (code == 0 && batch->key != 0) {
        batch->resumed = true;
        code = dj_store_read_runs(store, batch->key, note_run, &finding, err);
        rig->order_index = finding.next_order;
    }
    return code;
}

static int create_batch(struct dj_rig *rig, size_t build, const char *group,
                        const char *repeats, struct dj_error *err)
{
    const struct dj_batch_plan *plan = rig->plan;
    struct dj_play_batch *batch = &rig->batches[build];
    struct dj_device_row row;
    struct dj_text options = {0}, order = {0};
    dj_describe_plan_device(&row, rig->device->name, &rig->facts);
    dj_describe_plan_options(&options, plan, rig->flow, &plan->builds[build]);
    dj_describe_plan_order(&order, plan);
    const struct dj_store_batch wanted = {
        .project = plan->project != NULL ? plan->project : plan->package,
        .build = {plan->builds[build].version, plan->builds[build].commit,
                  plan->builds[build].label},
        .device = row.device,
        .name = rig->flow->name,
        .kind = "run",
        .fingerprint = batch->fingerprint,
        .planned = dj_batch_flow_runs(rig->plan, rig->flow),
        .options = dj_text_get(&options),
        .objectives = plan->objectives,
        .group = group,
        .arm = plan->build_count == 2 ? (build == 0 ? "A" : "B") : NULL,
        .order = dj_text_get(&order),
        .repeats = repeats,
    };
    int code = options.failed || order.failed
                   ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory")
                   : dj_store_begin_batch(rig->session->store, &wanted, batch->id,
                                          &batch->key, err);
    dj_text_finish(&options);
    dj_text_finish(&order);
    return code;
}

static int open_batch(struct dj_rig *rig, size_t build, const char *group,
                      const char *repeats, struct dj_error *err)
{
    const struct dj_batch_plan *plan = rig->plan;
    struct dj_play_batch *batch = &rig->batches[build];
    const char *arm = plan->build_count == 2 ? (build == 0 ? "A" : "B") : NULL;
    *batch = (struct dj_play_batch){.key = 0};
    batch->clean =
        calloc((size_t)dj_batch_flow_runs(rig->plan, rig->flow), sizeof(*batch->clean));
    if (batch->clean == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    int code =
        dj_batch_fingerprint(plan, rig->flow, rig->device->name, batch->fingerprint, err);
    if (code != 0) {
        return code;
    }
    pthread_mutex_lock(&rig->session->lock);
    if (plan->resume && repeats == NULL) {
        code = find_batch(rig, batch, arm, err);
    }
    if (code == 0 && batch->key == 0 && plan->extended > 0 && repeats == NULL) {
        code = dj_error_set(err, DJ_E_NO_DATA,
                            "the store has no batch of '%s' on %s with this plan, so no "
                            "runs can be added",
                            rig->flow->name, rig->device->name);
    } else if (code == 0 && batch->key == 0) {
        code = create_batch(rig, build, group, repeats, err);
    }
    pthread_mutex_unlock(&rig->session->lock);
    return code;
}

int dj_rig_begin_batches(struct dj_rig *rig, const char *const *repeats,
                         struct dj_error *err)
{
    const struct dj_batch_plan *plan = rig->plan;
    char group[DJ_STORE_ID_BYTES] = "";
    int code = plan->build_count == 2 ? dj_store_create_id(group, err) : 0;
    rig->order_index = 0;
    for (size_t i = 0; code == 0 && i < plan->build_count; i++) {
        code = open_batch(rig, i, group[0] != '\0' ? group : NULL,
                          repeats != NULL ? repeats[i] : NULL, err);
        if (code == 0) {
            dj_rig_send_event(rig, (struct dj_play_event){
                                       .kind = DJ_PLAY_BATCH,
                                       .build = &plan->builds[i],
                                       .batch = rig->batches[i].id,
                                       .fingerprint = rig->batches[i].fingerprint,
                                       .resumed = rig->batches[i].resumed,
                                   });
        }
    }
    return code;
}

void dj_rig_end_batches(struct dj_rig *rig)
{
    for (size_t i = 0; i < DJ_BATCH_BUILDS_MAX; i++) {
        free(rig->batches[i].clean);
        rig->batches[i] = (struct dj_play_batch){.key = 0};
    }
}

static size_t list_evidence(const struct dj_run *run, struct dj_store_evidence *list)
{
    const struct {
        const char *kind, *name;
        const struct dj_text *text;
    } all[RUN_EVIDENCE] = {
        {DJ_EVIDENCE_GFXINFO, "gfxinfo.txt", &run->gfxinfo},
        {DJ_EVIDENCE_STREAM, "stream.txt", &run->log.stream},
        {"dump", "dump.txt", &run->raw},
        {"logcat", "crash.txt", &run->end.evidence},
        {"app-output", "output.txt", &run->app_output},
        {"layers", "layers.txt", &run->layers},
        {DJ_EVIDENCE_TRACE, "trace.pftrace", &run->trace},
    };
    size_t count = 0;
    for (size_t i = 0; i < RUN_EVIDENCE; i++) {
        if (all[i].text->length > 0) {
            list[count++] = (struct dj_store_evidence){
                all[i].kind, all[i].name, all[i].text->data, all[i].text->length};
        }
    }
    return count;
}

static struct dj_store_window *list_windows(const struct dj_drive_log *log)
{
    struct dj_store_window *windows = calloc(log->window_count + 1, sizeof(*windows));
    for (size_t i = 0; windows != NULL && i < log->window_count; i++) {
        windows[i] = (struct dj_store_window){log->windows[i].name, log->windows[i].span};
    }
    return windows;
}

static bool is_bounded(const struct dj_span *span)
{
    return span->start_ns != INT64_MIN && span->end_ns != INT64_MAX;
}

static int commit(struct dj_rig *rig, int64_t batch, const struct dj_store_run *row,
                  struct dj_store_commit_result *committed, struct dj_error *err)
{
    struct dj_play_session *session = rig->session;
    pthread_mutex_lock(&session->lock);
    int code = dj_store_commit_run(session->store, batch, row, committed, err);
    if (code != 0 && !session->store_failed) {
        session->store_error = *err;
        session->store_failed = true;
    }
    pthread_mutex_unlock(&session->lock);
    return code;
}

int dj_rig_store_attempt(struct dj_rig *rig, struct dj_attempt *attempt,
                         struct dj_error *err)
{
    const struct dj_run *run = &attempt->run;
    struct dj_condition before[DJ_CONDITIONS], after[DJ_CONDITIONS];
    struct dj_store_evidence evidence[RUN_EVIDENCE];
    const struct dj_dialect *dialect = run->collection.dump.dialect;
    struct dj_store_window *windows = list_windows(&run->log);
    if (windows == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    const struct dj_store_run row = {
        .number = attempt->slot->number,
        .order_index = rig->order_index++,
        .warmup = attempt->slot->warmup,
        .outcome = run->verdict.outcome,
        .reason = attempt->remark,
        .started_unix_ms = run->started_unix_ms,
        .duration_ns = run->duration_ns,
        .span = is_bounded(&run->collection.window) ? run->collection.window
                                                    : (struct dj_span){0, 0},
        .release = dialect != NULL ? dialect->name : NULL,
        .windows = windows,
        .window_count = run->log.window_count,
        .before = before,
        .before_count = run->has_before ? dj_conditions_list(&run->before, before) : 0,
        .after = after,
        .after_count = run->has_after ? dj_conditions_list(&run->after, after) : 0,
        .evidence = evidence,
        .evidence_count = list_evidence(run, evidence),
    };
    int code = commit(rig, rig->batches[attempt->slot->build].key, &row,
                      &attempt->committed, err);
    free(windows);
    return code;
}
