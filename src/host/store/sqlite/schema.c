#include "store/sql/schema.h"

#include "memory/memory.h"
#include "store/sql/engine.h"
#include "store/sqlite/engine.h"

int dj_schema_differs(const struct dj_store *store, const char *what,
                      struct dj_error *err)
{
    return dj_error_set(
        err, DJ_E_INVALID,
        "%s: it is marked as a dejank store, but its tables are different (%s)",
        store->path, what);
}

/* Checks the tables and indexes of the store. Each must have exactly the SQL text of the
 * model. Triggers are refused, because they could change data unexpectedly. Users may add
 * views and indexes. */
int dj_sqlite_compare_schema(struct dj_store *store, struct dj_store *model,
                             struct dj_error *err)
{
    struct dj_statement *row;
    int64_t count;
    int code = dj_sql_prepare(
        model, &row, err,
        "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL", "");
    while (dj_sql_next_row(row, &code, err)) {
        const char *name = dj_sql_text(row, 1);
        code = dj_sql_int(store, &count, err,
                          "SELECT count(*) FROM sqlite_schema WHERE type = ? AND name = ?"
                          " AND sql = ?",
                          "ttt", dj_sql_text(row, 0), name, dj_sql_text(row, 2));
        if (code == 0 && count == 0) {
            code = dj_schema_differs(store, name, err);
        }
    }
    if (code != 0) {
        return code;
    }
    code = dj_sql_int(store, &count, err,
                      "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'", "");
    return code == 0 && count > 0 ? dj_schema_differs(store, "a trigger", err) : code;
}

static int create_model(struct dj_store *model, int64_t version, struct dj_error *err)
{
    sqlite3 *db = NULL;
    int result = sqlite3_open_v2(":memory:", &db,
                                 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    model->engine = &dj_sqlite_engine;
    model->link = db;
    struct dj_text tables = {0};
    dj_schema_append_tables(&tables, version);
    result = result == SQLITE_OK ? sqlite3_exec(db, dj_xtext(&tables), NULL, NULL, NULL)
                                 : result;
    dj_text_finish(&tables);
    return result == SQLITE_OK ? 0 : dj_sqlite_fail(model, result, "compare it", err);
}

int dj_schema_check(struct dj_store *store, int64_t version, struct dj_error *err)
{
    struct dj_store model = {.path = store->path};
    int code = create_model(&model, version, err);
    code = code == 0 ? store->engine->compare_schema(store, &model, err) : code;
    sqlite3_close(model.link);
    return code;
}
