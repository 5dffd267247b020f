/* Reads the schema of a PostgreSQL database and checks whether it is a store. */
#include "store/sql/schema.h"
#include "store/postgres/engine.h"
#include "store/sql/statement.h"

#define OURS "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())"

/* Reads the schema version from the table dejank_store, which has one row. A database
 * without this table is not a store, and its tables belong to other programs. Tables of
 * PostgreSQL extensions do not count. */
int dj_postgres_read_content(struct dj_store *store, struct dj_sql_content *content,
                             struct dj_error *err)
{
    static const char others[] =
        "SELECT count(*) FROM pg_class c WHERE c.relnamespace = " OURS
        " AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT EXISTS (SELECT 1"
        " FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid"
        " AND d.deptype = 'e')";
    int64_t there;
    *content = (struct dj_sql_content){0};
    int code = dj_sql_int(store, &there, err,
                          "SELECT count(*) FROM pg_class c WHERE c.relnamespace = " OURS
                          " AND c.relname = 'dejank_store' AND c.relkind = 'r'",
                          "");
    if (code == 0 && there != 0) {
        code = dj_sql_int(store, &content->version, err,
                          "SELECT max(version) FROM dejank_store", "");
    }
    content->ours = content->version > 0;
    return code == 0 && !content->ours
               ? dj_sql_int(store, &content->other_tables, err, others, "")
               : code;
}

int dj_postgres_write_version(struct dj_store *store, struct dj_error *err)
{
    char sql[256];
    snprintf(sql, sizeof(sql),
             "CREATE TABLE IF NOT EXISTS dejank_store (version INTEGER NOT NULL);"
             "DELETE FROM dejank_store; INSERT INTO dejank_store VALUES (%d)",
             DJ_SCHEMA_VERSION);
    return store->engine->run_script(store, sql, "write to it", err);
}

/* Selects all parts of the tables in the schema: columns with their types, indexes,
 * triggers and rules. */
static const char parts[] =
    "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod)"
    " FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0"
    " AND NOT a.attisdropped WHERE c.relnamespace = " OURS " AND c.relkind IN ('r', 'p')"
    " UNION ALL SELECT c.relname, i.relname, 'index' FROM pg_index x"
    " JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid"
    " WHERE c.relnamespace = " OURS
    " UNION ALL SELECT c.relname, t.tgname, 'trigger' FROM pg_trigger t"
    " JOIN pg_class c ON c.oid = t.tgrelid"
    " WHERE c.relnamespace = " OURS " AND NOT t.tgisinternal"
    " UNION ALL SELECT c.relname, r.rulename, 'rule' FROM pg_rewrite r"
    " JOIN pg_class c ON c.oid = r.ev_class"
    " WHERE c.relnamespace = " OURS " AND c.relkind IN ('r', 'p')";

/* Selects a part that the model has and the database lacks, or a trigger or rule of one
 * of dejank's tables. */
static const char missing[] =
    "SELECT m.name || '.' || c.name FROM sqlite_schema m, pragma_table_info(m.name) c"
    " WHERE m.type = 'table' AND NOT EXISTS (SELECT 1 FROM temp.parts p"
    " WHERE p.owner = m.name AND p.name = c.name AND p.kind = CASE c.type"
    " WHEN 'INTEGER' THEN 'bigint' WHEN 'REAL' THEN 'double precision'"
    " WHEN 'BLOB' THEN 'bytea' ELSE 'text' END)"
    " UNION ALL SELECT m.name FROM sqlite_schema m WHERE m.type = 'index'"
    " AND m.sql IS NOT NULL AND NOT EXISTS (SELECT 1 FROM temp.parts p"
    " WHERE p.owner = m.tbl_name AND p.name = m.name AND p.kind = 'index')"
    " UNION ALL SELECT 'a ' || p.kind FROM temp.parts p JOIN sqlite_schema m"
    " ON m.name = p.owner WHERE p.kind IN ('trigger', 'rule')"
    " LIMIT 1";

static int list_parts(struct dj_store *store, struct dj_store *model,
                      struct dj_error *err)
{
    struct dj_statement *row = NULL;
    int code = model->engine->run_script(
        model, "CREATE TEMP TABLE parts (owner TEXT, name TEXT, kind TEXT)", "compare it",
        err);
    code = code == 0 ? dj_sql_prepare(store, &row, err, parts, "") : code;
    while (dj_sql_next_row(row, &code, err)) {
        code = dj_sql_run(model, err, "INSERT INTO temp.parts VALUES (?, ?, ?)", "ttt",
                          dj_sql_text(row, 0), dj_sql_text(row, 1), dj_sql_text(row, 2));
    }
    return code;
}

int dj_postgres_compare_schema(struct dj_store *store, struct dj_store *model,
                               struct dj_error *err)
{
    struct dj_statement *row = NULL;
    int code = list_parts(store, model, err);
    code = code == 0 ? dj_sql_prepare(model, &row, err, missing, "") : code;
    while (dj_sql_next_row(row, &code, err)) {
        code = dj_schema_differs(store, dj_sql_word(row, 0), err);
    }
    return code;
}

/* Selects one query per foreign key. The query counts the rows that refer to a missing
 * row. The server normally prevents such rows, but its check of foreign keys can be
 * disabled. */
static const char references[] =
    "SELECT format('SELECT count(*) FROM %s c WHERE c.%I IS NOT NULL AND NOT EXISTS"
    " (SELECT 1 FROM %s p WHERE p.%I = c.%I)', k.conrelid::regclass, a.attname,"
    " k.confrelid::regclass, b.attname, a.attname), k.conrelid::regclass::text,"
    " k.confrelid::regclass::text"
    " FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid"
    " AND a.attnum = k.conkey[1] JOIN pg_attribute b ON b.attrelid = k.confrelid"
    " AND b.attnum = k.confkey[1] WHERE k.contype = 'f' AND k.connamespace = " OURS;

int dj_postgres_check_rows(struct dj_store *store, dj_sql_report_problem *report,
                           void *data, struct dj_error *err)
{
    struct dj_statement *row;
    int code = dj_sql_prepare(store, &row, err, references, "");
    while (dj_sql_next_row(row, &code, err)) {
        int64_t lost;
        code = dj_sql_int(store, &lost, err, dj_sql_word(row, 0), "");
        if (code == 0 && lost > 0) {
            char sentence[256];
            snprintf(sentence, sizeof(sentence),
                     "%lld rows of %s refer to rows of %s that do not exist",
                     (long long)lost, dj_sql_word(row, 1), dj_sql_word(row, 2));
            report(data, sentence);
        }
    }
    return code;
}
