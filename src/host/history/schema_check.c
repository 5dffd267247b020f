#include "history/schema_check.h"

#include "history/schema.h"

static const char not_ours[] =
    "%s: it calls itself a store of dejank, and its tables are "
    "not those of one (%s)";

/* One table or index of ours, which must stand there word for word. */
static int expect(struct dj_history *history, sqlite3_stmt *row, struct dj_error *err)
{
    const char *name = dj_sql_text(row, 1);
    int64_t there;
    int code = dj_sql_int(history, &there, err,
                          "SELECT count(*) FROM sqlite_schema WHERE type = ? AND name = ?"
                          " AND sql = ?",
                          "ttt", dj_sql_text(row, 0), name, dj_sql_text(row, 2));
    return code == 0 && there == 0
               ? dj_error_set(err, DJ_E_INVALID, not_ours, history->path, name)
               : code;
}

/* A trigger would do what nobody asked for. Views and indexes of a person's own are
 * fine. */
static int expect_no_triggers(struct dj_history *history, struct dj_error *err)
{
    int64_t triggers;
    int code =
        dj_sql_int(history, &triggers, err,
                   "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'", "");
    return code == 0 && triggers > 0
               ? dj_error_set(err, DJ_E_INVALID, not_ours, history->path, "a trigger")
               : code;
}

static int compare(struct dj_history *history, struct dj_history *model,
                   struct dj_error *err)
{
    sqlite3_stmt *row;
    int code = dj_sql_prepare(
        model, &row, err,
        "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL", "");
    if (code != 0) {
        return code;
    }
    while ((code = dj_sql_step(model, row, err)) == 1) {
        code = expect(history, row, err);
        if (code != 0) {
            break;
        }
    }
    sqlite3_finalize(row);
    return code == 0 ? expect_no_triggers(history, err) : code;
}

int dj_schema_check(struct dj_history *history, int64_t version, struct dj_error *err)
{
    struct dj_history model = {.path = history->path};
    int result = sqlite3_open_v2(":memory:", &model.db,
                                 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    for (int64_t i = 0; i < version && result == SQLITE_OK; i++) {
        result = sqlite3_exec(model.db, dj_schema_steps[i], NULL, NULL, NULL);
    }
    int code = result == SQLITE_OK ? compare(history, &model, err)
                                   : dj_sql_fail(&model, result, "compare it", err);
    sqlite3_close(model.db);
    return code;
}
