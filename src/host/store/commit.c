#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "store/batch.h"
#include "store/blobs.h"
#include "store/browse.h"
#include "store/schema.h"
#include "store/store_figures.h"

/* A run, or only a new batch, on its way into the store. All slow work is done before the
 * transaction. */
struct arrival {
    const struct dj_history_run *run; /* NULL: no run yet */
    const struct dj_history_batch
        *new_batch; /* the batch that begins with this run; NULL: it exists already */
    const char *new_batch_id;
    int64_t batch, key, attempt;
    char id[DJ_HISTORY_ID];
    struct dj_blob *blobs;
    struct dj_span *spans; /* the whole run, then its windows */
    struct dj_window_figures *figures;
    size_t window_count; /* including the whole run */
};

static void finish(struct arrival *arrival)
{
    for (size_t i = 0; i < arrival->run->evidence_count; i++) {
        dj_blob_finish(&arrival->blobs[i]);
    }
    for (size_t i = 0; i < arrival->window_count; i++) {
        dj_window_figures_finish(&arrival->figures[i]);
    }
    free(arrival->blobs);
    free(arrival->spans);
    free(arrival->figures);
}

/* ---- before the transaction ---- */

static int check_run(const struct dj_history_run *run, struct dj_error *err)
{
    if (run->number < 1 || run->attempt < 0 || run->order_index < 0 ||
        (unsigned)run->outcome >= DJ_RUN_OUTCOMES) {
        return dj_error_set(err, DJ_E_USAGE,
                            "a run's number begins at 1, its attempt and order at 0, and "
                            "its outcome is one of the list");
    }
    if (run->release != NULL && dj_dialect_find(run->release) == NULL) {
        return dj_error_set(err, DJ_E_USAGE, "no release is called '%s'", run->release);
    }
    for (size_t i = 0; i < run->evidence_count; i++) {
        if (run->evidence[i].size > DJ_EVIDENCE_MOST) {
            return dj_error_set(err, DJ_E_LIMIT,
                                "a piece of evidence has %zu bytes: expected at most %d",
                                run->evidence[i].size, DJ_EVIDENCE_MOST);
        }
    }
    return 0;
}

static void pack_evidence(struct arrival *arrival)
{
    const struct dj_history_run *run = arrival->run;
    arrival->blobs = dj_xcalloc(run->evidence_count, sizeof(*arrival->blobs));
    for (size_t i = 0; i < run->evidence_count; i++) {
        dj_blob_pack(&arrival->blobs[i], run->evidence[i].bytes, run->evidence[i].size);
    }
}

/* Computes the windows one after the other, in the order in which a recomputation reads
 * them. */
static int compute(struct arrival *arrival, struct dj_error *err)
{
    const struct dj_history_run *run = arrival->run;
    struct dj_figure_rules rules = {
        .release = run->release != NULL ? dj_dialect_find(run->release) : NULL};
    struct dj_text text = {0};
    arrival->spans = dj_xcalloc(arrival->window_count, sizeof(*arrival->spans));
    arrival->figures = dj_xcalloc(arrival->window_count, sizeof(*arrival->figures));
    for (size_t i = 0; i < run->evidence_count; i++) {
        if (strcmp(run->evidence[i].kind, DJ_EVIDENCE_GFXINFO) == 0) {
            dj_text_append(&text, run->evidence[i].bytes, run->evidence[i].size);
        }
    }
    arrival->spans[0] = run->span;
    for (size_t i = 0; i < run->window_count; i++) {
        arrival->spans[i + 1] = run->windows[i].span;
    }
    int code =
        dj_xcode(dj_metrics_compute(dj_xtext(&text), text.length, &rules, arrival->spans,
                                    arrival->window_count, 0, arrival->figures, err));
    dj_text_finish(&text);
    return code;
}

/* ---- in the transaction ---- */

static int choose_attempt(struct dj_history *store, struct arrival *arrival,
                          struct dj_error *err)
{
    const struct dj_history_run *run = arrival->run;
    int64_t taken;
    int code = dj_sql_int(store, &taken, err, "SELECT count(*) FROM batches WHERE id = ?",
                          "i", arrival->batch);
    if (code == 0 && taken == 0) {
        return dj_error_set(err, DJ_E_USAGE, "%s: there is no batch %lld", store->path,
                            (long long)arrival->batch);
    }
    arrival->attempt = run->attempt;
    if (code == 0 && run->attempt == 0) {
        code = dj_sql_int(store, &arrival->attempt, err,
                          "SELECT coalesce(max(attempt), 0) + 1 FROM runs"
                          " WHERE batch_id = ? AND warmup = ? AND number = ?",
                          "iii", arrival->batch, (int64_t)run->warmup, run->number);
    }
    if (code != 0) {
        return code;
    }
    code = dj_sql_int(store, &taken, err,
                      "SELECT count(*) FROM runs WHERE batch_id = ? AND warmup = ?"
                      " AND number = ? AND attempt = ?",
                      "iiii", arrival->batch, (int64_t)run->warmup, run->number,
                      arrival->attempt);
    return code == 0 && taken != 0
               ? dj_error_set(
                     err, DJ_E_USAGE, "%s: attempt %lld of run %lld is there already",
                     store->path, (long long)arrival->attempt, (long long)run->number)
               : code;
}

static int put_run(struct dj_history *store, struct arrival *arrival,
                   struct dj_error *err)
{
    const struct dj_history_run *run = arrival->run;
    return dj_sql_int(
        store, &arrival->key, err,
        "INSERT INTO runs (uid, batch_id, number, attempt, warmup, order_index, outcome,"
        " reason, started_unix_ms, duration_ns, release, figures_version)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
        "tiiiiittkkti", arrival->id, arrival->batch, run->number, arrival->attempt,
        (int64_t)run->warmup, run->order_index, dj_run_outcome_name(run->outcome),
        run->reason, run->started_unix_ms, run->duration_ns, run->release,
        (int64_t)DJ_FIGURES_VERSION);
}

static int put_window(struct dj_history *store, const struct arrival *arrival,
                      size_t ordinal, struct dj_error *err)
{
    const struct dj_span *span = &arrival->spans[ordinal];
    const char *name = ordinal == 0 ? "" : arrival->run->windows[ordinal - 1].name;
    bool is_known = span->start_ns != 0 || span->end_ns != 0;
    int64_t key;
    int code =
        dj_sql_int(store, &key, err,
                   "INSERT INTO windows (run_id, ordinal, name, start_dev_ns, end_dev_ns)"
                   " VALUES (?, ?, ?, ?, ?) RETURNING id",
                   "iitpp", arrival->key, (int64_t)ordinal, name,
                   is_known ? &span->start_ns : NULL, is_known ? &span->end_ns : NULL);
    return code == 0 ? dj_store_put_figures(store, key, &arrival->figures[ordinal], err)
                     : code;
}

static int put_conditions(struct dj_history *store, const struct arrival *arrival,
                          const char *moment, const struct dj_condition *conditions,
                          size_t count, struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < count && code == 0; i++) {
        code = dj_sql_run(store, err,
                          "INSERT INTO conditions (run_id, moment, ordinal, name, value,"
                          " text, unit) VALUES (?, ?, ?, ?, ?, ?, ?)",
                          "ititdtt", arrival->key, moment, (int64_t)i, conditions[i].name,
                          conditions[i].value, conditions[i].text, conditions[i].unit);
    }
    return code;
}

static int put_evidence(struct dj_history *store, const struct arrival *arrival,
                        struct dj_error *err)
{
    const struct dj_history_run *run = arrival->run;
    int code = 0;
    for (size_t i = 0; i < run->evidence_count && code == 0; i++) {
        int64_t blob;
        code = dj_blob_put(store, &arrival->blobs[i], &blob, err);
        code = code == 0 ? dj_sql_run(store, err,
                                      "INSERT INTO evidence (run_id, ordinal, kind, name,"
                                      " blob_id) VALUES (?, ?, ?, ?, ?)",
                                      "iitti", arrival->key, (int64_t)i,
                                      run->evidence[i].kind, run->evidence[i].name, blob)
                         : code;
    }
    return code;
}

static int put_all(struct dj_history *store, void *data, struct dj_error *err)
{
    struct arrival *arrival = data;
    const struct dj_history_run *run = arrival->run;
    int code = arrival->new_batch != NULL
                   ? dj_batch_insert(store, arrival->new_batch, arrival->new_batch_id,
                                     &arrival->batch, err)
                   : 0;
    if (code != 0 || run == NULL || (code = choose_attempt(store, arrival, err)) != 0 ||
        (code = put_run(store, arrival, err)) != 0 ||
        (code = put_conditions(store, arrival, "before", run->before, run->before_count,
                               err)) != 0 ||
        (code = put_conditions(store, arrival, "after", run->after, run->after_count,
                               err)) != 0) {
        return code;
    }
    for (size_t i = 0; i < arrival->window_count && code == 0; i++) {
        code = put_window(store, arrival, i, err);
    }
    return code == 0 ? put_evidence(store, arrival, err) : code;
}

/* Looks the run, or else the batch, up by its id. It exists if only the answer to its
 * commit was lost. */
static int find_arrival(struct dj_history *store, void *data, bool *found,
                        struct dj_error *err)
{
    struct arrival *arrival = data;
    struct dj_statement *row;
    if (arrival->new_batch != NULL) {
        int result =
            dj_history_find_id(store, arrival->new_batch_id, &arrival->batch, err);
        *found = result == 0 && arrival->batch != 0;
        return result;
    }
    int code = dj_sql_prepare(store, &row, err,
                              "SELECT id, attempt, batch_id FROM runs WHERE uid = ?", "t",
                              arrival->id);
    while (dj_sql_next_row(row, &code, err)) {
        *found = true;
        arrival->key = dj_sql_int64(row, 0);
        arrival->attempt = dj_sql_int64(row, 1);
        arrival->batch = dj_sql_int64(row, 2);
    }
    return code;
}

static int commit(struct dj_history *store, struct arrival *arrival,
                  struct dj_history_committed *committed, struct dj_error *err)
{
    const struct dj_sql_work work = {put_all, find_arrival, arrival};
    arrival->window_count = arrival->run->window_count + 1;
    int code = check_run(arrival->run, err);
    code = code == 0 ? dj_history_new_id(arrival->id, err) : code;
    if (code != 0) {
        return code;
    }
    pack_evidence(arrival);
    code = compute(arrival, err);
    code = code == 0 ? dj_sql_write(store, &work, err) : code;
    if (code == 0 && committed != NULL) {
        *committed = (struct dj_history_committed){
            .key = arrival->key,
            .attempt = arrival->attempt,
            .metrics = arrival->figures[0].metrics,
        };
    }
    finish(arrival);
    return code;
}

int dj_history_commit(struct dj_history *store, int64_t batch,
                      const struct dj_history_run *run,
                      struct dj_history_committed *committed, struct dj_error *err)
{
    struct arrival arrival = {.run = run, .batch = batch};
    return commit(store, &arrival, committed, err);
}

int dj_history_begin(struct dj_history *store, const struct dj_history_batch *batch,
                     char id[DJ_HISTORY_ID], int64_t *key, struct dj_error *err)
{
    struct arrival arrival = {.new_batch = batch, .new_batch_id = id};
    const struct dj_sql_work work = {put_all, find_arrival, &arrival};
    int code = dj_batch_check(batch, err);
    code = code == 0 ? dj_history_new_id(id, err) : code;
    code = code == 0 ? dj_sql_write(store, &work, err) : code;
    *key = arrival.batch;
    return code;
}

int dj_history_begin_with_run(struct dj_history *store,
                              const struct dj_history_batch *batch,
                              const struct dj_history_run *run, char id[DJ_HISTORY_ID],
                              int64_t *key, struct dj_error *err)
{
    struct arrival arrival = {.run = run, .new_batch = batch, .new_batch_id = id};
    int code = dj_batch_check(batch, err);
    code = code == 0 ? dj_history_new_id(id, err) : code;
    code = code == 0 ? commit(store, &arrival, NULL, err) : code;
    *key = code == 0 ? arrival.batch : 0;
    return code;
}
