#include "store/upkeep/merge.h"

#include "memory/memory.h"
#include "store/sql/engine.h"
#include "store/sql/schema.h"
#include "store/sqlite/engine.h"

/* Returns whether the source can be attached. SQLite can attach another SQLite file. For
 * all other pairs of stores the rows are copied. */
static bool is_attached(const struct dj_store *into, const struct dj_store *from)
{
    return into->engine == &dj_sqlite_engine && from->engine == &dj_sqlite_engine;
}

int dj_merge_source_open(struct dj_store *into, const struct dj_store *from,
                         struct dj_error *err)
{
    struct dj_text uri = {0};
    if (into->engine != &dj_sqlite_engine) {
        return 0;
    }
    if (is_attached(into, from)) {
        dj_sqlite_append_uri(&uri, from->path);
        dj_text_add(&uri, from->immutable ? "?mode=ro&immutable=1" : "?mode=ro");
    }
    int code = dj_sql_run(into, err, "ATTACH ? AS src", "t", dj_xtext(&uri));
    dj_text_finish(&uri);
    return code;
}

void dj_merge_source_close(struct dj_store *into)
{
    if (into->engine == &dj_sqlite_engine) {
        into->engine->run_script(into, "DETACH src", "close it", NULL);
    }
}

int dj_merge_source_choose(struct dj_store *store, const char *table,
                           const int64_t *batches, size_t count, struct dj_error *err)
{
    char all[80];
    snprintf(all, sizeof(all), "INSERT INTO temp.moving SELECT id FROM %s", table);
    const char *const statements[] = {"DROP TABLE IF EXISTS temp.moving",
                                      "CREATE TEMP TABLE moving (id INTEGER PRIMARY KEY)",
                                      all};
    int code = dj_sql_run_all(store, statements, count == 0 ? 3 : 2, err);
    for (size_t i = 0; i < count && code == 0; i++) {
        code = dj_sql_run(store, err,
                          "INSERT INTO temp.moving VALUES (?) ON CONFLICT DO NOTHING",
                          "i", batches[i]);
    }
    return code;
}

#define RUNS "(SELECT id FROM runs WHERE batch_id IN (SELECT id FROM temp.moving))"
#define WINDOWS "(SELECT id FROM windows WHERE run_id IN " RUNS ")"
#define WHOLE " WHERE (SELECT count(*) FROM temp.moving) = (SELECT count(*) FROM batches)"

/* All tables, sorted so that a table follows the tables to which it refers. Small tables
 * are copied as a whole. */
static const struct {
    const char *name, *which;
    int64_t since; /* The first schema version with this table. */
} tables[] = {
    {"projects", "", 1},
    {"builds", "", 1},
    {"devices", "", 1},
    {"device_facts", "", 1},
    {"batches", "", 1},
    {"runs", " WHERE batch_id IN (SELECT id FROM temp.moving)", 1},
    {"windows", " WHERE run_id IN " RUNS, 1},
    {"metrics", " WHERE window_id IN " WINDOWS, 1},
    {"histograms", " WHERE window_id IN " WINDOWS, 1},
    {"conditions", " WHERE run_id IN " RUNS, 1},
    {"evidence", " WHERE run_id IN " RUNS, 1},
    {"blobs", " WHERE id IN (SELECT blob_id FROM evidence WHERE run_id IN " RUNS ")", 1},
    {"series", WHOLE, DJ_SCHEMA_FIGURES},
    {"points", WHOLE, DJ_SCHEMA_FIGURES},
    {"blessings", "", DJ_SCHEMA_FIGURES},
};

static int prepare_insert(struct dj_store *into, const char *table,
                          struct dj_statement *row, struct dj_statement **insert,
                          struct dj_error *err)
{
    const struct dj_sql_engine *from = row->store->engine;
    struct dj_text sql = {0};
    dj_text_format(&sql, "INSERT INTO src.%s (", table);
    for (int i = 0; i < from->width(row); i++) {
        dj_text_format(&sql, "%s%s", i > 0 ? ", " : "", from->name(row, i));
    }
    dj_text_add(&sql, ") VALUES (");
    for (int i = 0; i < from->width(row); i++) {
        dj_text_add(&sql, i > 0 ? ", ?" : "?");
    }
    dj_text_add(&sql, ")");
    int code = dj_sql_prepare(into, insert, err, dj_xtext(&sql), "");
    dj_text_finish(&sql);
    return code;
}

static int copy_row(struct dj_statement *row, struct dj_statement *insert,
                    struct dj_error *err)
{
    const struct dj_sql_engine *from = row->store->engine;
    const struct dj_sql_engine *into = insert->store->engine;
    int code = 0;
    into->reset_statement(insert);
    for (int i = 0; i < from->width(row) && code == 0; i++) {
        struct dj_sql_value value;
        from->column(row, i, &value);
        code = into->bind(insert, i + 1, &value, err);
    }
    code = code == 0 ? into->step(insert, "write to it", err) : code;
    return code < 0 ? code : 0;
}

static int copy_table(struct dj_store *into, struct dj_store *from, size_t table,
                      struct dj_error *err)
{
    struct dj_statement *row = NULL;
    struct dj_statement *insert = NULL;
    char sql[512];
    snprintf(sql, sizeof(sql), "SELECT * FROM %s%s", tables[table].name,
             tables[table].which);
    int code = into->engine->create_copy_table(into, tables[table].name, err);
    code = code == 0 ? dj_sql_prepare(from, &row, err, sql, "") : code;
    dj_sql_stream(row);
    while (dj_sql_next_row(row, &code, err)) {
        code = insert == NULL
                   ? prepare_insert(into, tables[table].name, row, &insert, err)
                   : 0;
        code = code == 0 ? copy_row(row, insert, err) : code;
    }
    dj_sql_finish(insert);
    return code;
}

static int copy_tables(struct dj_store *into, struct dj_store *from,
                       const int64_t *batches, size_t count, struct dj_error *err)
{
    int code = dj_merge_source_choose(from, "batches", batches, count, err);
    for (size_t i = 0; i < COUNT_OF(tables) && code == 0; i++) {
        code = tables[i].since > from->version
                   ? into->engine->create_copy_table(into, tables[i].name, err)
                   : copy_table(into, from, i, err);
    }
    return code;
}

int dj_merge_source_fill(struct dj_store *into, struct dj_store *from,
                         const int64_t *batches, size_t count, struct dj_error *err)
{
    if (is_attached(into, from)) {
        return 0;
    }
    int code = dj_sql_begin(from, false, err);
    return code == 0 ? dj_sql_end(from, copy_tables(into, from, batches, count, err), err)
                     : code;
}
