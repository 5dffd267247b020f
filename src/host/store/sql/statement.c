#include "store/sql/statement.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "memory/memory.h"
#include "store/sql/engine.h"

static struct dj_sql_value read_argument(char letter, va_list *arguments)
{
    struct dj_sql_value value = {.meant = DJ_SQL_INT};
    const int64_t *known;
    bool is_null = false;
    switch (letter) {
    case 'd':
        value.meant = DJ_SQL_DOUBLE;
        value.real = va_arg(*arguments, double);
        is_null = isnan(value.real);
        break;
    case 't':
    case 's':
        value.meant = DJ_SQL_TEXT;
        value.bytes = va_arg(*arguments, const char *);
        is_null = value.bytes == NULL;
        value.size = is_null ? 0 : strlen(value.bytes);
        break;
    case 'b':
        value.meant = DJ_SQL_BYTES;
        value.bytes = va_arg(*arguments, const void *);
        value.size = va_arg(*arguments, size_t);
        break;
    case 'p':
        known = va_arg(*arguments, const int64_t *);
        is_null = known == NULL;
        value.number = is_null ? 0 : *known;
        break;
    default:
        value.number = va_arg(*arguments, int64_t);
        is_null = letter == 'k' && value.number == 0;
        break;
    }
    value.kind = is_null ? DJ_SQL_NULL : value.meant;
    return value;
}

static int bind_doubles(struct dj_statement *statement, int *index, va_list *arguments,
                        struct dj_error *err)
{
    const double *numbers = va_arg(*arguments, const double *);
    size_t count = va_arg(*arguments, size_t);
    int code = 0;
    for (size_t i = 0; i < count && code == 0; i++) {
        struct dj_sql_value value = {
            .kind = isnan(numbers[i]) ? DJ_SQL_NULL : DJ_SQL_DOUBLE, .real = numbers[i]};
        code = statement->store->engine->bind(statement, (*index)++, &value, err);
    }
    return code;
}

static int prepare_and_bind(struct dj_store *store, struct dj_statement **statement,
                            struct dj_error *err, const char *sql, const char *kinds,
                            va_list *arguments)
{
    int index = 1;
    *statement = NULL;
    int code = store->engine->prepare(store, sql, statement, err);
    for (int i = 0; code == 0 && kinds[i] != '\0'; i++) {
        if (kinds[i] == 'D') {
            code = bind_doubles(*statement, &index, arguments, err);
        } else {
            struct dj_sql_value value = read_argument(kinds[i], arguments);
            bool is_left_out = kinds[i] == 's' && value.kind == DJ_SQL_NULL;
            code =
                is_left_out ? 0 : store->engine->bind(*statement, index++, &value, err);
        }
    }
    if (code != 0) {
        dj_sql_finish(*statement);
        *statement = NULL;
    }
    return code;
}

/* Appends a query plan. Both databases describe each step in the last column. SQLite has
 * the parent step in an earlier column. PostgreSQL indents the text. */
static int append_steps(struct dj_statement *row, struct dj_text *plans,
                        struct dj_error *err)
{
    const struct dj_sql_engine *engine = row->store->engine;
    int code = 0;
    while (dj_sql_next_row(row, &code, err)) {
        int last = engine->width(row) - 1;
        dj_text_add(plans, last > 0 && dj_sql_int64(row, 1) != 0 ? "      " : "    ");
        dj_text_append_escaped_name(plans, dj_sql_word(row, last));
        dj_text_add(plans, "\n");
    }
    return code;
}

/* Appends the query plan of a statement, unless *store->plans already has the
 * statement. */
static int explain_statement(struct dj_store *store, struct dj_error *err,
                             const char *sql, const char *kinds, va_list *arguments)
{
    struct dj_text *plans = store->plans;
    struct dj_text explain_sql = {0};
    struct dj_statement *row = NULL;
    if (strncmp(sql, "SELECT", 6) != 0 || strstr(dj_text_get(plans), sql) != NULL) {
        return 0;
    }
    dj_text_format(plans, "%s%s\n", plans->length > 0 ? "\n" : "", sql);
    dj_text_format(&explain_sql, "EXPLAIN QUERY PLAN %s", sql);
    int code =
        prepare_and_bind(store, &row, err, dj_xtext(&explain_sql), kinds, arguments);
    code = code == 0 ? append_steps(row, plans, err) : code;
    dj_text_finish(&explain_sql);
    return code;
}

static int prepare_statement(struct dj_store *store, struct dj_statement **statement,
                             struct dj_error *err, const char *sql, const char *kinds,
                             va_list *arguments)
{
    int code = 0;
    *statement = NULL;
    if (store->plans != NULL) {
        va_list again;
        va_copy(again, *arguments);
        code = explain_statement(store, err, sql, kinds, &again);
        va_end(again);
    }
    return code == 0 ? prepare_and_bind(store, statement, err, sql, kinds, arguments)
                     : code;
}

int dj_sql_prepare(struct dj_store *store, struct dj_statement **statement,
                   struct dj_error *err, const char *sql, const char *kinds, ...)
{
    va_list arguments;
    va_start(arguments, kinds);
    int code = prepare_statement(store, statement, err, sql, kinds, &arguments);
    va_end(arguments);
    return code;
}

void dj_sql_finish(struct dj_statement *statement)
{
    if (statement != NULL) {
        statement->store->engine->finish(statement);
    }
}

void dj_sql_stream(struct dj_statement *statement)
{
    if (statement != NULL && statement->store->engine->stream != NULL) {
        statement->store->engine->stream(statement);
    }
}

bool dj_sql_next_row(struct dj_statement *row, int *code, struct dj_error *err)
{
    if (*code == 0) {
        int stepped = row->store->engine->step(row, "read it", err);
        if (stepped == 1) {
            return true;
        }
        *code = stepped;
    }
    dj_sql_finish(row);
    return false;
}

void dj_sql_metrics(struct dj_statement *row, int first, struct dj_metrics *metrics)
{
    for (int i = 0; i < DJ_METRIC_COUNT; i++) {
        metrics->value[i] = dj_sql_double(row, first + i);
    }
}

int dj_sql_change(struct dj_store *store, int64_t *changed, struct dj_error *err,
                  const char *sql, const char *kinds, ...)
{
    struct dj_statement *statement;
    va_list arguments;
    va_start(arguments, kinds);
    int code = prepare_statement(store, &statement, err, sql, kinds, &arguments);
    va_end(arguments);
    code = code == 0 ? store->engine->step(statement, "write to it", err) : code;
    if (changed != NULL) {
        *changed = code >= 0 ? store->engine->changed(statement) : 0;
    }
    dj_sql_finish(statement);
    return code < 0 ? code : 0;
}

int dj_sql_run_all(struct dj_store *store, const char *const *statements, size_t count,
                   struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < count && code == 0; i++) {
        code = dj_sql_run(store, err, statements[i], "");
    }
    return code;
}

int dj_sql_int(struct dj_store *store, int64_t *value, struct dj_error *err,
               const char *sql, const char *kinds, ...)
{
    struct dj_statement *row;
    va_list arguments;
    *value = 0;
    va_start(arguments, kinds);
    int code = prepare_statement(store, &row, err, sql, kinds, &arguments);
    va_end(arguments);
    if (code == 0) {
        code = store->engine->step(row, "read it", err);
        *value = code == 1 ? dj_sql_int64(row, 0) : 0;
    }
    dj_sql_finish(row);
    return code < 0 ? code : 0;
}

int dj_sql_next(struct dj_store *store, int64_t *key, const char *sql,
                struct dj_error *err)
{
    int code = dj_sql_int(store, key, err, sql, "i", *key);
    return code == 0 ? *key != 0 : code;
}

void dj_sql_narrow(struct dj_text *sql, bool is_wanted, const char *condition)
{
    if (is_wanted) {
        dj_text_format(sql, " AND %s", condition);
    }
}

static struct dj_sql_value read_column(struct dj_statement *row, int index)
{
    struct dj_sql_value value = {0};
    row->store->engine->column(row, index, &value);
    return value;
}

int64_t dj_sql_int64(struct dj_statement *row, int index)
{
    struct dj_sql_value value = read_column(row, index);
    return value.kind == DJ_SQL_INT ? value.number : 0;
}

double dj_sql_double(struct dj_statement *row, int index)
{
    struct dj_sql_value value = read_column(row, index);
    return value.kind == DJ_SQL_DOUBLE ? value.real
           : value.kind == DJ_SQL_INT  ? (double)value.number
                                       : (double)NAN;
}

const char *dj_sql_text(struct dj_statement *row, int index)
{
    struct dj_sql_value value = read_column(row, index);
    return value.kind == DJ_SQL_TEXT ? value.bytes : NULL;
}

const char *dj_sql_word(struct dj_statement *row, int index)
{
    const char *text = dj_sql_text(row, index);
    return text != NULL ? text : "";
}

const void *dj_sql_bytes(struct dj_statement *row, int index, size_t *size)
{
    struct dj_sql_value value = read_column(row, index);
    *size = value.size;
    return value.bytes;
}

int dj_sql_begin(struct dj_store *store, bool to_write, struct dj_error *err)
{
    return store->engine->begin(store, to_write, err);
}

int dj_sql_end(struct dj_store *store, int code, struct dj_error *err)
{
    return store->engine->end(store, code, err);
}

static int try_write(struct dj_store *store, const struct dj_sql_work *work, bool again,
                     struct dj_error *err)
{
    bool found = false;
    int code = dj_sql_begin(store, true, err);
    if (code != 0) {
        return code;
    }
    if (again && work->find != NULL) {
        code = work->find(store, work->data, &found, err);
    }
    code = code == 0 && !found ? work->write(store, work->data, err) : code;
    return dj_sql_end(store, code, err);
}

int dj_sql_write(struct dj_store *store, const struct dj_sql_work *work,
                 struct dj_error *err)
{
    const struct dj_sql_engine *engine = store->engine;
    int code = try_write(store, work, false, err);
    if (code != 0 && engine->lost != NULL && engine->lost(store)) {
        code = engine->connect(store, err);
        code = code == 0 ? try_write(store, work, true, err) : code;
    }
    return code;
}

void dj_sql_count_written(struct dj_store *store, int64_t rows)
{
    if (rows >= DJ_SQL_MANY_ROWS && store->engine->analyze != NULL) {
        store->engine->analyze(store);
    }
}

int64_t dj_sql_now_unix_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
