#include "store/browse.h"

#include <string.h>

#include "memory/memory.h"
#include "store/blob.h"
#include "store/sql/schema.h"
#include "store/sql/statement.h"

void dj_store_explain(struct dj_store *store, struct dj_text *plans)
{
    store->plans = plans;
}

/* If a batch is excluded, all its runs are counted as excluded. */
#define COUNTED                                                                          \
    "(SELECT count(*) FROM runs r WHERE r.batch_id = b.id AND r.warmup = 0 AND "
static const char batches[] =
    "SELECT b.id, b.uid, b.name, b.kind, b.fingerprint, p.name, v.version, v.commit_id,"
    " v.label, d.serial, d.kind, d.model, d.release, d.id, b.options, b.objectives,"
    " b.run_order, b.group_uid, b.arm, b.repeats, b.excluded, b.dejank, b.began_unix_ms,"
    " b.planned,"
    " " COUNTED "r.outcome = 'ok' AND r.excluded IS NULL AND b.excluded IS NULL),"
    " " COUNTED "r.outcome <> 'ok' AND r.excluded IS NULL AND b.excluded IS NULL),"
    " " COUNTED "(r.excluded IS NOT NULL OR b.excluded IS NOT NULL)),"
    " (SELECT count(*) FROM runs r WHERE r.batch_id = b.id AND r.warmup = 1),"
    " " COUNTED "r.outcome = 'ok' AND r.excluded IS NULL AND b.excluded IS NULL"
    " AND r.reason IS NOT NULL)"
    " FROM batches b JOIN projects p ON p.id = b.project_id"
    " JOIN builds v ON v.id = b.build_id JOIN devices d ON d.id = b.device_id"
    " WHERE 1 = 1";

static void append_conditions(struct dj_text *sql, const struct dj_batch_filter *filter)
{
    dj_sql_narrow(sql, filter->key != 0, "b.id = ?1");
    dj_sql_narrow(sql, filter->project != NULL,
                  "b.project_id = (SELECT id FROM projects WHERE name = ?2)");
    dj_sql_narrow(sql, filter->name != NULL, "b.name = ?3");
    dj_sql_narrow(sql, filter->serial != NULL,
                  "b.device_id IN (SELECT id FROM devices WHERE serial = ?4)");
    dj_sql_narrow(sql, filter->group != NULL, "b.group_uid = ?5");
}

static struct dj_batch_row read_batch(struct dj_statement *row)
{
    return (struct dj_batch_row){
        .key = dj_sql_int64(row, 0),
        .id = dj_sql_word(row, 1),
        .name = dj_sql_word(row, 2),
        .kind = dj_sql_word(row, 3),
        .fingerprint = dj_sql_text(row, 4),
        .project = dj_sql_word(row, 5),
        .version = dj_sql_text(row, 6),
        .commit = dj_sql_text(row, 7),
        .label = dj_sql_text(row, 8),
        .serial = dj_sql_word(row, 9),
        .device_kind = dj_sql_word(row, 10),
        .model = dj_sql_text(row, 11),
        .release = dj_sql_text(row, 12),
        .device_key = dj_sql_int64(row, 13),
        .options = dj_sql_text(row, 14),
        .objectives = dj_sql_text(row, 15),
        .order = dj_sql_text(row, 16),
        .group = dj_sql_text(row, 17),
        .arm = dj_sql_text(row, 18),
        .repeats = dj_sql_text(row, 19),
        .excluded = dj_sql_text(row, 20),
        .dejank = dj_sql_word(row, 21),
        .began_unix_ms = dj_sql_int64(row, 22),
        .runs = {.planned = dj_sql_int64(row, 23),
                 .clean = dj_sql_int64(row, 24),
                 .failed = dj_sql_int64(row, 25),
                 .excluded = dj_sql_int64(row, 26),
                 .warmups = dj_sql_int64(row, 27),
                 .disturbed = dj_sql_int64(row, 28)},
    };
}

int dj_store_read_batches(struct dj_store *store, const struct dj_batch_filter *filter,
                          int (*callback)(void *user, const struct dj_batch_row *batch),
                          void *user, struct dj_error *err)
{
    struct dj_statement *row;
    struct dj_text sql = {0};
    dj_text_add(&sql, batches);
    append_conditions(&sql, filter);
    dj_text_add(&sql, " ORDER BY b.began_unix_ms DESC, b.id DESC LIMIT ?6 OFFSET ?7");
    int code =
        dj_sql_prepare(store, &row, err, dj_xtext(&sql), "kttttii", filter->key,
                       filter->project, filter->name, filter->serial, filter->group,
                       filter->most > 0 ? filter->most : INT64_MAX, filter->skip);
    while (dj_sql_next_row(row, &code, err)) {
        const struct dj_batch_row batch = read_batch(row);
        code = callback(user, &batch);
    }
    dj_text_finish(&sql);
    return code;
}

int dj_store_read_facts(struct dj_store *store, int64_t device_key,
                        int (*callback)(void *user, const struct dj_fact *fact),
                        void *user, struct dj_error *err)
{
    struct dj_statement *row;
    int code = dj_sql_prepare(store, &row, err,
                              "SELECT name, value, unit FROM device_facts"
                              " WHERE device_id = ? ORDER BY name",
                              "i", device_key);
    while (dj_sql_next_row(row, &code, err)) {
        const struct dj_fact fact = {dj_sql_word(row, 0), dj_sql_text(row, 1),
                                     dj_sql_text(row, 2)};
        code = callback(user, &fact);
    }
    return code;
}

bool dj_store_run_counts(const struct dj_run_row *run)
{
    return run->outcome == DJ_RUN_OK && !run->warmup && run->excluded == NULL;
}

enum { RUN_METRICS = 13 };

static int read_run(const struct dj_store *store, struct dj_statement *row,
                    struct dj_run_row *run, struct dj_error *err)
{
    *run = (struct dj_run_row){
        .key = dj_sql_int64(row, 0),
        .batch = dj_sql_int64(row, 1),
        .number = dj_sql_int64(row, 2),
        .attempt = dj_sql_int64(row, 3),
        .order_index = dj_sql_int64(row, 4),
        .warmup = dj_sql_int64(row, 5) != 0,
        .reason = dj_sql_text(row, 7),
        .excluded = dj_sql_text(row, 8),
        .started_unix_ms = dj_sql_int64(row, 9),
        .duration_ns = dj_sql_int64(row, 10),
        .release = dj_sql_text(row, 12),
        .span = {dj_sql_int64(row, RUN_METRICS), dj_sql_int64(row, RUN_METRICS + 1)},
    };
    dj_sql_metrics(row, RUN_METRICS + 2, &run->metrics);
    return dj_facts_outcome_find(dj_sql_word(row, 6), &run->outcome)
               ? 0
               : dj_error_set(err, DJ_E_VERSION,
                              "%s: a newer dejank wrote the outcome '%s'", store->path,
                              dj_sql_word(row, 6));
}

int dj_store_read_runs(struct dj_store *store, int64_t batch,
                       int (*callback)(void *user, const struct dj_run_row *run),
                       void *user, struct dj_error *err)
{
    struct dj_statement *row;
    struct dj_text sql = {0};
    dj_text_format(
        &sql,
        "SELECT r.id, r.batch_id, r.number, r.attempt, r.order_index, r.warmup, "
        "r.outcome,"
        " r.reason, coalesce(r.excluded, b.excluded), r.started_unix_ms, r.duration_ns,"
        " w.id, r.release, w.start_dev_ns, w.end_dev_ns, %s"
        " FROM runs r JOIN batches b ON b.id = r.batch_id"
        " LEFT JOIN windows w ON w.run_id = r.id AND w.ordinal = 0"
        " LEFT JOIN metrics m ON m.window_id = w.id"
        " WHERE r.batch_id = ? ORDER BY r.order_index, r.id",
        dj_schema_metric_columns(store->version));
    int code = dj_sql_prepare(store, &row, err, dj_xtext(&sql), "i", batch);
    dj_text_finish(&sql);
    while (dj_sql_next_row(row, &code, err)) {
        struct dj_run_row run;
        code = read_run(store, row, &run, err);
        code = code == 0 ? callback(user, &run) : code;
    }
    return code;
}

int dj_store_read_windows(struct dj_store *store, int64_t run,
                          int (*callback)(void *user, const struct dj_window_row *window),
                          void *user, struct dj_error *err)
{
    struct dj_statement *row;
    struct dj_text sql = {0};
    dj_text_format(&sql,
                   "SELECT w.id, w.run_id, w.ordinal, w.name, w.start_dev_ns,"
                   " w.end_dev_ns, %s"
                   " FROM windows w LEFT JOIN metrics m ON m.window_id = w.id"
                   " WHERE w.run_id = ? ORDER BY w.ordinal",
                   dj_schema_metric_columns(store->version));
    int code = dj_sql_prepare(store, &row, err, dj_xtext(&sql), "i", run);
    dj_text_finish(&sql);
    while (dj_sql_next_row(row, &code, err)) {
        struct dj_window_row window = {
            .key = dj_sql_int64(row, 0),
            .run = dj_sql_int64(row, 1),
            .ordinal = dj_sql_int64(row, 2),
            .name = dj_sql_word(row, 3),
            .span = {dj_sql_int64(row, 4), dj_sql_int64(row, 5)},
        };
        dj_sql_metrics(row, 6, &window.metrics);
        code = callback(user, &window);
    }
    return code;
}

int dj_store_read_conditions(struct dj_store *store, int64_t run,
                             int (*callback)(void *user,
                                             const struct dj_condition_row *row),
                             void *user, struct dj_error *err)
{
    struct dj_statement *row;
    int code = dj_sql_prepare(store, &row, err,
                              "SELECT moment, name, value, text, unit FROM conditions"
                              " WHERE run_id = ? ORDER BY moment DESC, ordinal",
                              "i", run);
    while (dj_sql_next_row(row, &code, err)) {
        struct dj_condition_row condition = {
            .after = strcmp(dj_sql_word(row, 0), "after") == 0,
            .condition = {.name = dj_sql_word(row, 1),
                          .value = dj_sql_double(row, 2),
                          .text = dj_sql_text(row, 3),
                          .unit = dj_sql_text(row, 4)},
        };
        code = callback(user, &condition);
    }
    return code;
}

int dj_store_read_evidence_rows(struct dj_store *store, int64_t run,
                                int (*callback)(void *user,
                                                const struct dj_evidence_row *row),
                                void *user, struct dj_error *err)
{
    struct dj_statement *row;
    int code = dj_sql_prepare(
        store, &row, err,
        "SELECT e.ordinal, e.kind, e.name, x.sha256, x.size, length(x.data)"
        " FROM evidence e JOIN blobs x ON x.id = e.blob_id"
        " WHERE e.run_id = ? ORDER BY e.ordinal",
        "i", run);
    while (dj_sql_next_row(row, &code, err)) {
        struct dj_evidence_row evidence = {
            .ordinal = dj_sql_int64(row, 0),
            .kind = dj_sql_word(row, 1),
            .name = dj_sql_text(row, 2),
            .sha256 = dj_sql_word(row, 3),
            .size = dj_sql_int64(row, 4),
            .stored = dj_sql_int64(row, 5),
        };
        code = callback(user, &evidence);
    }
    return code;
}

int dj_store_read_evidence(struct dj_store *store, int64_t run, int64_t ordinal,
                           struct dj_text *bytes, struct dj_error *err)
{
    int64_t blob;
    int code = dj_sql_int(store, &blob, err,
                          "SELECT blob_id FROM evidence WHERE run_id = ? AND ordinal = ?",
                          "ii", run, ordinal);
    if (code == 0 && blob == 0) {
        return dj_error_set(err, DJ_E_NO_DATA, "%s: the run has no evidence %lld",
                            store->path, (long long)ordinal);
    }
    return code == 0 ? dj_blob_read(store, blob, bytes, err) : code;
}
