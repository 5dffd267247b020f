/* Runs statements on SQLite and reads what a file contains. open.c opens files. */
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "output/stream.h"
#include "store/sql/engine.h"
#include "store/sql/schema.h"
#include "store/sqlite/engine.h"

static const struct {
    int result; /* Error code of SQLite. */
    int code;
    const char *means; /* The message, or NULL to use the message of SQLite. */
} failures[] = {
    {SQLITE_NOTADB, DJ_E_INVALID, "it is not an SQLite file"},
    {SQLITE_CORRUPT, DJ_E_INVALID, "it is damaged or truncated"},
    {SQLITE_BUSY, DJ_E_OUTPUT, "another process keeps writing to it"},
    {SQLITE_LOCKED, DJ_E_OUTPUT, "another process keeps writing to it"},
    {SQLITE_FULL, DJ_E_OUTPUT, "the disk is full"},
    {SQLITE_READONLY, DJ_E_OUTPUT, "it is read-only"},
    {SQLITE_CANTOPEN, DJ_E_OUTPUT, NULL},
    {SQLITE_PERM, DJ_E_OUTPUT, NULL},
    {SQLITE_AUTH, DJ_E_OUTPUT, NULL},
    {SQLITE_IOERR, DJ_E_OUTPUT, NULL},
    {SQLITE_TOOBIG, DJ_E_LIMIT, "a value is too large"},
    {SQLITE_INTERRUPT, DJ_E_INTERRUPTED, NULL},
};

int dj_sqlite_fail(const struct dj_store *store, int result, const char *doing,
                   struct dj_error *err)
{
    dj_xcheck((result & 0xFF) != SQLITE_NOMEM);
    const char *message =
        store->link != NULL ? sqlite3_errmsg(store->link) : sqlite3_errstr(result);
    for (size_t i = 0; i < COUNT_OF(failures); i++) {
        if (failures[i].result == (result & 0xFF)) {
            return dj_error_set(err, failures[i].code, "%s: cannot %s: %s", store->path,
                                doing,
                                failures[i].means != NULL ? failures[i].means : message);
        }
    }
    return dj_error_set(err, DJ_E_INVALID, "%s: cannot %s: %s", store->path, doing,
                        message);
}

struct sqlite_statement {
    struct dj_statement base;
    sqlite3_stmt *handle;
};

static sqlite3_stmt *get_handle(const struct dj_statement *statement)
{
    return ((const struct sqlite_statement *)statement)->handle;
}

static int prepare_statement(struct dj_store *store, const char *sql,
                             struct dj_statement **statement, struct dj_error *err)
{
    struct sqlite_statement *made = dj_xcalloc(1, sizeof(*made));
    made->base.store = store;
    *statement = &made->base;
    int result = sqlite3_prepare_v2(store->link, sql, -1, &made->handle, NULL);
    return result == SQLITE_OK ? 0 : dj_sqlite_fail(store, result, "read it", err);
}

static int bind_value(sqlite3_stmt *to, int index, const struct dj_sql_value *value)
{
    switch (value->kind) {
    case DJ_SQL_INT:
        return sqlite3_bind_int64(to, index, value->number);
    case DJ_SQL_DOUBLE:
        return sqlite3_bind_double(to, index, value->real);
    case DJ_SQL_TEXT:
        return sqlite3_bind_text64(to, index, value->bytes, value->size, SQLITE_STATIC,
                                   SQLITE_UTF8);
    case DJ_SQL_BYTES:
        return sqlite3_bind_blob64(to, index, value->size > 0 ? value->bytes : "",
                                   value->size, SQLITE_STATIC);
    default:
        return sqlite3_bind_null(to, index);
    }
}

static int bind(struct dj_statement *statement, int index,
                const struct dj_sql_value *value, struct dj_error *err)
{
    int result = bind_value(get_handle(statement), index, value);
    return result == SQLITE_OK ? 0
                               : dj_sqlite_fail(statement->store, result, "read it", err);
}

static int step_statement(struct dj_statement *statement, const char *doing,
                          struct dj_error *err)
{
    int result = sqlite3_step(get_handle(statement));
    return result == SQLITE_ROW || result == SQLITE_DONE
               ? result == SQLITE_ROW
               : dj_sqlite_fail(statement->store, result, doing, err);
}

static int count_columns(struct dj_statement *row)
{
    return sqlite3_column_count(get_handle(row));
}

static const char *get_column_name(struct dj_statement *row, int index)
{
    return sqlite3_column_name(get_handle(row), index);
}

static void get_column(struct dj_statement *row, int index, struct dj_sql_value *value)
{
    static const enum dj_sql_kind kinds[] = {
        [SQLITE_NULL] = DJ_SQL_NULL,    [SQLITE_INTEGER] = DJ_SQL_INT,
        [SQLITE_FLOAT] = DJ_SQL_DOUBLE, [SQLITE_TEXT] = DJ_SQL_TEXT,
        [SQLITE_BLOB] = DJ_SQL_BYTES,
    };
    sqlite3_stmt *of = get_handle(row);
    *value = (struct dj_sql_value){.kind = kinds[sqlite3_column_type(of, index)]};
    if (value->kind == DJ_SQL_INT) {
        value->number = sqlite3_column_int64(of, index);
    } else if (value->kind == DJ_SQL_DOUBLE) {
        value->real = sqlite3_column_double(of, index);
    } else if (value->kind != DJ_SQL_NULL) {
        value->bytes = value->kind == DJ_SQL_TEXT
                           ? (const void *)sqlite3_column_text(of, index)
                           : sqlite3_column_blob(of, index);
        value->size = (size_t)sqlite3_column_bytes(of, index);
        dj_xcheck(value->bytes != NULL || value->kind == DJ_SQL_BYTES);
    }
}

static void reset_statement(struct dj_statement *statement)
{
    sqlite3_reset(get_handle(statement));
}

static void finish_statement(struct dj_statement *statement)
{
    sqlite3_finalize(get_handle(statement));
    free(statement);
}

static int64_t count_changed_rows(struct dj_statement *statement)
{
    return sqlite3_changes64(statement->store->link);
}

static int run_script(struct dj_store *store, const char *sql, const char *doing,
                      struct dj_error *err)
{
    int result = sqlite3_exec(store->link, sql, NULL, NULL, NULL);
    return result == SQLITE_OK ? 0 : dj_sqlite_fail(store, result, doing, err);
}

static int begin_transaction(struct dj_store *store, bool writing, struct dj_error *err)
{
    return dj_sql_run(store, err, writing ? "BEGIN IMMEDIATE" : "BEGIN", "");
}

static int end_transaction(struct dj_store *store, int code, struct dj_error *err)
{
    if (code == 0) {
        code = dj_sql_run(store, err, "COMMIT", "");
    }
    /* After some errors SQLite has already rolled back. */
    if (code != 0 && sqlite3_get_autocommit(store->link) == 0) {
        sqlite3_exec(store->link, "ROLLBACK", NULL, NULL, NULL);
    }
    return code;
}

static int read_content(struct dj_store *store, struct dj_sql_content *content,
                        struct dj_error *err)
{
    int64_t application;
    int64_t tables;
    int code = dj_sql_int(store, &application, err, "PRAGMA application_id", "");
    if (code != 0 ||
        (code = dj_sql_int(store, &content->version, err, "PRAGMA user_version", "")) !=
            0 ||
        (code = dj_sql_int(store, &tables, err, "SELECT count(*) FROM sqlite_schema",
                           "")) != 0) {
        return code;
    }
    content->ours = application == DJ_SCHEMA_APPLICATION;
    content->other_tables = application != 0 || content->version != 0 || tables > 0;
    return 0;
}

static int write_version(struct dj_store *store, struct dj_error *err)
{
    char pragmas[96];
    snprintf(pragmas, sizeof(pragmas),
             "PRAGMA application_id = %d; PRAGMA user_version = %d",
             DJ_SCHEMA_APPLICATION, DJ_SCHEMA_VERSION);
    return run_script(store, pragmas, "write to it", err);
}

static int check_rows(struct dj_store *store, dj_sql_report_problem *report, void *data,
                      struct dj_error *err)
{
    struct dj_statement *row;
    char sentence[256];
    int code = dj_sql_prepare(store, &row, err, "PRAGMA integrity_check(20)", "");
    while (dj_sql_next_row(row, &code, err)) {
        const char *message = dj_sql_word(row, 0);
        if (strcmp(message, "ok") != 0) {
            snprintf(sentence, sizeof(sentence), "the file is damaged: %.*s",
                     (int)strcspn(message, "\n"), message);
            report(data, sentence);
        }
    }
    if (code != 0) {
        return code;
    }
    code = dj_sql_prepare(store, &row, err, "PRAGMA foreign_key_check", "");
    while (dj_sql_next_row(row, &code, err)) {
        snprintf(sentence, sizeof(sentence),
                 "row %lld of %s refers to a row of %s that does not exist",
                 (long long)dj_sql_int64(row, 1), dj_sql_word(row, 0),
                 dj_sql_word(row, 2));
        report(data, sentence);
    }
    return code;
}

static int create_copy_table(struct dj_store *store, const char *table,
                             struct dj_error *err)
{
    char sql[192];
    snprintf(sql, sizeof(sql), "CREATE TABLE src.%s AS SELECT * FROM main.%s WHERE 0;%s",
             table, table,
             strcmp(table, "runs") == 0 ? "CREATE INDEX src.runs_id ON runs (id)" : "");
    return run_script(store, sql, "write to it", err);
}

/* Removes unused space from the file. If another process uses the store, the space stays
 * in the file and is used later. */
static void compact(struct dj_store *store)
{
    sqlite3_exec(store->link, "VACUUM", NULL, NULL, NULL);
}

static void close_link(struct dj_store *store)
{
    sqlite3_close(store->link);
}

int dj_sqlite_copy(const struct dj_store *store, int fd, const char *path,
                   struct dj_error *err)
{
    char bytes[65536];
    sqlite3_file *file = NULL;
    sqlite3_int64 size = 0;
    int failure = 0;
    int result =
        sqlite3_file_control(store->link, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    result = result == SQLITE_OK ? file->pMethods->xFileSize(file, &size) : result;
    for (sqlite3_int64 at = 0; at < size && result == SQLITE_OK && failure == 0;) {
        int piece = size - at < (sqlite3_int64)sizeof(bytes) ? (int)(size - at)
                                                             : (int)sizeof(bytes);
        result = file->pMethods->xRead(file, bytes, piece, at);
        failure = result == SQLITE_OK
                      ? dj_output_stream_write_all(fd, bytes, (size_t)piece)
                      : 0;
        at += piece;
    }
    if (result != SQLITE_OK) {
        return dj_sqlite_fail(store, result, "read it", err);
    }
    return failure == 0 ? 0
                        : dj_error_set(err, DJ_E_OUTPUT, "cannot write %s: %s", path,
                                       strerror(failure));
}

const struct dj_sql_engine dj_sqlite_engine = {
    .batches_per_query = 1000,
    .change_counter = "PRAGMA data_version",
    .not_ours = "it is an SQLite file, but not a dejank store",
    .open = dj_sqlite_open,
    .set_up = dj_sqlite_set_up,
    .prepare = prepare_statement,
    .bind = bind,
    .step = step_statement,
    .width = count_columns,
    .name = get_column_name,
    .column = get_column,
    .reset_statement = reset_statement,
    .finish = finish_statement,
    .changed = count_changed_rows,
    .run_script = run_script,
    .begin = begin_transaction,
    .end = end_transaction,
    .read_content = read_content,
    .write_version = write_version,
    .compare_schema = dj_sqlite_compare_schema,
    .check_rows = check_rows,
    .create_copy_table = create_copy_table,
    .compact = compact,
    .close = close_link,
};
