/* Runs statements on PostgreSQL. connect.c connects, and values.c converts values. */
#include "store/postgres/engine.h"

#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "store/postgres/translate.h"

static struct dj_postgres *get_link(const struct dj_store *store)
{
    return store->link;
}

static void finish_statement(struct dj_statement *statement)
{
    struct dj_postgres_statement *finished = dj_postgres_statement_of(statement);
    struct dj_postgres *link = get_link(statement->store);
    PGresult *rest;
    dj_libpq->PQclear(finished->result);
    while (finished->is_streaming && finished->is_sent &&
           (rest = dj_libpq->PQgetResult(link->connection)) != NULL) {
        dj_libpq->PQclear(rest);
    }
    for (int i = 0; i < finished->count; i++) {
        free(finished->owned[i]);
    }
    free(finished->sql);
    free(finished);
}

static int prepare_statement(struct dj_store *store, const char *sql,
                             struct dj_statement **statement, struct dj_error *err)
{
    struct dj_postgres_statement *made = dj_xcalloc(1, sizeof(*made));
    struct dj_text text = {0};
    made->base.store = store;
    made->count = dj_translate_sql(sql, &text);
    made->row = -1;
    made->sql = dj_xtext_detach(&text);
    *statement = &made->base;
    if (made->count > DJ_POSTGRES_PARAMETERS) {
        made->count = 0;
        return dj_error_set(err, DJ_E_LIMIT,
                            "%s: a statement has more parameters than dejank can bind",
                            store->path);
    }
    return 0;
}

static void stream_rows(struct dj_statement *statement)
{
    dj_postgres_statement_of(statement)->is_streaming = true;
}

static PGresult *get_next_result(struct dj_postgres_statement *statement)
{
    PGconn *connection = get_link(statement->base.store)->connection;
    if (!statement->is_streaming) {
        return dj_libpq->PQexecParams(connection, statement->sql, statement->count,
                                      statement->kinds, statement->values,
                                      statement->lengths, statement->formats,
                                      DJ_POSTGRES_BINARY);
    }
    if (!statement->is_sent) {
        if (dj_libpq->PQsendQueryParams(connection, statement->sql, statement->count,
                                        statement->kinds, statement->values,
                                        statement->lengths, statement->formats,
                                        DJ_POSTGRES_BINARY) == 0) {
            return NULL;
        }
        dj_libpq->PQsetSingleRowMode(connection);
        statement->is_sent = true;
    }
    return dj_libpq->PQgetResult(connection);
}

/* Returns whether the statement may be repeated after the connection was lost. This is
 * safe for a SELECT that has returned no row yet, outside of a transaction. */
static bool may_retry(const struct dj_postgres_statement *statement)
{
    const struct dj_store *store = statement->base.store;
    return dj_postgres_is_lost(store) && !get_link(store)->in_transaction &&
           !statement->has_returned_rows && strncmp(statement->sql, "SELECT", 6) == 0;
}

static int execute_statement(struct dj_postgres_statement *statement, const char *doing,
                             struct dj_error *err)
{
    struct dj_store *store = statement->base.store;
    dj_libpq->PQclear(statement->result);
    statement->row = -1;
    statement->result = get_next_result(statement);
    if (may_retry(statement)) {
        int code = dj_postgres_connect(store, err);
        if (code != 0) {
            return code;
        }
        dj_libpq->PQclear(statement->result);
        statement->is_sent = false;
        statement->result = get_next_result(statement);
    }
    switch (dj_libpq->PQresultStatus(statement->result)) {
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
    case PGRES_SINGLE_TUPLE:
        return 0;
    default:
        return dj_postgres_fail(store, statement->result, doing, err);
    }
}

static int step_statement(struct dj_statement *statement, const char *doing,
                          struct dj_error *err)
{
    struct dj_postgres_statement *stepped = dj_postgres_statement_of(statement);
    bool first = stepped->result == NULL;
    if (first || (stepped->is_streaming &&
                  dj_libpq->PQresultStatus(stepped->result) == PGRES_SINGLE_TUPLE)) {
        int code = execute_statement(stepped, doing, err);
        code = code == 0 && first ? dj_postgres_check_kinds(stepped, err) : code;
        if (code != 0) {
            return code;
        }
    }
    bool there = ++stepped->row < dj_libpq->PQntuples(stepped->result);
    stepped->has_returned_rows = stepped->has_returned_rows || there;
    return there;
}

static int count_columns(struct dj_statement *row)
{
    return dj_libpq->PQnfields(dj_postgres_statement_of(row)->result);
}

static const char *get_column_name(struct dj_statement *row, int index)
{
    return dj_libpq->PQfname(dj_postgres_statement_of(row)->result, index);
}

static void reset_statement(struct dj_statement *statement)
{
    struct dj_postgres_statement *reset = dj_postgres_statement_of(statement);
    dj_libpq->PQclear(reset->result);
    reset->result = NULL;
    reset->row = -1;
    reset->has_returned_rows = false;
}

static int64_t count_changed_rows(struct dj_statement *statement)
{
    return strtoll(dj_libpq->PQcmdTuples(dj_postgres_statement_of(statement)->result),
                   NULL, 10);
}

static int run_command(struct dj_store *store, const char *sql, const char *doing,
                       struct dj_error *err)
{
    PGresult *result = dj_libpq->PQexec(get_link(store)->connection, sql);
    ExecStatusType status = dj_libpq->PQresultStatus(result);
    int code = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK
                   ? 0
                   : dj_postgres_fail(store, result, doing, err);
    dj_libpq->PQclear(result);
    return code;
}

static int run_script(struct dj_store *store, const char *sql, const char *doing,
                      struct dj_error *err)
{
    struct dj_text text = {0};
    dj_translate_sql(sql, &text);
    int code = run_command(store, dj_xtext(&text), doing, err);
    dj_text_finish(&text);
    return code;
}

static void roll_back(struct dj_store *store)
{
    if (!dj_postgres_is_lost(store)) {
        dj_libpq->PQclear(dj_libpq->PQexec(get_link(store)->connection, "ROLLBACK"));
    }
}

/* Begins a transaction. Writers hold an advisory lock until the end of the transaction,
 * so they run one after the other as with SQLite. Data that a writer has read cannot
 * change before it commits. */
static int begin_transaction(struct dj_store *store, bool writing, struct dj_error *err)
{
    static const char to_read[] = "BEGIN ISOLATION LEVEL REPEATABLE READ";
    static const char to_write[] =
        "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;"
        " SELECT pg_advisory_xact_lock(1684696683, hashtext(current_schema()))";
    struct dj_postgres *link = get_link(store);
    const char *sql = writing ? to_write : to_read;
    const char *doing = writing ? "write to it" : "read it";
    int code = run_command(store, sql, doing, err);
    if (code != 0 && dj_postgres_is_lost(store)) {
        code = dj_postgres_connect(store, err);
        code = code == 0 ? run_command(store, sql, doing, err) : code;
    }
    if (code != 0) {
        roll_back(store);
    }
    link->in_transaction = code == 0;
    return code;
}

static int commit(struct dj_store *store, struct dj_error *err)
{
    PGresult *result = dj_libpq->PQexec(get_link(store)->connection, "COMMIT");
    int code = 0;
    if (dj_libpq->PQresultStatus(result) != PGRES_COMMAND_OK) {
        code = dj_postgres_fail(store, result, "write to it", err);
    } else if (strcmp(dj_libpq->PQcmdStatus(result), "COMMIT") != 0) {
        code =
            dj_error_set(err, DJ_E_INVALID,
                         "%s: cannot write to it: the server rolled back", store->path);
    }
    dj_libpq->PQclear(result);
    return code;
}

static int end_transaction(struct dj_store *store, int code, struct dj_error *err)
{
    if (code == 0) {
        code = commit(store, err);
    }
    if (code != 0) {
        roll_back(store);
    }
    get_link(store)->in_transaction = false;
    return code;
}

static int create_copy_table(struct dj_store *store, const char *table,
                             struct dj_error *err)
{
    char sql[192];
    snprintf(sql, sizeof(sql),
             "CREATE TEMP TABLE src_%s (LIKE %s INCLUDING INDEXES) ON COMMIT DROP", table,
             table);
    return run_command(store, sql, "copy to it", err);
}

/* Updates the statistics of the query planner. Without them the server assumes that each
 * table is small, and scans whole tables for the rows of a batch. The server collects
 * statistics by itself only after about a minute. If the server refuses, there is no
 * error. */
static void analyze(struct dj_store *store)
{
    dj_libpq->PQclear(dj_libpq->PQexec(
        get_link(store)->connection,
        "ANALYZE projects, builds, devices, device_facts, batches, runs,"
        " windows, metrics, histograms, conditions, evidence, series, points"));
}

const struct dj_sql_engine dj_postgres_engine = {
    .batches_per_query = 10000,
    .change_counter = "SELECT CAST(coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)"
                      " AS bigint) FROM pg_stat_user_tables"
                      " WHERE schemaname = current_schema()",
    .not_ours = "there are tables of other programs and no dejank store. hint: use "
                "another schema or database",
    .empty = "there is no store in this database yet. hint: 'dejank run' and 'dejank "
             "import' create it",
    .open = dj_postgres_open,
    .prepare = prepare_statement,
    .bind = dj_postgres_bind,
    .step = step_statement,
    .stream = stream_rows,
    .width = count_columns,
    .name = get_column_name,
    .column = dj_postgres_column,
    .reset_statement = reset_statement,
    .finish = finish_statement,
    .changed = count_changed_rows,
    .run_script = run_script,
    .begin = begin_transaction,
    .end = end_transaction,
    .lost = dj_postgres_is_lost,
    .connect = dj_postgres_connect,
    .read_content = dj_postgres_read_content,
    .write_version = dj_postgres_write_version,
    .compare_schema = dj_postgres_compare_schema,
    .check_rows = dj_postgres_check_rows,
    .create_copy_table = create_copy_table,
    .analyze = analyze,
    .close = dj_postgres_close,
};
