/* Converts values to and from PostgreSQL's binary format, which is exact for numbers and
 * needs no escaping. */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "memory/memory.h"
#include "store/postgres/engine.h"

/* PostgreSQL's OIDs of the types that dejank's statements use. */
enum {
    KIND_BOOL = 16,
    KIND_BYTES = 17,
    KIND_NAME = 19,
    KIND_INT64 = 20,
    KIND_INT32 = 23,
    KIND_TEXT = 25,
    KIND_DOUBLE = 701
};

static const struct {
    Oid type;
    enum dj_sql_kind kind;
} types[] = {{KIND_BOOL, DJ_SQL_INT},     {KIND_BYTES, DJ_SQL_BYTES},
             {KIND_NAME, DJ_SQL_TEXT},    {KIND_INT64, DJ_SQL_INT},
             {KIND_INT32, DJ_SQL_INT},    {KIND_TEXT, DJ_SQL_TEXT},
             {KIND_DOUBLE, DJ_SQL_DOUBLE}};

static const Oid kinds[] = {[DJ_SQL_NULL] = 0,
                            [DJ_SQL_INT] = KIND_INT64,
                            [DJ_SQL_DOUBLE] = KIND_DOUBLE,
                            [DJ_SQL_TEXT] = KIND_TEXT,
                            [DJ_SQL_BYTES] = KIND_BYTES};

/* Returns a copy of the text in which each invalid byte is replaced by U+FFFD, because
 * the server accepts only UTF-8. The caller frees the copy. */
static char *replace_invalid_utf8(const char *text, size_t size)
{
    struct dj_text valid = {0};
    size_t at = 0;
    while (at < size) {
        struct dj_utf8 next = dj_utf8_at(text + at, size - at);
        if (next.code < 0) {
            dj_text_add(&valid, "\xEF\xBF\xBD");
        } else {
            dj_text_append(&valid, text + at, next.bytes);
        }
        at += next.bytes;
    }
    return dj_xtext_detach(&valid);
}

static void bind_text(struct dj_postgres_statement *to, int at,
                      const struct dj_sql_value *value)
{
    free(to->owned[at]);
    to->owned[at] = replace_invalid_utf8(value->bytes, value->size);
    to->values[at] = to->owned[at];
    to->lengths[at] = (int)strlen(to->values[at]);
}

int dj_postgres_bind(struct dj_statement *statement, int index,
                     const struct dj_sql_value *value, struct dj_error *err)
{
    struct dj_postgres_statement *to = dj_postgres_statement_of(statement);
    int at = index - 1;
    if (at >= to->count) {
        return dj_error_set(err, DJ_E_LIMIT, "%s: a statement has no parameter %d",
                            statement->store->path, index);
    }
    if (value->size > INT32_MAX) {
        return dj_error_set(err, DJ_E_LIMIT,
                            "%s: a value has %zu bytes: PostgreSQL accepts at most %d",
                            statement->store->path, (size_t)value->size, INT32_MAX);
    }
    to->formats[at] = DJ_POSTGRES_BINARY;
    to->kinds[at] = kinds[value->kind == DJ_SQL_NULL ? value->meant : value->kind];
    to->values[at] = NULL;
    to->lengths[at] = 0;
    if (value->kind == DJ_SQL_TEXT) {
        bind_text(to, at, value);
    } else if (value->kind == DJ_SQL_BYTES) {
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

/* Returns the kind of a column's type, or DJ_SQL_NULL if dejank's statements do not use
 * the type. */
static enum dj_sql_kind get_column_kind(const PGresult *result, int column)
{
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        if (dj_libpq->PQftype(result, column) == types[i].type) {
            return types[i].kind;
        }
    }
    return DJ_SQL_NULL;
}

int dj_postgres_check_kinds(const struct dj_postgres_statement *statement,
                            struct dj_error *err)
{
    for (int column = 0; column < dj_libpq->PQnfields(statement->result); column++) {
        if (get_column_kind(statement->result, column) == DJ_SQL_NULL) {
            return dj_error_set(err, DJ_E_INVALID,
                                "%s: the column %s has an unexpected type",
                                statement->base.store->path,
                                dj_libpq->PQfname(statement->result, column));
        }
    }
    return 0;
}

static uint64_t read_uint64(const char *bytes)
{
    uint64_t bits;
    memcpy(&bits, bytes, sizeof(bits));
    return be64toh(bits);
}

static int32_t read_int32(const char *bytes)
{
    uint32_t bits;
    memcpy(&bits, bytes, sizeof(bits));
    return (int32_t)be32toh(bits);
}

void dj_postgres_column(struct dj_statement *row, int index, struct dj_sql_value *value)
{
    const struct dj_postgres_statement *of = dj_postgres_statement_of(row);
    *value = (struct dj_sql_value){0};
    if (index >= dj_libpq->PQnfields(of->result) ||
        dj_libpq->PQgetisnull(of->result, of->row, index) != 0) {
        return;
    }
    const char *bytes = dj_libpq->PQgetvalue(of->result, of->row, index);
    value->size = (size_t)dj_libpq->PQgetlength(of->result, of->row, index);
    value->kind = get_column_kind(of->result, index);
    if (value->kind == DJ_SQL_INT) {
        value->number = value->size == sizeof(int64_t)   ? (int64_t)read_uint64(bytes)
                        : value->size == sizeof(int32_t) ? read_int32(bytes)
                                                         : bytes[0];
    } else if (value->kind == DJ_SQL_DOUBLE) {
        uint64_t bits = read_uint64(bytes);
        memcpy(&value->real, &bits, sizeof(bits));
    } else {
        value->bytes = bytes;
    }
}
