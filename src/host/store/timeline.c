#include "store/timeline.h"

#include "memory/memory.h"
#include "store/engine.h"
#include "store/schema.h"
#include "store/sql.h"

/* ---- filters ---- */

static void narrow(struct dj_text *sql, const struct dj_timeline_filter *filter)
{
    bool all = filter->keys == NULL;
    dj_sql_narrow(sql, all && filter->project != NULL,
                  "b.project_id = (SELECT id FROM projects WHERE name = ?)");
    dj_sql_narrow(sql, all && filter->flow != NULL, "b.name = ?");
    dj_sql_narrow(sql, all && filter->serial != NULL,
                  "b.device_id IN (SELECT id FROM devices WHERE serial = ?)");
    dj_sql_narrow(sql, all && filter->since_unix_ms > 0, "b.began_unix_ms >= ?");
}

/* Matches the batches with the given keys. */
static const char of_keys[] =
    " IN (SELECT value FROM json_each('[' || ? || ']') AS named)";

/* Prepares the statement with the parameters that the filter has. */
static int prepare(struct dj_history *store, const struct dj_timeline_filter *filter,
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

/* ---- batches ---- */

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

int dj_history_each_timeline_batch(struct dj_history *store,
                                   const struct dj_timeline_filter *filter,
                                   int (*take)(void *user,
                                               const struct dj_timeline_batch *batch),
                                   void *user, struct dj_error *err)
{
    struct dj_statement *row;
    struct dj_text sql = {0};
    dj_text_string(&sql, batches);
    if (filter->keys != NULL) {
        dj_text_string(&sql, " AND b.id");
        dj_text_string(&sql, of_keys);
    }
    narrow(&sql, filter);
    dj_text_string(&sql, filter->any_order ? "" : " ORDER BY b.began_unix_ms, b.id");
    int code = prepare(store, filter, &sql, &row, err);
    dj_sql_stream(row);
    while (dj_sql_next_row(row, &code, err)) {
        const struct dj_timeline_batch batch = read_batch(row);
        code = take(user, &batch);
    }
    dj_text_finish(&sql);
    return code;
}

size_t dj_history_at_once(const struct dj_history *store)
{
    return store->engine->at_once;
}

/* ---- runs ---- */

static void put_columns(struct dj_text *sql, const enum dj_metric *metrics,
                        size_t metric_count)
{
    dj_text_string(sql, "SELECT r.batch_id");
    for (size_t i = 0; i < metric_count; i++) {
        dj_text_format(sql, ", m.%s", dj_metric_name(metrics[i]));
    }
}

/* Starting at the batches, each step uses a key, so each table is read only as far as
 * needed. SQLite keeps the order of a CROSS JOIN. PostgreSQL treats it as any join. */
void dj_timeline_runs_sql(struct dj_text *sql, const struct dj_timeline_filter *filter,
                          const enum dj_metric *metrics, size_t metric_count)
{
    static const char counting[] =
        " AND w.run_id = r.id AND w.ordinal = 0 AND m.window_id = w.id"
        " AND r.warmup = 0 AND r.outcome = 'ok' AND r.excluded IS NULL";
    bool named = filter->keys != NULL;
    put_columns(sql, metrics, metric_count);
    dj_text_format(sql,
                   " FROM %sruns r CROSS JOIN windows w CROSS JOIN metrics m"
                   " WHERE r.batch_id%s%s",
                   named ? "" : "batches b CROSS JOIN ", named ? of_keys : " = b.id",
                   counting);
    dj_sql_narrow(sql, !named, "b.excluded IS NULL");
    narrow(sql, filter);
}

/* `code` is the result of preparing the statement. The statement is finished in every
 * case. */
static int each_run(struct dj_statement *row, int code, size_t metric_count,
                    int (*take)(void *user, int64_t batch, const double *values),
                    void *user, struct dj_error *err)
{
    double values[DJ_TIMELINE_METRICS];
    dj_sql_stream(row);
    while (dj_sql_next_row(row, &code, err)) {
        for (size_t i = 0; i < metric_count; i++) {
            values[i] = dj_sql_double(row, 1 + (int)i);
        }
        code = take(user, dj_sql_int64(row, 0), values);
    }
    return code;
}

int dj_history_each_timeline_run(struct dj_history *store,
                                 const struct dj_timeline_filter *filter,
                                 const enum dj_metric *metrics, size_t metric_count,
                                 int (*take)(void *user, int64_t batch,
                                             const double *values),
                                 void *user, struct dj_error *err)
{
    struct dj_statement *row;
    struct dj_text sql = {0};
    dj_timeline_runs_sql(&sql, filter, metrics, metric_count);
    int code = prepare(store, filter, &sql, &row, err);
    code = each_run(row, code, metric_count, take, user, err);
    dj_text_finish(&sql);
    return code;
}

/* ---- commits ---- */

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

int dj_history_each_commit_between(struct dj_history *store, const char *project,
                                   int64_t after_unix_ms, int64_t before_unix_ms,
                                   int (*take)(void *user, const char *commit),
                                   void *user, struct dj_error *err)
{
    struct dj_statement *row;
    struct dj_text sql = {0};
    dj_text_string(&sql, commits_of_batches);
    dj_text_string(&sql, store->version < DJ_SCHEMA_FIGURES ? "" : commits_of_points);
    dj_text_string(&sql, " ORDER BY 2 DESC, 1");
    int code = dj_sql_prepare(store, &row, err, dj_xtext(&sql), "tii", project,
                              after_unix_ms, before_unix_ms);
    while (dj_sql_next_row(row, &code, err)) {
        code = take(user, dj_sql_word(row, 0));
    }
    dj_text_finish(&sql);
    return code;
}

/* ---- earlier batches ---- */

/* The query first chooses the batches by the index of their device, newest first and no
 * further than needed. It then reads only their runs. A run without stored figures gives
 * NULL values. */
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

int dj_history_each_past_run(struct dj_history *store,
                             const struct dj_past_filter *filter,
                             const enum dj_metric *metrics, size_t metric_count,
                             int (*take)(void *user, int64_t batch, const double *values),
                             void *user, struct dj_error *err)
{
    struct dj_statement *row;
    struct dj_text sql = {0};
    put_columns(&sql, metrics, metric_count);
    dj_text_string(&sql, past_batches);
    int code = dj_sql_prepare(store, &row, err, dj_xtext(&sql), "ttiiii", filter->project,
                              filter->flow, filter->device_key, filter->before_unix_ms,
                              filter->least_runs, filter->most);
    code = each_run(row, code, metric_count, take, user, err);
    dj_text_finish(&sql);
    return code;
}
