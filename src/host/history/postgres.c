/* The engine of PostgreSQL: statements. Connecting: postgres_open.c. Values go both ways
 * in its binary form, in which numbers are exact and bytes as many as they are. */
#include "history/postgres.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "history/dialect.h"

/* Its numbers of the kinds that our statements have to do with. */
enum {
    KIND_BOOL = 16,
    KIND_BYTES = 17,
    KIND_NAME = 19,
    KIND_INT64 = 20,
    KIND_INT32 = 23,
    KIND_TEXT = 25,
    KIND_DOUBLE = 701
};
enum { BINARY = 1 };

/* ---- statements ---- */

struct postgres_statement {
    struct dj_statement base;
    char *sql; /* as PostgreSQL takes it */
    int count; /* parameters */
    Oid *kinds;
    const char **values;
    int *lengths, *formats;
    uint64_t *numbers; /* as they are sent: what values of numbers point to */
    char **owned;      /* texts that had to be mended */
    bool streams, begun;
    PGresult *result;
    int row; /* of the result; −1 before the first */
};

static struct dj_postgres *link_of(const struct dj_history *history)
{
    return history->link;
}

static struct postgres_statement *own(struct dj_statement *statement)
{
    return (struct postgres_statement *)statement;
}

static void finish(struct dj_statement *statement)
{
    struct postgres_statement *finished = own(statement);
    struct dj_postgres *link = link_of(statement->history);
    PGresult *rest;
    PQclear(finished->result);
    while (finished->streams && finished->begun &&
           (rest = PQgetResult(link->connection)) != NULL) {
        PQclear(rest);
    }
    for (int i = 0; finished->owned != NULL && i < finished->count; i++) {
        free(finished->owned[i]);
    }
    free(finished->sql);
    free(finished->kinds);
    free((void *)finished->values);
    free(finished->lengths);
    free(finished->formats);
    free(finished->numbers);
    free(finished->owned);
    free(finished);
}

static bool has_room(struct postgres_statement *statement)
{
    size_t count = (size_t)statement->count + 1;
    statement->kinds = calloc(count, sizeof(*statement->kinds));
    statement->values = calloc(count, sizeof(*statement->values));
    statement->lengths = calloc(count, sizeof(*statement->lengths));
    statement->formats = calloc(count, sizeof(*statement->formats));
    statement->numbers = calloc(count, sizeof(*statement->numbers));
    statement->owned = calloc(count, sizeof(*statement->owned));
    return statement->kinds != NULL && statement->values != NULL &&
           statement->lengths != NULL && statement->formats != NULL &&
           statement->numbers != NULL && statement->owned != NULL;
}

static int prepare(struct dj_history *history, const char *sql,
                   struct dj_statement **statement, struct dj_error *err)
{
    struct postgres_statement *made = calloc(1, sizeof(*made));
    struct dj_text text = {0};
    if (made == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    made->base.history = history;
    made->count = dj_dialect_of_postgres(sql, &text);
    made->row = -1;
    *statement = &made->base;
    if (text.failed || !has_room(made)) {
        dj_text_finish(&text);
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    made->sql = text.data;
    return 0;
}

/* ---- parameters ---- */

static Oid kind_of(enum dj_sql_kind kind)
{
    static const Oid kinds[] = {[DJ_SQL_NULL] = 0,
                                [DJ_SQL_INT] = KIND_INT64,
                                [DJ_SQL_DOUBLE] = KIND_DOUBLE,
                                [DJ_SQL_TEXT] = KIND_TEXT,
                                [DJ_SQL_BYTES] = KIND_BYTES};
    return kinds[kind];
}

static bool is_utf8(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size) {
        struct dj_utf8 next = dj_utf8_at(text + at, size - at);
        if (next.code < 0) {
            return false;
        }
        at += next.bytes;
    }
    return true;
}

/* A server takes UTF-8 only; a byte that is none is U+FFFD there. The caller frees it. */
static char *mend(const char *text, size_t size)
{
    struct dj_text mended = {0};
    size_t at = 0;
    while (at < size) {
        struct dj_utf8 next = dj_utf8_at(text + at, size - at);
        if (next.code < 0) {
            dj_text_string(&mended, "\xEF\xBF\xBD");
        } else {
            dj_text_append(&mended, text + at, next.bytes);
        }
        at += next.bytes;
    }
    if (mended.failed) {
        dj_text_finish(&mended);
    }
    return mended.data;
}

static int bind_text(struct postgres_statement *to, int at,
                     const struct dj_sql_value *value, struct dj_error *err)
{
    to->values[at] = value->bytes;
    if (!is_utf8(value->bytes, value->size)) {
        free(to->owned[at]);
        to->owned[at] = mend(value->bytes, value->size);
        to->values[at] = to->owned[at];
    }
    if (to->values[at] == NULL) {
        return dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    to->lengths[at] = (int)strlen(to->values[at]);
    return 0;
}

static int bind(struct dj_statement *statement, int index,
                const struct dj_sql_value *value, struct dj_error *err)
{
    struct postgres_statement *to = own(statement);
    int at = index - 1;
    if (at >= to->count || value->size > INT32_MAX) {
        return dj_error_set(err, DJ_E_LIMIT, "%s: a value is too large",
                            statement->history->path);
    }
    to->formats[at] = BINARY;
    to->kinds[at] = kind_of(value->kind == DJ_SQL_NULL ? value->meant : value->kind);
    to->values[at] = NULL;
    to->lengths[at] = 0;
    if (value->kind == DJ_SQL_TEXT) {
        return bind_text(to, at, value, err);
    }
    if (value->kind == DJ_SQL_BYTES) {
        to->values[at] = value->size > 0 ? value->bytes : "";
        to->lengths[at] = (int)value->size;
    } else if (value->kind != DJ_SQL_NULL) {
        uint64_t bits = (uint64_t)value->number;
        if (value->kind == DJ_SQL_DOUBLE) {
            memcpy(&bits, &value->real, sizeof(bits));
        }
        to->numbers[at] = htobe64(bits);
        to->values[at] = (const char *)&to->numbers[at];
        to->lengths[at] = sizeof(bits);
    }
    return 0;
}

/* ---- rows ---- */

static void stream(struct dj_statement *statement)
{
    own(statement)->streams = true;
}

static PGresult *next_result(struct postgres_statement *statement)
{
    PGconn *connection = link_of(statement->base.history)->connection;
    if (!statement->streams) {
        return PQexecParams(connection, statement->sql, statement->count,
                            statement->kinds, statement->values, statement->lengths,
                            statement->formats, BINARY);
    }
    if (!statement->begun) {
        if (PQsendQueryParams(connection, statement->sql, statement->count,
                              statement->kinds, statement->values, statement->lengths,
                              statement->formats, BINARY) == 0) {
            return NULL;
        }
        PQsetSingleRowMode(connection);
        statement->begun = true;
    }
    return PQgetResult(connection);
}

/* Outside of a transaction what only reads may be read again. */
static bool may_go_on(const struct postgres_statement *statement)
{
    const struct dj_history *history = statement->base.history;
    return dj_postgres_lost(history) && !link_of(history)->in_transaction &&
           strncmp(statement->sql, "SELECT", 6) == 0;
}

static int execute(struct postgres_statement *statement, const char *doing,
                   struct dj_error *err)
{
    struct dj_history *history = statement->base.history;
    PQclear(statement->result);
    statement->row = -1;
    statement->result = next_result(statement);
    if (may_go_on(statement)) {
        int code = dj_postgres_connect(history, err);
        if (code != 0) {
            return code;
        }
        PQclear(statement->result);
        statement->begun = false;
        statement->result = next_result(statement);
    }
    switch (PQresultStatus(statement->result)) {
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
    case PGRES_SINGLE_TUPLE:
        return 0;
    default:
        return dj_postgres_fail(history, statement->result, doing, err);
    }
}

/* A column of a kind that nobody here asked for would be read as something else. */
static int check_kinds(const struct postgres_statement *statement, struct dj_error *err)
{
    static const Oid known[] = {KIND_BOOL,  KIND_BYTES, KIND_NAME,  KIND_INT64,
                                KIND_INT32, KIND_TEXT,  KIND_DOUBLE};
    for (int column = 0; column < PQnfields(statement->result); column++) {
        bool found = false;
        for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
            found = found || PQftype(statement->result, column) == known[i];
        }
        if (!found) {
            return dj_error_set(
                err, DJ_E_INVALID, "%s: the column %s is of no known kind",
                statement->base.history->path, PQfname(statement->result, column));
        }
    }
    return 0;
}

static int step(struct dj_statement *statement, const char *doing, struct dj_error *err)
{
    struct postgres_statement *stepped = own(statement);
    bool first = stepped->result == NULL;
    if (first ||
        (stepped->streams && PQresultStatus(stepped->result) == PGRES_SINGLE_TUPLE)) {
        int code = execute(stepped, doing, err);
        code = code == 0 && first ? check_kinds(stepped, err) : code;
        if (code != 0) {
            return code;
        }
    }
    return ++stepped->row < PQntuples(stepped->result);
}

static int width(struct dj_statement *row)
{
    return PQnfields(own(row)->result);
}

static const char *name(struct dj_statement *row, int index)
{
    return PQfname(own(row)->result, index);
}

static uint64_t bits_of(const char *bytes)
{
    uint64_t bits;
    memcpy(&bits, bytes, sizeof(bits));
    return be64toh(bits);
}

static int32_t int32_of(const char *bytes)
{
    uint32_t bits;
    memcpy(&bits, bytes, sizeof(bits));
    return (int32_t)be32toh(bits);
}

static void column(struct dj_statement *row, int index, struct dj_sql_value *value)
{
    const struct postgres_statement *of = own(row);
    *value = (struct dj_sql_value){0};
    if (index >= PQnfields(of->result) || PQgetisnull(of->result, of->row, index) != 0) {
        return;
    }
    const char *bytes = PQgetvalue(of->result, of->row, index);
    value->size = (size_t)PQgetlength(of->result, of->row, index);
    uint64_t bits;
    switch (PQftype(of->result, index)) {
    case KIND_INT64:
        value->kind = DJ_SQL_INT;
        value->number = (int64_t)bits_of(bytes);
        break;
    case KIND_INT32:
        value->kind = DJ_SQL_INT;
        value->number = int32_of(bytes);
        break;
    case KIND_BOOL:
        value->kind = DJ_SQL_INT;
        value->number = bytes[0];
        break;
    case KIND_DOUBLE:
        bits = bits_of(bytes);
        value->kind = DJ_SQL_DOUBLE;
        memcpy(&value->real, &bits, sizeof(bits));
        break;
    case KIND_BYTES:
        value->kind = DJ_SQL_BYTES;
        value->bytes = bytes;
        break;
    default:
        value->kind = DJ_SQL_TEXT;
        value->bytes = bytes;
        break;
    }
}

static void again(struct dj_statement *statement)
{
    struct postgres_statement *reset = own(statement);
    PQclear(reset->result);
    reset->result = NULL;
    reset->row = -1;
}

static int64_t changed(struct dj_statement *statement)
{
    return strtoll(PQcmdTuples(own(statement)->result), NULL, 10);
}

/* ---- without parameters ---- */

static int command(struct dj_history *history, const char *sql, const char *doing,
                   struct dj_error *err)
{
    PGresult *result = PQexec(link_of(history)->connection, sql);
    ExecStatusType status = PQresultStatus(result);
    int code = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK
                   ? 0
                   : dj_postgres_fail(history, result, doing, err);
    PQclear(result);
    return code;
}

static int script(struct dj_history *history, const char *sql, const char *doing,
                  struct dj_error *err)
{
    struct dj_text text = {0};
    dj_dialect_of_postgres(sql, &text);
    int code = text.failed ? dj_error_set(err, DJ_E_NO_MEMORY, "out of memory")
                           : command(history, dj_text_get(&text), doing, err);
    dj_text_finish(&text);
    return code;
}

/* ---- transactions ---- */

/* Writers come one after the other, as with SQLite: what one has read while it writes
 * stays true. The lock ends with the transaction, or with the connection. */
static int begin(struct dj_history *history, bool writing, struct dj_error *err)
{
    static const char to_read[] = "BEGIN ISOLATION LEVEL REPEATABLE READ";
    static const char to_write[] =
        "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;"
        " SELECT pg_advisory_xact_lock(1684696683, hashtext(current_schema()))";
    struct dj_postgres *link = link_of(history);
    const char *sql = writing ? to_write : to_read;
    const char *doing = writing ? "write to it" : "read it";
    int code = command(history, sql, doing, err);
    if (code != 0 && dj_postgres_lost(history)) {
        code = dj_postgres_connect(history, err);
        code = code == 0 ? command(history, sql, doing, err) : code;
    }
    if (code != 0 && !dj_postgres_lost(history)) {
        PQclear(PQexec(link->connection, "ROLLBACK"));
    }
    link->in_transaction = code == 0;
    return code;
}

static int commit(struct dj_history *history, struct dj_error *err)
{
    PGresult *result = PQexec(link_of(history)->connection, "COMMIT");
    int code = 0;
    if (PQresultStatus(result) != PGRES_COMMAND_OK) {
        code = dj_postgres_fail(history, result, "write to it", err);
    } else if (strcmp(PQcmdStatus(result), "COMMIT") != 0) {
        code =
            dj_error_set(err, DJ_E_INVALID,
                         "%s: cannot write to it: the server rolled back", history->path);
    }
    PQclear(result);
    return code;
}

static int end(struct dj_history *history, int code, struct dj_error *err)
{
    struct dj_postgres *link = link_of(history);
    if (code == 0) {
        code = commit(history, err);
    }
    if (code != 0 && !dj_postgres_lost(history)) {
        PQclear(PQexec(link->connection, "ROLLBACK"));
    }
    link->in_transaction = false;
    return code;
}

static int stage(struct dj_history *history, const char *table, struct dj_error *err)
{
    char sql[192];
    snprintf(sql, sizeof(sql),
             "CREATE TEMP TABLE src_%s (LIKE %s INCLUDING INDEXES) ON COMMIT DROP", table,
             table);
    return command(history, sql, "copy to it", err);
}

const struct dj_sql_engine dj_postgres_engine = {
    .not_ours =
        "there are tables of others, and no store of dejank: give it a schema or a "
        "database of its own",
    .empty = "there is no store in this database yet; dejank run and import make it",
    .open = dj_postgres_open,
    .set_up = dj_postgres_set_up,
    .prepare = prepare,
    .bind = bind,
    .step = step,
    .stream = stream,
    .width = width,
    .name = name,
    .column = column,
    .again = again,
    .finish = finish,
    .changed = changed,
    .script = script,
    .begin = begin,
    .end = end,
    .lost = dj_postgres_lost,
    .connect = dj_postgres_connect,
    .look = dj_postgres_look,
    .mark = dj_postgres_mark,
    .check_schema = dj_postgres_check_schema,
    .check_rows = dj_postgres_check_rows,
    .stage = stage,
    .close = dj_postgres_close,
};
