/* Writes and reads the figures of other tools in a store. */
#include <math.h>
#include <string.h>

#include "store/batch.h"
#include "store/sha256.h"
#include "store/sql/schema.h"
#include "store/sql/statement.h"
#include "store/timeline.h"

struct new_series {
    const char *project, *source;
    const struct dj_series_file *file;
    struct dj_store_series_counts *stored;
};

/* Computes a hash of everything that identifies a series. The unit is not included:
 * figures of the same series in another unit are an error. */
static void compute_identity(const char *project, const struct dj_series *series,
                             char identity[DJ_SHA256_HEX_BYTES])
{
    const char *const texts[] = {project,        series->metric,  series->flow,
                                 series->device, series->release, series->config};
    dj_store_sha256_of_texts(texts, COUNT_OF(texts), identity);
}

static int report_contradiction(const struct dj_series *series, struct dj_error *err,
                                const char *why)
{
    struct dj_text metric = {0};
    dj_text_append_escaped_name(&metric, series->metric);
    int code = dj_error_set(err, DJ_E_INVALID, "series '%.60s' of the store %s",
                            dj_text_get(&metric), why);
    dj_text_finish(&metric);
    return code;
}

/* Checks that new points fit the series in the store: both have the same unit, and both
 * have times or neither has. */
static int check_series(struct dj_store *store, int64_t key,
                        const struct dj_series *series, struct dj_error *err)
{
    bool same_unit = false;
    int64_t untimed = 0;
    int64_t points = 0;
    struct dj_statement *row;
    bool timed = series->points[0].at_unix_ms != DJ_SERIES_NO_TIME;
    int code = dj_sql_prepare(store, &row, err,
                              "SELECT coalesce(s.unit, ''),"
                              " (SELECT count(*) FROM points WHERE series_id = s.id),"
                              " (SELECT count(*) FROM points WHERE series_id = s.id"
                              " AND at_unix_ms IS NULL) FROM series s WHERE s.id = ?",
                              "i", key);
    while (dj_sql_next_row(row, &code, err)) {
        same_unit =
            strcmp(dj_sql_word(row, 0), series->unit != NULL ? series->unit : "") == 0;
        points = dj_sql_int64(row, 1);
        untimed = dj_sql_int64(row, 2);
    }
    if (code != 0) {
        return code;
    }
    if (!same_unit) {
        return report_contradiction(series, err, "has another unit than the file");
    }
    if (points > 0 && timed != (untimed == 0)) {
        return report_contradiction(
            series, err,
            timed ? "has no times, but the file has"
                  : "has times, but the file has none, so the order is unknown");
    }
    return 0;
}

static int insert_series(struct dj_store *store, const struct new_series *new_series,
                         int64_t project, const struct dj_series *series, int64_t *key,
                         struct dj_error *err)
{
    char identity[DJ_SHA256_HEX_BYTES];
    const char *sense = dj_store_series_sense_name(series->sense);
    compute_identity(new_series->project, series, identity);
    int code = dj_sql_int(store, key, err, "SELECT id FROM series WHERE identity = ?",
                          "t", identity);
    if (code != 0 || *key != 0) {
        code = code == 0 ? check_series(store, *key, series, err) : code;
        return code == 0 && series->sense != DJ_SERIES_UNKNOWN
                   ? dj_sql_run(store, err, "UPDATE series SET sense = ? WHERE id = ?",
                                "ti", sense, *key)
                   : code;
    }
    new_series->stored->series++;
    return dj_sql_int(store, key, err,
                      "INSERT INTO series (identity, project_id, metric, unit, sense,"
                      " flow, device, release, config)"
                      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
                      "tittttttt", identity, project, series->metric, series->unit, sense,
                      series->flow, series->device, series->release, series->config);
}

/* Checks a point without a time. Returns an error if the store has another value at the
 * same position, because the two files are then different histories. */
static int check_position(struct dj_store *store, int64_t key,
                          const struct dj_series *series,
                          const struct dj_series_point *point, struct dj_error *err)
{
    int64_t other = 0;
    int code = dj_sql_int(store, &other, err,
                          "SELECT count(*) FROM points WHERE series_id = ?"
                          " AND ordinal = ? AND (value <> ?"
                          " OR coalesce(version, '') <> coalesce(?, '')"
                          " OR coalesce(commit_id, '') <> coalesce(?, ''))",
                          "iidtt", key, point->ordinal, point->value, point->version,
                          point->commit);
    return code == 0 && other > 0
               ? report_contradiction(
                     series, err,
                     "has other values at the same positions, and without times the "
                     "order is unknown. hint: use another --package or --metric")
               : code;
}

static int insert_point(struct dj_store *store, const struct new_series *new_series,
                        int64_t key, const struct dj_series_point *point,
                        struct dj_error *err)
{
    const int64_t *at =
        point->at_unix_ms != DJ_SERIES_NO_TIME ? &point->at_unix_ms : NULL;
    int64_t changed;
    int code = dj_sql_change(
        store, &changed, err,
        "INSERT INTO points (series_id, ordinal, version, commit_id, value, source,"
        " at_unix_ms) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        "iittdtp", key, point->ordinal, point->version, point->commit, point->value,
        new_series->source, at);
    new_series->stored->points += changed;
    new_series->stored->known_points += code == 0 && changed == 0;
    return code;
}

static int insert_series_points(struct dj_store *store,
                                const struct new_series *new_series, int64_t project,
                                const struct dj_series *series, struct dj_error *err)
{
    int64_t key = 0;
    if (series->point_count == 0) {
        return 0;
    }
    bool timed = series->points[0].at_unix_ms != DJ_SERIES_NO_TIME;
    int64_t had = new_series->stored->series;
    int code = insert_series(store, new_series, project, series, &key, err);
    bool new = new_series->stored->series > had;
    for (size_t i = 0; i < series->point_count && code == 0; i++) {
        code = !timed && !new
                   ? check_position(store, key, series, &series->points[i], err)
                   : 0;
        code = code == 0 ? insert_point(store, new_series, key, &series->points[i], err)
                         : code;
    }
    return code;
}

static int write_all(struct dj_store *store, void *data, struct dj_error *err)
{
    const struct new_series *new_series = data;
    int64_t project = 0;
    const struct dj_store_series_counts first_try = *new_series->stored;
    *new_series->stored = (struct dj_store_series_counts){0};
    int code = dj_batch_find_or_insert_project(store, new_series->project, &project, err);
    for (size_t i = 0; i < new_series->file->count && code == 0; i++) {
        code = insert_series_points(store, new_series, project,
                                    &new_series->file->series[i], err);
    }
    /* The transaction was repeated, because the answer to its successful commit was lost.
     * Only the first attempt counted the new points, so its counts are the result. */
    if (first_try.points > 0 && new_series->stored->points == 0) {
        *new_series->stored = first_try;
    }
    return code;
}

int dj_store_insert_series(struct dj_store *store, const char *project,
                           const struct dj_series_file *file, const char *source,
                           struct dj_store_series_counts *stored, struct dj_error *err)
{
    struct new_series new_series = {project, source, file, stored};
    const struct dj_sql_work work = {write_all, NULL, &new_series};
    *stored = (struct dj_store_series_counts){0};
    if (project == NULL || project[0] == '\0') {
        return dj_error_set(err, DJ_E_USAGE, "a history needs the name of a project");
    }
    int code = dj_sql_write(store, &work, err);
    if (code != 0) {
        *stored = (struct dj_store_series_counts){0};
    }
    dj_sql_count_written(store, stored->points);
    return code;
}

static struct dj_stored_series read_series(struct dj_statement *row)
{
    return (struct dj_stored_series){
        .key = dj_sql_int64(row, 0),
        .identity = dj_sql_word(row, 1),
        .project = dj_sql_word(row, 2),
        .metric = dj_sql_word(row, 3),
        .unit = dj_sql_text(row, 4),
        .sense = dj_store_series_sense_find(dj_sql_word(row, 5)),
        .flow = dj_sql_text(row, 6),
        .device = dj_sql_text(row, 7),
        .release = dj_sql_text(row, 8),
        .config = dj_sql_text(row, 9),
        .points = dj_sql_int64(row, 10),
    };
}

int dj_store_read_series(struct dj_store *store, const struct dj_timeline_filter *filter,
                         int (*callback)(void *user,
                                         const struct dj_stored_series *series),
                         void *user, struct dj_error *err)
{
    struct dj_statement *statement = NULL;
    if (store->version < DJ_SCHEMA_FIGURES) {
        return 0;
    }
    int code = dj_sql_prepare(
        store, &statement, err,
        "SELECT s.id, s.identity, p.name, s.metric, s.unit, s.sense, s.flow, s.device,"
        " s.release, s.config,"
        " (SELECT count(*) FROM points o WHERE o.series_id = s.id)"
        " FROM series s JOIN projects p ON p.id = s.project_id"
        " WHERE (?1 IS NULL OR p.name = ?1) AND (?2 IS NULL OR s.flow = ?2)"
        " AND (?3 IS NULL OR s.device = ?3) ORDER BY p.name, s.metric, s.id",
        "ttt", filter->project, filter->flow, filter->serial);
    while (dj_sql_next_row(statement, &code, err)) {
        const struct dj_stored_series series = read_series(statement);
        code = callback(user, &series);
    }
    return code;
}

int dj_store_read_points(struct dj_store *store, int64_t series,
                         int (*callback)(void *user, const struct dj_series_point *point),
                         void *user, struct dj_error *err)
{
    struct dj_statement *statement = NULL;
    int code =
        dj_sql_prepare(store, &statement, err,
                       "SELECT at_unix_ms, ordinal, version, commit_id, value FROM points"
                       " WHERE series_id = ? ORDER BY at_unix_ms, ordinal, id",
                       "i", series);
    while (dj_sql_next_row(statement, &code, err)) {
        bool timed = !isnan(dj_sql_double(statement, 0));
        const struct dj_series_point point = {
            .at_unix_ms = timed ? dj_sql_int64(statement, 0) : DJ_SERIES_NO_TIME,
            .ordinal = dj_sql_int64(statement, 1),
            .version = dj_sql_text(statement, 2),
            .commit = dj_sql_text(statement, 3),
            .value = dj_sql_double(statement, 4),
        };
        code = callback(user, &point);
    }
    return code;
}
