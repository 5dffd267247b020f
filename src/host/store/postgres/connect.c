/* Connects to PostgreSQL and converts its errors. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "memory/memory.h"
#include "process/deadline.h"
#include "store/postgres/engine.h"
#include "store/store.h"
#include "store/url.h"

/* Maximum time to wait for a server that is being restarted. */
static const int64_t RETRY_NS = 10 * DJ_SECOND_NS;
enum { PAUSE_NS = 250000000 };

DJ_LIBRARY_DEFINE(dj_libpq, DJ_LIBPQ_FUNCTIONS, "libpq.so.5", "libpq5",
                  "stores on a PostgreSQL server");

int dj_store_load_libpq(struct dj_error *err)
{
    return dj_device_library_load(&dj_libpq_library, err);
}

/* Errors by SQLSTATE. `state` may have only the first characters, which are the class of
 * the error. */
static const struct {
    const char *state;
    int code;
    const char *means; /* The message, or NULL to use the message of the server. */
} failures[] = {
    {"42501", DJ_E_OUTPUT, NULL}, /* SQLSTATE of insufficient privilege. */
    {"25006", DJ_E_OUTPUT, "it is read-only"},
    {"55P03", DJ_E_OUTPUT, "another process keeps writing to it"},
    /* The disk, the memory or the number of connections is exhausted. */
    {"53", DJ_E_OUTPUT, NULL},
    {"54", DJ_E_LIMIT, NULL},
    /* The statement exceeded the time limit of the server. */
    {"57014", DJ_E_OUTPUT, NULL},
    {"57P", DJ_E_IO, NULL}, /* The server is starting or stopping. */
    {"08", DJ_E_IO, NULL},
};

/* Appends a message of libpq as one line. Such a message ends with a newline and may have
 * several lines. */
static void append_line(struct dj_text *line, const char *message)
{
    size_t length = strlen(message);
    while (length > 0 && strchr("\n ", message[length - 1]) != NULL) {
        length--;
    }
    for (size_t i = 0; i < length; i++) {
        if (message[i] == '\n') {
            dj_text_add(line, message[i + 1] == '\t' ? "" : "; ");
        } else {
            dj_text_append(line, message[i] == '\t' ? " " : &message[i], 1);
        }
    }
}

static int report_failure(const struct dj_store *store, int code, const char *doing,
                          const char *why, struct dj_error *err)
{
    struct dj_text line = {0};
    append_line(&line, why);
    code =
        dj_error_set(err, code, "%s: cannot %s: %s", store->path, doing, dj_xtext(&line));
    dj_text_finish(&line);
    return code;
}

int dj_postgres_fail(const struct dj_store *store, const PGresult *result,
                     const char *doing, struct dj_error *err)
{
    const struct dj_postgres *link = store->link;
    const char *state = dj_libpq->PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *server_message =
        dj_libpq->PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    if (dj_postgres_is_lost(store)) {
        return report_failure(store, DJ_E_IO, doing,
                              "the connection to the server was lost", err);
    }
    server_message = server_message != NULL ? server_message
                                            : dj_libpq->PQerrorMessage(link->connection);
    /* Only errors of libpq itself have no SQLSTATE. If such an error means that there is
     * no memory, the program ends. */
    dj_xcheck(state != NULL || strstr(server_message, "out of memory") == NULL);
    for (size_t i = 0; state != NULL && i < COUNT_OF(failures); i++) {
        if (strncmp(state, failures[i].state, strlen(failures[i].state)) == 0) {
            return report_failure(
                store, failures[i].code, doing,
                failures[i].means != NULL ? failures[i].means : server_message, err);
        }
    }
    return report_failure(store, DJ_E_INVALID, doing, server_message, err);
}

bool dj_postgres_is_lost(const struct dj_store *store)
{
    const struct dj_postgres *link = store->link;
    return dj_libpq->PQstatus(link->connection) == CONNECTION_BAD;
}

/* Connects once. Sets timeouts that detect a broken network, unless the URL or the
 * environment sets them. */
static PGconn *connect_once(const char *url)
{
    const char *keywords[] = {"keepalives_idle",
                              "keepalives_interval",
                              "keepalives_count",
                              "tcp_user_timeout",
                              "fallback_application_name",
                              getenv("PGCONNECT_TIMEOUT") == NULL ? "connect_timeout"
                                                                  : "sslmode",
                              "dbname",
                              "client_encoding",
                              NULL};
    const char *values[] = {
        "20",    "5",      "3",
        "30000", "dejank", getenv("PGCONNECT_TIMEOUT") == NULL ? "10" : "",
        url,     "UTF8",   NULL};
    return dj_libpq->PQconnectdbParams(keywords, values, 1);
}

static void ignore_notice(void *data, const char *message)
{
    (void)data;
    (void)message;
}

/*
 * Configures the session:
 * - The search path has only the first schema that exists.
 * - Waiting for a lock ends after a limit. The server ends the transaction of a dead
 *   client before this limit, so that clients that wait for its lock can continue.
 * - A commit is on disk when it returns.
 * - JIT is off, because compiling took a second and no statement runs long enough to
 *   gain from it.
 */
static int set_session(struct dj_store *store, struct dj_error *err)
{
    static const char sql[] =
        "SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp',"
        " false), set_config('lock_timeout', '30s', false),"
        " set_config('idle_in_transaction_session_timeout', '20s', false),"
        " set_config('client_min_messages', 'error', false),"
        " CASE current_setting('synchronous_commit') WHEN 'off' THEN"
        " set_config('synchronous_commit', 'on', false) END, current_schema(),"
        " CASE current_setting('jit', true) WHEN 'on' THEN"
        " set_config('jit', 'off', false) END";
    struct dj_postgres *link = store->link;
    const char *encoding =
        dj_libpq->PQparameterStatus(link->connection, "server_encoding");
    dj_libpq->PQsetNoticeProcessor(link->connection, ignore_notice, NULL);
    PGresult *result = dj_libpq->PQexec(link->connection, sql);
    int code = 0;
    if (dj_libpq->PQresultStatus(result) != PGRES_TUPLES_OK) {
        code = dj_postgres_fail(store, result, "open it", err);
    } else if (dj_libpq->PQgetisnull(result, 0, 5) != 0) {
        code =
            dj_error_set(err, DJ_E_OUTPUT,
                         "%s: no schema in the user's search path exists", store->path);
    } else if (encoding != NULL && strcmp(encoding, "UTF8") != 0) {
        code = dj_error_set(err, DJ_E_INVALID,
                            "%s: the database has the encoding %s: expected UTF8",
                            store->path, encoding);
    }
    dj_libpq->PQclear(result);
    return code;
}

/* Returns an error that says whether the server refused the connection or is not running.
 * libpq's own error does not distinguish the two cases. */
static int report_refusal(struct dj_store *store, struct dj_error *err)
{
    struct dj_postgres *link = store->link;
    const char *keywords[] = {"connect_timeout", "dbname", NULL};
    const char *values[] = {"10", link->url, NULL};
    switch (dj_libpq->PQpingParams(keywords, values, 1)) {
    case PQPING_OK:
        return report_failure(store, DJ_E_OUTPUT, "open it",
                              dj_libpq->PQerrorMessage(link->connection), err);
    /* The message of libpq may contain secrets. */
    case PQPING_NO_ATTEMPT:
        return dj_error_set(err, DJ_E_USAGE,
                            "%s: PostgreSQL's library does not accept this URL, or an "
                            "option or file in it",
                            store->path);
    default:
        return report_failure(store, DJ_E_IO, "reach its server",
                              dj_libpq->PQerrorMessage(link->connection), err);
    }
}

static int try_to_connect(struct dj_store *store, struct dj_error *err)
{
    struct dj_postgres *link = store->link;
    dj_libpq->PQfinish(link->connection);
    link->in_transaction = false;
    link->connection = connect_once(link->url);
    dj_xcheck(link->connection != NULL);
    return dj_postgres_is_lost(store) ? report_refusal(store, err)
                                      : set_session(store, err);
}

int dj_postgres_connect(struct dj_store *store, struct dj_error *err)
{
    int64_t until_ns = dj_host_now_ns() + RETRY_NS;
    int code = try_to_connect(store, err);
    while (code == DJ_E_IO && dj_host_now_ns() < until_ns) {
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
        code = try_to_connect(store, err);
    }
    if (code != 0) {
        dj_error_prepend(err, "the connection was lost");
    }
    return code;
}

int dj_postgres_open(struct dj_store *store, const char *url, struct dj_error *err)
{
    int code = dj_store_load_libpq(err);
    if (code != 0) {
        dj_error_prepend(err, "%s", store->path);
        return code;
    }
    code = dj_store_url_check(url, err);
    if (code != 0) {
        return code;
    }
    struct dj_postgres *link = dj_xcalloc(1, sizeof(*link));
    store->link = link;
    link->url = dj_xstrdup(url);
    return try_to_connect(store, err);
}

void dj_postgres_close(struct dj_store *store)
{
    struct dj_postgres *link = store->link;
    if (link != NULL) {
        dj_libpq->PQfinish(link->connection);
        free(link->url);
        free(link);
    }
}
