#include "history/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "history/schema.h"
#include "history/sql.h"

/* ---- what is asked ---- */

/* Only what is set stands in the statement, so that each has the index that fits it. */
static void narrow(struct dj_text *sql, const struct dj_timeline_filter *filter)
{
    if (filter->project != NULL) {
        dj_text_string(sql,
                       " AND b.project_id = (SELECT id FROM projects WHERE name = ?)");
    }
    if (filter->flow != NULL) {
        dj_text_string(sql, " AND b.name = ?");
    }
    if (filter->serial != NULL) {
        dj_text_string(sql,
                       " AND b.device_id IN (SELECT id FROM devices WHERE serial = ?)");
    }
    if (filter->since_unix_ms > 0) {
        dj_text_string(sql, " AND b.began_unix_ms >= ?");
    }
}

/* Prepares with as many texts as the filter has, and its time. */
static int prepare(struct dj_history *history, const struct dj_timeline_filter *filter,
                   const struct dj_text *sql, struct dj_statement **statement,
                   struct dj_error *err)
{
    const char *texts[3] = {NULL, NULL, NULL};
    const char *all[] = {filter->project, filter->flow, filter->serial};
    static const char *const kinds[2][4] = {{"", "t", "tt", "ttt"},
                                            {"i", "ti", "tti", "ttti"}};
    size_t count = 0;
    bool since = filter->since_unix_ms > 0;
    for (size_t i = 0; i < 3; i++) {
        if (all[i] != NULL) {
            texts[count++] = all[i];
        }
    }
    if (sql->failed) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    const char *text = dj_text_get(sql);
    const char *kind = kinds[since][count];
    int64_t from = filter->since_unix_ms;
    return count == 0 ? dj_sql_prepare(history, statement, err, text, kind, from)
           : count == 1
               ? dj_sql_prepare(history, statement, err, text, kind, texts[0], from)
           : count == 2 ? dj_sql_prepare(history, statement, err, text, kind, texts[0],
                                         texts[1], from)
                        : dj_sql_prepare(history, statement, err, text, kind, texts[0],
                                         texts[1], texts[2], from);
}

/* ---- batches ---- */

static const char batches[] =
    "SELECT b.id, b.device_id, b.began_unix_ms, b.uid, p.name, b.name, b.kind, v.version,"
    " v.commit_id, v.label, d.serial, d.model, d.release, d.identity, b.options,"
    " b.objectives FROM batches b JOIN projects p ON p.id = b.project_id"
    " JOIN builds v ON v.id = b.build_id JOIN devices d ON d.id = b.device_id"
    " WHERE b.excluded IS NULL";

static void read_batch(struct dj_statement *row, struct dj_timeline_batch *batch)
{
    *batch = (struct dj_timeline_batch){
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

int dj_history_each_timeline_batch(struct dj_history *history,
                                   const struct dj_timeline_filter *filter,
                                   int (*take)(void *user,
                                               const struct dj_timeline_batch *batch),
                                   void *user, struct dj_error *err)
{
    struct dj_statement *statement = NULL;
    struct dj_text sql = {0};
    dj_text_string(&sql, batches);
    narrow(&sql, filter);
    dj_text_string(&sql, " ORDER BY b.began_unix_ms, b.id");
    int code = prepare(history, filter, &sql, &statement, err);
    while (code == 0 && (code = dj_sql_step(statement, err)) == 1) {
        struct dj_timeline_batch batch;
        read_batch(statement, &batch);
        code = take(user, &batch);
    }
    dj_sql_finish(statement);
    dj_text_finish(&sql);
    return code;
}

/* ---- runs ---- */

/* From the batches on each step goes by a key: of no other table more is read than is
 * asked for. SQLite takes a CROSS JOIN's order as it stands; to others it is any join. */
void dj_timeline_runs_sql(struct dj_text *sql, const struct dj_timeline_filter *filter,
                          const enum dj_metric *metrics, size_t metric_count)
{
    dj_text_string(sql, "SELECT r.batch_id");
    for (size_t i = 0; i < metric_count; i++) {
        dj_text_format(sql, ", m.%s", dj_metric_name(metrics[i]));
    }
    dj_text_string(sql, " FROM batches b CROSS JOIN runs r CROSS JOIN windows w"
                        " CROSS JOIN metrics m WHERE r.batch_id = b.id"
                        " AND w.run_id = r.id AND w.ordinal = 0 AND m.window_id = w.id"
                        " AND b.excluded IS NULL AND r.warmup = 0"
                        " AND r.outcome = 'ok' AND r.excluded IS NULL");
    narrow(sql, filter);
}

int dj_history_each_timeline_run(struct dj_history *history,
                                 const struct dj_timeline_filter *filter,
                                 const enum dj_metric *metrics, size_t metric_count,
                                 int (*take)(void *user, int64_t batch,
                                             const double *values),
                                 void *user, struct dj_error *err)
{
    struct dj_statement *statement = NULL;
    struct dj_text sql = {0};
    double values[DJ_TIMELINE_METRICS];
    if (metric_count > DJ_TIMELINE_METRICS) {
        return dj_error_set(err, DJ_E_LIMIT, "more than %d figures of runs at once",
                            DJ_TIMELINE_METRICS);
    }
    dj_timeline_runs_sql(&sql, filter, metrics, metric_count);
    int code = prepare(history, filter, &sql, &statement, err);
    while (code == 0 && (code = dj_sql_step(statement, err)) == 1) {
        for (size_t i = 0; i < metric_count; i++) {
            values[i] = dj_sql_double(statement, 1 + (int)i);
        }
        code = take(user, dj_sql_int64(statement, 0), values);
    }
    dj_sql_finish(statement);
    dj_text_finish(&sql);
    return code;
}

/* ---- histograms ---- */

int dj_history_batch_histogram(struct dj_history *history, int64_t batch,
                               enum dj_histogram_kind kind,
                               struct dj_histogram *histogram, struct dj_error *err)
{
    struct dj_statement *statement = NULL;
    int64_t *windows = NULL;
    size_t count = 0;
    *histogram = (struct dj_histogram){0};
    int code = dj_sql_prepare(history, &statement, err,
                              "SELECT w.id FROM runs r JOIN windows w ON w.run_id = r.id"
                              " AND w.ordinal = 0 WHERE r.batch_id = ? AND r.warmup = 0"
                              " AND r.outcome = 'ok' AND r.excluded IS NULL"
                              " ORDER BY w.id",
                              "i", batch);
    while (code == 0 && (code = dj_sql_step(statement, err)) == 1) {
        int64_t *more = reallocarray(windows, count + 1, sizeof(*windows));
        code = more != NULL ? 0 : dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
        if (more != NULL) {
            windows = more;
            windows[count++] = dj_sql_int64(statement, 0);
        }
    }
    dj_sql_finish(statement);
    for (size_t i = 0; i < count && code == 0; i++) {
        struct dj_histogram one = {0};
        code = dj_history_histogram(history, windows[i], kind, &one, err);
        if (code == 0 && !dj_histogram_merge(histogram, &one)) {
            code = dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
        }
        dj_histogram_finish(&one);
    }
    free(windows);
    return code;
}
