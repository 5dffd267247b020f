#include "history/sql.h"

#include <math.h>
#include <stdarg.h>

static const struct {
    int result; /* SQLite's */
    int code;
    const char *means; /* NULL: what SQLite says */
} failures[] = {
    {SQLITE_NOTADB, DJ_E_INVALID, "it is no SQLite file"},
    {SQLITE_CORRUPT, DJ_E_INVALID, "it is damaged, or only part of a file"},
    {SQLITE_BUSY, DJ_E_OUTPUT, "another process keeps writing to it"},
    {SQLITE_LOCKED, DJ_E_OUTPUT, "another process keeps writing to it"},
    {SQLITE_FULL, DJ_E_OUTPUT, "the disk is full"},
    {SQLITE_READONLY, DJ_E_OUTPUT, "it cannot be written here"},
    {SQLITE_CANTOPEN, DJ_E_OUTPUT, NULL},
    {SQLITE_PERM, DJ_E_OUTPUT, NULL},
    {SQLITE_AUTH, DJ_E_OUTPUT, NULL},
    {SQLITE_IOERR, DJ_E_OUTPUT, NULL},
    {SQLITE_NOMEM, DJ_E_NO_MEMORY, "out of memory"},
    {SQLITE_TOOBIG, DJ_E_LIMIT, "a value is too large"},
    {SQLITE_INTERRUPT, DJ_E_INTERRUPTED, NULL},
};

int dj_sql_fail(const struct dj_history *history, int result, const char *doing,
                struct dj_error *err)
{
    const char *said =
        history->db != NULL ? sqlite3_errmsg(history->db) : sqlite3_errstr(result);
    for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
        if (failures[i].result == (result & 0xFF)) {
            return dj_error_set(err, failures[i].code, "%s: cannot %s: %s", history->path,
                                doing,
                                failures[i].means != NULL ? failures[i].means : said);
        }
    }
    return dj_error_set(err, DJ_E_INVALID, "%s: cannot %s: %s", history->path, doing,
                        said);
}

static int bind_one(sqlite3_stmt *statement, int index, char kind, va_list *arguments)
{
    const void *bytes;
    int64_t number;
    switch (kind) {
    case 'i':
        return sqlite3_bind_int64(statement, index, va_arg(*arguments, int64_t));
    case 'k':
        number = va_arg(*arguments, int64_t);
        return number == 0 ? SQLITE_OK : sqlite3_bind_int64(statement, index, number);
    case 'd': /* SQLite itself makes NULL of NaN */
        return sqlite3_bind_double(statement, index, va_arg(*arguments, double));
    case 't':
        return sqlite3_bind_text(statement, index, va_arg(*arguments, const char *), -1,
                                 SQLITE_STATIC);
    case 'b':
        bytes = va_arg(*arguments, const void *);
        return sqlite3_bind_blob64(statement, index, bytes, va_arg(*arguments, size_t),
                                   SQLITE_STATIC);
    default:
        return SQLITE_MISUSE;
    }
}

static int prepare(struct dj_history *history, sqlite3_stmt **statement,
                   struct dj_error *err, const char *sql, const char *kinds,
                   va_list *arguments)
{
    int result = sqlite3_prepare_v2(history->db, sql, -1, statement, NULL);
    for (int i = 0; result == SQLITE_OK && kinds[i] != '\0'; i++) {
        result = bind_one(*statement, i + 1, kinds[i], arguments);
    }
    if (result != SQLITE_OK) {
        result = dj_sql_fail(history, result, "read it", err);
        sqlite3_finalize(*statement);
        *statement = NULL;
    }
    return result;
}

int dj_sql_prepare(struct dj_history *history, sqlite3_stmt **statement,
                   struct dj_error *err, const char *sql, const char *kinds, ...)
{
    va_list arguments;
    va_start(arguments, kinds);
    int code = prepare(history, statement, err, sql, kinds, &arguments);
    va_end(arguments);
    return code;
}

static int step(struct dj_history *history, sqlite3_stmt *statement, const char *doing,
                struct dj_error *err)
{
    int result = sqlite3_step(statement);
    if (result == SQLITE_ROW || result == SQLITE_DONE) {
        return result == SQLITE_ROW;
    }
    return dj_sql_fail(history, result, doing, err);
}

int dj_sql_step(struct dj_history *history, sqlite3_stmt *statement, struct dj_error *err)
{
    return step(history, statement, "read it", err);
}

int dj_sql_run(struct dj_history *history, struct dj_error *err, const char *sql,
               const char *kinds, ...)
{
    sqlite3_stmt *statement = NULL;
    va_list arguments;
    va_start(arguments, kinds);
    int code = prepare(history, &statement, err, sql, kinds, &arguments);
    va_end(arguments);
    if (code == 0) {
        code = step(history, statement, "write to it", err);
    }
    sqlite3_finalize(statement);
    return code < 0 ? code : 0;
}

int dj_sql_int(struct dj_history *history, int64_t *value, struct dj_error *err,
               const char *sql, const char *kinds, ...)
{
    sqlite3_stmt *statement = NULL;
    va_list arguments;
    *value = 0;
    va_start(arguments, kinds);
    int code = prepare(history, &statement, err, sql, kinds, &arguments);
    va_end(arguments);
    if (code == 0) {
        code = dj_sql_step(history, statement, err);
    }
    if (code == 1) {
        *value = sqlite3_column_int64(statement, 0);
    }
    sqlite3_finalize(statement);
    return code < 0 ? code : 0;
}

int dj_sql_begin(struct dj_history *history, struct dj_error *err)
{
    return dj_sql_run(history, err, "BEGIN IMMEDIATE", "");
}

int dj_sql_end(struct dj_history *history, int code, struct dj_error *err)
{
    if (code == 0) {
        code = dj_sql_run(history, err, "COMMIT", "");
    }
    /* SQLite itself has rolled back after some errors. */
    if (code != 0 && sqlite3_get_autocommit(history->db) == 0) {
        sqlite3_exec(history->db, "ROLLBACK", NULL, NULL, NULL);
    }
    return code;
}

const char *dj_sql_text(sqlite3_stmt *statement, int column)
{
    return (const char *)sqlite3_column_text(statement, column);
}

/* For columns that are never NULL, but in a damaged file. */
const char *dj_sql_word(sqlite3_stmt *statement, int column)
{
    const char *text = dj_sql_text(statement, column);
    return text != NULL ? text : "";
}

double dj_sql_double(sqlite3_stmt *statement, int column)
{
    return sqlite3_column_type(statement, column) == SQLITE_NULL
               ? (double)NAN
               : sqlite3_column_double(statement, column);
}
