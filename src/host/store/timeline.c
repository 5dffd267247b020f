#include "store/timeline.h"

#include "memory/memory.h"
#include "store/sql/engine.h"
#include "store/sql/schema.h"
#include "store/sql/statement.h"

static void append_conditions(struct dj_text *sql,
                              const struct dj_timeline_filter *filter)
{
    bool all = filter->keys == NULL;
    dj_sql_narrow(sql, all && filter->project != NULL,
                  "b.project_id = (SELECT id FROM projects WHERE name = ?)");
    dj_sql_narrow(sql, all && filter->flow != NULL, "b.name = ?");
    dj_sql_narrow(sql, all && filter->serial != NULL,
                  "b.device_id IN (SELECT id FROM devices WHERE serial = ?)");
    dj_sql_narrow(sql, all && filter->since_unix_ms > 0, "b.began_unix_ms >= ?");
}

/* The condition that a key is in a list of keys. */
static const char of_keys[] =
    " IN (SELECT value FROM json_each('[' || ? || ']') AS named)";

/* Prepares a statement and binds the parameters of the filter that the statement has. */
static int prepare_statement(struct dj_store *store,
                             const struct dj_timeline_filter *filter,
                             const struct dj_text *sql, struct dj_statement **statement,
                             struct dj_error *err)
{
    const char *text = dj_xtext(sql);
    return filter->keys != NULL
               ? dj_sql_prepare(store, statement, err, text, "t", filter->keys)
               : dj_sql_prepare(store, statement, err, text,
                                filter->since_unix_ms > 0 ? "sssi" : "sss",
                                filter->project, filter->flow, filter->serial,
                                filter->since_unix_ms);
}

static const char batches[] =
    "SELECT b.id, b.device_id, b.began_unix_ms, b.uid, p.name, b.name, b.kind, v.version,"
    " v.commit_id, v.label, d.serial, d.model, d.release, d.identity, b.options,"
    " b.objectives FROM batches b JOIN projects p ON p.id = b.project_id"
    " JOIN builds v ON v.id = b.build_id JOIN devices d ON d.id = b.device_id"
    " WHERE b.excluded IS NULL";

static struct dj_timeline_batch read_batch(struct dj_statement *row)
{
    return (struct dj_timeline_batch){
        .key = dj_sql_int64(row, 0),
        .device_key = dj_sql_int64(row, 1),
        .began_unix_ms = dj_sql_int64(row, 2),
        .id = dj_sql_word(row, 3),
        .project = dj_sql_word(row, 4),
        .flow = dj_sql_word(row, 5),
        .kind = dj_sql_word(row, 6),
        .version = dj_sql_text(row, 7),
        .commit = dj_sql_text(row, 8),
        .label = dj_sql_text(row, 9),
        .serial = dj_sql_word(row, 10),
        .model = dj_sql_text(row, 11),
        .release = dj_sql_text(row, 12),
        .device = dj_sql_word(row, 13),
        .options = dj_sql_text(row, 14),
        .objectives = dj_sql_text(row, 15),
    };
}

int dj_store_read_timeline_batches(struct dj_store *store,
                                   const struct dj_timeline_filter *filter,
                                   int (*callback)(void *user,
                                                   const struct dj_timeline_batch *batch),
                                   void *user, struct dj_error *err)
{
    struct dj_statement *row;
    struct dj_text sql = {0};
    dj_text_add(&sql, batches);
    if (filter->keys != NULL) {
        dj_text_add(&sql, " AND b.id");
        dj_text_add(&sql, of_keys);
    }
    append_conditions(&sql, filter);
    dj_text_add(&sql, filter->any_order ? "" : " ORDER BY b.began_unix_ms, b.id");
    int code = prepare_statement(store, filter, &sql, &row, err);
    dj_sql_stream(row);
    while (dj_sql_next_row(row, &code, err)) {
        const struct dj_timeline_batch batch = read_batch(row);
        code = callback(user, &batch);
    }
    dj_text_finish(&sql);
    return code;
}

size_t dj_store_batches_per_query(const struct dj_store *store)
{
    return store->engine->batches_per_query;
}

static void append_columns(const struct dj_store *store, struct dj_text *sql,
                           const enum dj_metric *metrics, size_t metric_count)
{
    dj_text_add(sql, "SELECT r.batch_id");
    for (size_t i = 0; i < metric_count; i++) {
        bool known = dj_schema_has_metric(store->version, metrics[i]);
        dj_text_format(sql, known ? ", m.%s" : ", NULL AS %s",
                       dj_metrics_name(metrics[i]));
    }
}

/* The joins begin with the batches and each step uses a key, so no more rows than
 * necessary are read. SQLite keeps the order of a CROSS JOIN. PostgreSQL treats a CROSS
 * JOIN like any other join. */
void dj_store_format_timeline_sql(const struct dj_store *store, struct dj_text *sql,
                                  const struct dj_timeline_filter *filter,
                                  const enum dj_metric *metrics, size_t metric_count)
{
    static const char counting[] =
        " AND w.run_id = r.id AND w.ordinal = 0 AND m.window_id = w.id"
        " AND r.warmup = 0 AND r.outcome = 'ok' AND r.excluded IS NULL";
    bool named = filter->keys != NULL;
    append_columns(store, sql, metrics, metric_count);
    dj_text_format(sql,
                   " FROM %sruns r CROSS JOIN windows w CROSS JOIN metrics m"
                   " WHERE r.batch_id%s%s",
                   named ? "" : "batches b CROSS JOIN ", named ? of_keys : " = b.id",
                   counting);
    dj_sql_narrow(sql, !named, "b.excluded IS NULL");
    append_conditions(sql, filter);
}

/* Reads the rows of a statement. `code` is the result of preparing the statement.
 * Finishes the statement in every case. */
static int read_runs(struct dj_statement *row, int code, size_t metric_count,
                     int (*callback)(void *user, int64_t batch, const double *values),
                     void *user, struct dj_error *err)
{
    double values[DJ_TIMELINE_METRICS_MAX];
    dj_sql_stream(row);
    while (dj_sql_next_row(row, &code, err)) {
        for (size_t i = 0; i < metric_count; i++) {
            values[i] = dj_sql_double(row, 1 + (int)i);
        }
        code = callback(user, dj_sql_int64(row, 0), values);
    }
    return code;
}

int dj_store_read_timeline_runs(struct dj_store *store,
                                const struct dj_timeline_filter *filter,
                                const enum dj_metric *metrics, size_t metric_count,
                                int (*callback)(void *user, int64_t batch,
                                                const double *values),
                                void *user, struct dj_error *err)
{
    struct dj_statement *row;
    struct dj_text sql = {0};
    dj_store_format_timeline_sql(store, &sql, filter, metrics, metric_count);
    int code = prepare_statement(store, filter, &sql, &row, err);
    code = read_runs(row, code, metric_count, callback, user, err);
    dj_text_finish(&sql);
    return code;
}

static const char commits_of_batches[] =
    "SELECT v.commit_id, b.began_unix_ms FROM batches b JOIN builds v"
    " ON v.id = b.build_id WHERE b.project_id = (SELECT id FROM projects WHERE name = ?1)"
    " AND b.began_unix_ms > ?2 AND b.began_unix_ms < ?3 AND b.excluded IS NULL"
    " AND v.commit_id IS NOT NULL";
static const char commits_of_points[] =
    " UNION ALL SELECT o.commit_id, o.at_unix_ms FROM series s JOIN points o"
    " ON o.series_id = s.id WHERE s.project_id = (SELECT id FROM projects WHERE name = "
    "?1)"
    " AND o.at_unix_ms > ?2 AND o.at_unix_ms < ?3 AND o.commit_id IS NOT NULL";

int dj_store_read_commits_between(struct dj_store *store, const char *project,
                                  int64_t after_unix_ms, int64_t before_unix_ms,
                                  int (*callback)(void *user, const char *commit),
                                  void *user, struct dj_error *err)
{
    struct dj_statement *row;
    struct dj_text sql = {0};
    dj_text_add(&sql, commits_of_batches);
    dj_text_add(&sql, store->version < DJ_SCHEMA_FIGURES ? "" : commits_of_points);
    dj_text_add(&sql, " ORDER BY 2 DESC, 1");
    int code = dj_sql_prepare(store, &row, err, dj_xtext(&sql), "tii", project,
                              after_unix_ms, before_unix_ms);
    while (dj_sql_next_row(row, &code, err)) {
        code = callback(user, dj_sql_word(row, 0));
    }
    dj_text_finish(&sql);
    return code;
}

/* The subquery chooses the batches by the index of their device, newest first. The outer
 * query then reads only the runs of these batches. A run without stored figures has NULL
 * values. */
static const char past_batches[] =
    " FROM (SELECT b.id, b.began_unix_ms FROM batches b"
    " WHERE b.project_id = (SELECT id FROM projects WHERE name = ?1) AND b.name = ?2"
    " AND b.device_id = ?3 AND b.began_unix_ms < ?4 AND b.excluded IS NULL"
    " AND (SELECT count(*) FROM runs c WHERE c.batch_id = b.id AND c.warmup = 0"
    " AND c.outcome = 'ok' AND c.excluded IS NULL) >= ?5"
    " ORDER BY b.began_unix_ms DESC, b.id DESC LIMIT ?6) past"
    " CROSS JOIN runs r LEFT JOIN windows w ON w.run_id = r.id AND w.ordinal = 0"
    " LEFT JOIN metrics m ON m.window_id = w.id"
    " WHERE r.batch_id = past.id AND r.warmup = 0 AND r.outcome = 'ok'"
    " AND r.excluded IS NULL"
    " ORDER BY past.began_unix_ms DESC, past.id DESC, r.order_index, r.id";

int dj_store_read_past_runs(struct dj_store *store, const struct dj_past_filter *filter,
                            const enum dj_metric *metrics, size_t metric_count,
                            int (*callback)(void *user, int64_t batch,
                                            const double *values),
                            void *user, struct dj_error *err)
{
    struct dj_statement *row;
    struct dj_text sql = {0};
    append_columns(store, &sql, metrics, metric_count);
    dj_text_add(&sql, past_batches);
    int code = dj_sql_prepare(store, &row, err, dj_xtext(&sql), "ttiiii", filter->project,
                              filter->flow, filter->device_key, filter->before_unix_ms,
                              filter->least_runs, filter->most);
    code = read_runs(row, code, metric_count, callback, user, err);
    dj_text_finish(&sql);
    return code;
}
