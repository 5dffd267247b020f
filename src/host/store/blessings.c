/* Stores blessings. A blessing records that a person accepted a change of a figure. */
#include <math.h>
#include <string.h>

#include "store/sql/schema.h"
#include "store/sql/statement.h"
#include "store/timeline.h"

enum { ID_PREFIX_MIN = 4 }; /* Minimum number of characters of an abbreviated id. */

struct new_blessing {
    const struct dj_blessing *blessing;
    const char *id;
    int64_t made_unix_ms;
};

static int write_blessing(struct dj_store *store, void *data, struct dj_error *err)
{
    const struct new_blessing *new_blessing = data;
    const struct dj_blessing *blessing = new_blessing->blessing;
    bool timed = blessing->from_unix_ms != INT64_MIN;
    int64_t project;
    int code = dj_sql_int(store, &project, err, "SELECT id FROM projects WHERE name = ?",
                          "t", blessing->project);
    if (code == 0 && project == 0) {
        return dj_error_set(err, DJ_E_NO_DATA, "there is no such project");
    }
    return code == 0
               ? dj_sql_run(store, err,
                            "INSERT INTO blessings (uid, project_id, metric, segment,"
                            " direction, from_point, who, why, made_unix_ms,"
                            " from_unix_ms, from_ordinal)"
                            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                            "tittttttipp", new_blessing->id, project, blessing->metric,
                            blessing->segment, blessing->up ? "up" : "down",
                            blessing->from_point, blessing->who, blessing->why,
                            new_blessing->made_unix_ms,
                            timed ? &blessing->from_unix_ms : NULL,
                            timed ? NULL : &blessing->from_ordinal)
               : code;
}

static int find_blessing(struct dj_store *store, void *data, bool *found,
                         struct dj_error *err)
{
    const struct new_blessing *new_blessing = data;
    int64_t count;
    int code =
        dj_sql_int(store, &count, err, "SELECT count(*) FROM blessings WHERE uid = ?",
                   "t", new_blessing->id);
    *found = code == 0 && count > 0;
    return code;
}

int dj_store_add_blessing(struct dj_store *store, const struct dj_blessing *blessing,
                          char id[DJ_STORE_ID_BYTES], struct dj_error *err)
{
    struct new_blessing new_blessing = {blessing, id, dj_sql_now_unix_ms()};
    const struct dj_sql_work work = {write_blessing, find_blessing, &new_blessing};
    int code = dj_store_create_id(id, err);
    return code == 0 ? dj_sql_write(store, &work, err) : code;
}

struct withdrawal {
    const char *id, *why;
};

static int write_withdrawal(struct dj_store *store, void *data, struct dj_error *err)
{
    const struct withdrawal *withdrawal = data;
    int64_t count;
    int code = dj_sql_int(store, &count, err,
                          "SELECT count(*) FROM blessings WHERE withdrawn IS NULL"
                          " AND substr(uid, 1, length(?1)) = ?1",
                          "t", withdrawal->id);
    if (code != 0) {
        return code;
    }
    if (count == 0 || strlen(withdrawal->id) < ID_PREFIX_MIN) {
        return dj_error_set(err, DJ_E_NO_DATA, "no valid blessing has the id '%.40s'",
                            withdrawal->id);
    }
    if (count > 1) {
        return dj_error_set(err, DJ_E_USAGE, "%lld blessings have ids that begin with it",
                            (long long)count);
    }
    return dj_sql_run(store, err,
                      "UPDATE blessings SET withdrawn = ?2 WHERE withdrawn IS NULL"
                      " AND substr(uid, 1, length(?1)) = ?1",
                      "tt", withdrawal->id, withdrawal->why);
}

static int find_withdrawal(struct dj_store *store, void *data, bool *found,
                           struct dj_error *err)
{
    const struct withdrawal *withdrawal = data;
    int64_t count;
    int code = dj_sql_int(store, &count, err,
                          "SELECT count(*) FROM blessings WHERE withdrawn = ?2"
                          " AND substr(uid, 1, length(?1)) = ?1 AND NOT EXISTS"
                          " (SELECT 1 FROM blessings h WHERE h.withdrawn IS NULL"
                          " AND substr(h.uid, 1, length(?1)) = ?1)",
                          "tt", withdrawal->id, withdrawal->why);
    *found = code == 0 && count > 0;
    return code;
}

int dj_store_withdraw_blessing(struct dj_store *store, const char *id, const char *why,
                               struct dj_error *err)
{
    struct withdrawal withdrawal = {id, why};
    const struct dj_sql_work work = {write_withdrawal, find_withdrawal, &withdrawal};
    return dj_sql_write(store, &work, err);
}

static struct dj_blessing read_blessing(struct dj_statement *row)
{
    bool timed = !isnan(dj_sql_double(row, 5));
    return (struct dj_blessing){
        .id = dj_sql_word(row, 0),
        .project = dj_sql_word(row, 1),
        .metric = dj_sql_word(row, 2),
        .segment = dj_sql_text(row, 3),
        .up = strcmp(dj_sql_word(row, 4), "up") == 0,
        .from_unix_ms = timed ? dj_sql_int64(row, 5) : INT64_MIN,
        .from_ordinal = timed ? -1 : dj_sql_int64(row, 6),
        .from_point = dj_sql_word(row, 7),
        .who = dj_sql_word(row, 8),
        .why = dj_sql_word(row, 9),
        .made_unix_ms = dj_sql_int64(row, 10),
        .withdrawn = dj_sql_text(row, 11),
    };
}

int dj_store_read_blessings(struct dj_store *store, const char *project,
                            int (*callback)(void *user,
                                            const struct dj_blessing *blessing),
                            void *user, struct dj_error *err)
{
    struct dj_statement *statement = NULL;
    if (store->version < DJ_SCHEMA_FIGURES) {
        return 0;
    }
    int code = dj_sql_prepare(
        store, &statement, err,
        "SELECT o.uid, p.name, o.metric, o.segment, o.direction, o.from_unix_ms,"
        " o.from_ordinal, o.from_point, o.who, o.why, o.made_unix_ms, o.withdrawn"
        " FROM blessings o JOIN projects p ON p.id = o.project_id"
        " WHERE (?1 IS NULL OR p.name = ?1) ORDER BY o.made_unix_ms, o.id",
        "t", project);
    while (dj_sql_next_row(statement, &code, err)) {
        const struct dj_blessing blessing = read_blessing(statement);
        code = callback(user, &blessing);
    }
    return code;
}
