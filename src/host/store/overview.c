#include "store/overview.h"

#include <inttypes.h>

#include "store/sql/engine.h"
#include "store/sql/statement.h"

int dj_store_read_projects(struct dj_store *store,
                           int (*callback)(void *user,
                                           const struct dj_project_row *project),
                           void *user, struct dj_error *err)
{
    struct dj_statement *row;
    int code = dj_sql_prepare(
        store, &row, err,
        "SELECT p.name, count(b.id), max(b.began_unix_ms),"
        " (SELECT l.uid FROM batches l WHERE l.project_id = p.id AND l.excluded IS NULL"
        " ORDER BY l.began_unix_ms DESC, l.id DESC LIMIT 1),"
        " (SELECT max(t.at_unix_ms) FROM series s JOIN points t ON t.series_id = s.id"
        " WHERE s.project_id = p.id)"
        " FROM projects p"
        " LEFT JOIN batches b ON b.project_id = p.id AND b.excluded IS NULL"
        " GROUP BY p.id, p.name ORDER BY p.name",
        "");
    while (dj_sql_next_row(row, &code, err)) {
        int64_t batch_unix_ms = dj_sql_int64(row, 2),
                point_unix_ms = dj_sql_int64(row, 4);
        const struct dj_project_row project = {
            .name = dj_sql_word(row, 0),
            .batches = dj_sql_int64(row, 1),
            .last_batch = dj_sql_text(row, 3),
            .last_unix_ms =
                batch_unix_ms > point_unix_ms ? batch_unix_ms : point_unix_ms};
        code = callback(user, &project);
    }
    return code;
}

/* The newest names of two sources of names and their ages. */
#define NEWEST_BUILDS(stored, imported)                                                  \
    "SELECT name FROM (" stored " UNION ALL " imported ") AS named"                      \
    " WHERE name IS NOT NULL GROUP BY name ORDER BY max(age) DESC, name LIMIT 200"

/* The statements for one project and for all projects. */
static const char *const choices[][2] = {
    [DJ_PROJECT_NAMES] = {"SELECT name FROM projects WHERE name = ?",
                          "SELECT name FROM projects ORDER BY 1"},
    [DJ_PROJECT_FLOWS] =
        {"SELECT b.name FROM projects p JOIN batches b ON b.project_id = p.id"
         " WHERE p.name = ? AND b.name IS NOT NULL"
         " UNION SELECT s.flow FROM projects p JOIN series s ON s.project_id = p.id"
         " WHERE p.name = ? AND s.flow IS NOT NULL ORDER BY 1",
         "SELECT name FROM batches WHERE name IS NOT NULL"
         " UNION SELECT flow FROM series WHERE flow IS NOT NULL ORDER BY 1"},
    [DJ_PROJECT_DEVICES] =
        {"SELECT d.serial FROM projects p JOIN batches b ON b.project_id = p.id"
         " JOIN devices d ON d.id = b.device_id"
         " WHERE p.name = ? AND d.serial IS NOT NULL"
         " UNION SELECT s.device FROM projects p JOIN series s ON s.project_id = p.id"
         " WHERE p.name = ? AND s.device IS NOT NULL ORDER BY 1",
         "SELECT serial FROM devices WHERE serial IS NOT NULL"
         " UNION SELECT device FROM series WHERE device IS NOT NULL ORDER BY 1"},
    [DJ_PROJECT_BUILDS] =
        {NEWEST_BUILDS("SELECT coalesce(v.version, v.label, v.commit_id) AS name,"
                       " v.id AS age FROM projects p JOIN builds v ON v.project_id = p.id"
                       " WHERE p.name = ?",
                       "SELECT t.version, max(t.id) FROM projects p"
                       " JOIN series s ON s.project_id = p.id"
                       " JOIN points t ON t.series_id = s.id"
                       " WHERE p.name = ? GROUP BY t.version"),
         NEWEST_BUILDS("SELECT coalesce(version, label, commit_id) AS name, id AS age"
                       " FROM builds",
                       "SELECT version, max(id) FROM points GROUP BY version")},
    [DJ_PROJECT_METRICS] = {
        "SELECT DISTINCT s.metric FROM projects p JOIN series s ON s.project_id = p.id"
        " WHERE p.name = ? ORDER BY 1",
        "SELECT DISTINCT metric FROM series ORDER BY 1"}};

int dj_store_read_choices(struct dj_store *store, enum dj_project_part part,
                          const char *project,
                          int (*callback)(void *user, const char *name), void *user,
                          struct dj_error *err)
{
    struct dj_statement *row;
    int code =
        project == NULL ? dj_sql_prepare(store, &row, err, choices[part][1], "")
        : part == DJ_PROJECT_NAMES || part == DJ_PROJECT_METRICS
            ? dj_sql_prepare(store, &row, err, choices[part][0], "t", project)
            : dj_sql_prepare(store, &row, err, choices[part][0], "tt", project, project);
    while (dj_sql_next_row(row, &code, err)) {
        code = callback(user, dj_sql_word(row, 0));
    }
    return code;
}

int dj_store_read_change_counter(struct dj_store *store, int64_t *counter,
                                 struct dj_error *err)
{
    return dj_sql_int(store, counter, err, store->engine->change_counter, "");
}

int dj_store_find_batch_of_run(struct dj_store *store, int64_t run, int64_t *batch,
                               struct dj_error *err)
{
    int code =
        dj_sql_int(store, batch, err, "SELECT batch_id FROM runs WHERE id = ?", "i", run);
    return code == 0 && *batch == 0
               ? dj_error_set(err, DJ_E_NO_DATA, "there is no run %" PRId64, run)
               : code;
}
