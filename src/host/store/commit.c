#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "store/batch.h"
#include "store/blob.h"
#include "store/browse.h"
#include "store/figures/figures.h"
#include "store/sql/schema.h"

/* A run or a new batch, or both, to be inserted in one transaction. Slow work is done
 * before the transaction. */
struct new_run {
    /* The run, or NULL if only a batch is inserted. */
    const struct dj_store_run *run;
    /* The batch that is inserted with the run, or NULL if the batch exists. */
    const struct dj_store_batch *new_batch;
    const char *new_batch_id;
    int64_t batch, key, attempt;
    char id[DJ_STORE_ID_BYTES];
    struct dj_blob *blobs;
    struct dj_span *spans; /* The whole run, followed by its windows. */
    struct dj_window_figures *figures;
    size_t window_count; /* Number of windows, including the whole run. */
};

static void finish_new_run(struct new_run *new_run)
{
    for (size_t i = 0; i < new_run->run->evidence_count; i++) {
        dj_blob_finish(&new_run->blobs[i]);
    }
    for (size_t i = 0; i < new_run->window_count; i++) {
        dj_metrics_window_figures_finish(&new_run->figures[i]);
    }
    free(new_run->blobs);
    free(new_run->spans);
    free(new_run->figures);
}

static int validate_run(const struct dj_store_run *run, struct dj_error *err)
{
    if (run->number < 1 || run->attempt < 0 || run->order_index < 0 ||
        (unsigned)run->outcome >= DJ_RUN_OUTCOMES) {
        return dj_error_set(err, DJ_E_USAGE,
                            "a run needs a number from 1, an attempt and order from 0, "
                            "and a known outcome");
    }
    if (run->release != NULL && dj_frame_dialect_find(run->release) == NULL) {
        return dj_error_set(err, DJ_E_USAGE,
                            "dejank does not know the Android release '%s'",
                            run->release);
    }
    for (size_t i = 0; i < run->evidence_count; i++) {
        if (run->evidence[i].size > DJ_EVIDENCE_BYTES_MAX) {
            return dj_error_set(err, DJ_E_LIMIT,
                                "a piece of evidence has %zu bytes; expected at most %d",
                                run->evidence[i].size, DJ_EVIDENCE_BYTES_MAX);
        }
    }
    return 0;
}

static void pack_evidence(struct new_run *new_run)
{
    const struct dj_store_run *run = new_run->run;
    new_run->blobs = dj_xcalloc(run->evidence_count, sizeof(*new_run->blobs));
    for (size_t i = 0; i < run->evidence_count; i++) {
        dj_blob_pack(&new_run->blobs[i], run->evidence[i].bytes, run->evidence[i].size);
    }
}

/* Computes the figures of the windows one after the other, in the same order as a
 * recomputation. */
static int compute_figures(struct new_run *new_run, struct dj_error *err)
{
    const struct dj_store_run *run = new_run->run;
    struct dj_figure_rules rules = {
        .release = run->release != NULL ? dj_frame_dialect_find(run->release) : NULL};
    struct dj_text text = {0};
    new_run->spans = dj_xcalloc(new_run->window_count, sizeof(*new_run->spans));
    new_run->figures = dj_xcalloc(new_run->window_count, sizeof(*new_run->figures));
    for (size_t i = 0; i < run->evidence_count; i++) {
        if (strcmp(run->evidence[i].kind, DJ_EVIDENCE_GFXINFO) == 0) {
            dj_text_append(&text, run->evidence[i].bytes, run->evidence[i].size);
        }
    }
    new_run->spans[0] = run->span;
    for (size_t i = 0; i < run->window_count; i++) {
        new_run->spans[i + 1] = run->windows[i].span;
    }
    int code =
        dj_xcode(dj_metrics_compute(dj_xtext(&text), text.length, &rules, new_run->spans,
                                    new_run->window_count, 0, new_run->figures, err));
    dj_text_finish(&text);
    return code;
}

static int choose_attempt(struct dj_store *store, struct new_run *new_run,
                          struct dj_error *err)
{
    const struct dj_store_run *run = new_run->run;
    int64_t taken;
    int code = dj_sql_int(store, &taken, err, "SELECT count(*) FROM batches WHERE id = ?",
                          "i", new_run->batch);
    if (code == 0 && taken == 0) {
        return dj_error_set(err, DJ_E_USAGE, "%s: there is no batch %lld", store->path,
                            (long long)new_run->batch);
    }
    new_run->attempt = run->attempt;
    if (code == 0 && run->attempt == 0) {
        code = dj_sql_int(store, &new_run->attempt, err,
                          "SELECT coalesce(max(attempt), 0) + 1 FROM runs"
                          " WHERE batch_id = ? AND warmup = ? AND number = ?",
                          "iii", new_run->batch, (int64_t)run->warmup, run->number);
    }
    if (code != 0) {
        return code;
    }
    code = dj_sql_int(store, &taken, err,
                      "SELECT count(*) FROM runs WHERE batch_id = ? AND warmup = ?"
                      " AND number = ? AND attempt = ?",
                      "iiii", new_run->batch, (int64_t)run->warmup, run->number,
                      new_run->attempt);
    return code == 0 && taken != 0
               ? dj_error_set(err, DJ_E_USAGE,
                              "%s: attempt %lld of run %lld exists already", store->path,
                              (long long)new_run->attempt, (long long)run->number)
               : code;
}

static int insert_run(struct dj_store *store, struct new_run *new_run,
                      struct dj_error *err)
{
    const struct dj_store_run *run = new_run->run;
    return dj_sql_int(
        store, &new_run->key, err,
        "INSERT INTO runs (uid, batch_id, number, attempt, warmup, order_index, outcome,"
        " reason, started_unix_ms, duration_ns, release, figures_version)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
        "tiiiiittkkti", new_run->id, new_run->batch, run->number, new_run->attempt,
        (int64_t)run->warmup, run->order_index, dj_facts_outcome_name(run->outcome),
        run->reason, run->started_unix_ms, run->duration_ns, run->release,
        (int64_t)DJ_FIGURES_VERSION);
}

static int insert_window(struct dj_store *store, const struct new_run *new_run,
                         size_t ordinal, struct dj_error *err)
{
    const struct dj_span *span = &new_run->spans[ordinal];
    const char *name = ordinal == 0 ? "" : new_run->run->windows[ordinal - 1].name;
    bool is_known = span->start_ns != 0 || span->end_ns != 0;
    int64_t key;
    int code =
        dj_sql_int(store, &key, err,
                   "INSERT INTO windows (run_id, ordinal, name, start_dev_ns, end_dev_ns)"
                   " VALUES (?, ?, ?, ?, ?) RETURNING id",
                   "iitpp", new_run->key, (int64_t)ordinal, name,
                   is_known ? &span->start_ns : NULL, is_known ? &span->end_ns : NULL);
    return code == 0 ? dj_figures_insert(store, key, &new_run->figures[ordinal], err)
                     : code;
}

static int insert_conditions(struct dj_store *store, const struct new_run *new_run,
                             const char *moment, const struct dj_condition *conditions,
                             size_t count, struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < count && code == 0; i++) {
        code = dj_sql_run(store, err,
                          "INSERT INTO conditions (run_id, moment, ordinal, name, value,"
                          " text, unit) VALUES (?, ?, ?, ?, ?, ?, ?)",
                          "ititdtt", new_run->key, moment, (int64_t)i, conditions[i].name,
                          conditions[i].value, conditions[i].text, conditions[i].unit);
    }
    return code;
}

static int insert_evidence(struct dj_store *store, const struct new_run *new_run,
                           struct dj_error *err)
{
    const struct dj_store_run *run = new_run->run;
    int code = 0;
    for (size_t i = 0; i < run->evidence_count && code == 0; i++) {
        int64_t blob;
        code = dj_blob_insert(store, &new_run->blobs[i], &blob, err);
        code = code == 0 ? dj_sql_run(store, err,
                                      "INSERT INTO evidence (run_id, ordinal, kind, name,"
                                      " blob_id) VALUES (?, ?, ?, ?, ?)",
                                      "iitti", new_run->key, (int64_t)i,
                                      run->evidence[i].kind, run->evidence[i].name, blob)
                         : code;
    }
    return code;
}

static int insert_all(struct dj_store *store, void *data, struct dj_error *err)
{
    struct new_run *new_run = data;
    const struct dj_store_run *run = new_run->run;
    int code = new_run->new_batch != NULL
                   ? dj_batch_insert(store, new_run->new_batch, new_run->new_batch_id,
                                     &new_run->batch, err)
                   : 0;
    if (code != 0 || run == NULL || (code = choose_attempt(store, new_run, err)) != 0 ||
        (code = insert_run(store, new_run, err)) != 0 ||
        (code = insert_conditions(store, new_run, "before", run->before,
                                  run->before_count, err)) != 0 ||
        (code = insert_conditions(store, new_run, "after", run->after, run->after_count,
                                  err)) != 0) {
        return code;
    }
    for (size_t i = 0; i < new_run->window_count && code == 0; i++) {
        code = insert_window(store, new_run, i, err);
    }
    return code == 0 ? insert_evidence(store, new_run, err) : code;
}

/* Finds out whether a transaction with unknown result was committed: whether the run is
 * in the store, or the batch if there is no run. The result is unknown if the connection
 * was lost before the answer to the commit arrived. */
static int find_new_run(struct dj_store *store, void *data, bool *found,
                        struct dj_error *err)
{
    struct new_run *new_run = data;
    struct dj_statement *row;
    if (new_run->new_batch != NULL) {
        int result =
            dj_store_find_batch_id(store, new_run->new_batch_id, &new_run->batch, err);
        *found = result == 0 && new_run->batch != 0;
        return result;
    }
    int code = dj_sql_prepare(store, &row, err,
                              "SELECT id, attempt, batch_id FROM runs WHERE uid = ?", "t",
                              new_run->id);
    while (dj_sql_next_row(row, &code, err)) {
        *found = true;
        new_run->key = dj_sql_int64(row, 0);
        new_run->attempt = dj_sql_int64(row, 1);
        new_run->batch = dj_sql_int64(row, 2);
    }
    return code;
}

static int commit(struct dj_store *store, struct new_run *new_run,
                  struct dj_store_commit_result *committed, struct dj_error *err)
{
    const struct dj_sql_work work = {insert_all, find_new_run, new_run};
    new_run->window_count = new_run->run->window_count + 1;
    int code = validate_run(new_run->run, err);
    code = code == 0 ? dj_store_create_id(new_run->id, err) : code;
    if (code != 0) {
        return code;
    }
    pack_evidence(new_run);
    code = compute_figures(new_run, err);
    code = code == 0 ? dj_sql_write(store, &work, err) : code;
    if (code == 0 && committed != NULL) {
        *committed = (struct dj_store_commit_result){
            .key = new_run->key,
            .attempt = new_run->attempt,
            .metrics = new_run->figures[0].metrics,
        };
    }
    finish_new_run(new_run);
    return code;
}

int dj_store_commit_run(struct dj_store *store, int64_t batch,
                        const struct dj_store_run *run,
                        struct dj_store_commit_result *committed, struct dj_error *err)
{
    struct new_run new_run = {.run = run, .batch = batch};
    return commit(store, &new_run, committed, err);
}

int dj_store_begin_batch(struct dj_store *store, const struct dj_store_batch *batch,
                         char id[DJ_STORE_ID_BYTES], int64_t *key, struct dj_error *err)
{
    struct new_run new_run = {.new_batch = batch, .new_batch_id = id};
    const struct dj_sql_work work = {insert_all, find_new_run, &new_run};
    int code = dj_batch_check(batch, err);
    code = code == 0 ? dj_store_create_id(id, err) : code;
    code = code == 0 ? dj_sql_write(store, &work, err) : code;
    *key = new_run.batch;
    return code;
}

int dj_store_begin_batch_with_run(struct dj_store *store,
                                  const struct dj_store_batch *batch,
                                  const struct dj_store_run *run,
                                  char id[DJ_STORE_ID_BYTES], int64_t *key,
                                  struct dj_error *err)
{
    struct new_run new_run = {.run = run, .new_batch = batch, .new_batch_id = id};
    int code = dj_batch_check(batch, err);
    code = code == 0 ? dj_store_create_id(id, err) : code;
    code = code == 0 ? commit(store, &new_run, NULL, err) : code;
    *key = code == 0 ? new_run.batch : 0;
    return code;
}
