#include "serve/exchange.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/ingest.h"
#include "memory/memory.h"
#include "process/deadline.h"
#include "serve/error_page.h"
#include "serve/exchange/state.h"
#include "serve/watch.h"

enum { BODIES_BYTES_MAX = 128 << 20 };

void *dj_serve_begin_exchange(void *user, const char *target,
                              struct MHD_Connection *connection)
{
    struct dj_exchange *exchange = dj_xcalloc(1, sizeof(*exchange));
    exchange->server = user;
    exchange->connection = connection;
    exchange->target = dj_xstrdup(target);
    exchange->begun_ns = dj_host_now_ns();
    exchange->event_id =
        dj_serve_get_last_event(dj_serve_get_store_events(exchange->server->watch));
    atomic_fetch_add(&exchange->server->exchanges, 1);
    return exchange;
}

/* Fills the reply with the error. The reply never contains the path of the store. Only
 * the log contains it. */
static void refuse_failure(struct dj_exchange *exchange, const struct dj_store *store,
                           unsigned status, const char *message)
{
    bool names_store = exchange->route->is_public || store == NULL ||
                       strstr(message, dj_store_path(store)) != NULL;
    if (status == MHD_HTTP_SERVICE_UNAVAILABLE && names_store) {
        dj_serve_log(exchange->server, "%s", message);
        message = "The store cannot be read. The log of the server says why.";
    }
    dj_exchange_refuse(exchange, status, message);
}

static int64_t get_latest_ns(void *user)
{
    struct dj_server *server = user;
    return atomic_load(&server->is_stopping) ? 0 : INT64_MAX;
}

/* Calls the handler of the request. Runs in a worker thread. If the server is stopping,
 * the handler does not wait for devices. */
static void answer(struct dj_job *job, struct dj_store *store, const struct dj_error *err)
{
    struct dj_exchange *exchange = (struct dj_exchange *)job;
    struct dj_call call = {
        exchange->server,
        &exchange->request,
        store,
        exchange->csrf,
        &exchange->reply,
        exchange->event_id,
        &exchange->body,
        dj_exchange_get_header(exchange, MHD_HTTP_HEADER_CONTENT_ENCODING)};
    struct dj_error failure = *err;
    int code = failure.code;
    bool has_store = !job->needs_no_store;
    dj_process_set_thread_interrupt(
        (struct dj_interrupt_request){get_latest_ns, exchange->server});
    if (code == 0) {
        code = exchange->route->handle(&call, &failure);
    }
    if (code != 0) {
        unsigned status = dj_serve_choose_status(code, err->code != 0);
        dj_text_clear(&exchange->reply.body);
        if (has_store) {
            refuse_failure(exchange, store, status, failure.message);
        } else {
            dj_exchange_refuse(exchange, status, failure.message);
        }
    }
    exchange->is_answered = true;
    dj_microhttpd->MHD_resume_connection(exchange->connection);
}

/* Parses the target and the method. They determine the maximum length of the body. */
static void read_head(struct dj_exchange *exchange, const char *method)
{
    exchange->is_begun = true;
    snprintf(exchange->method, sizeof(exchange->method), "%s", method);
    if (dj_serve_parse_target(exchange->target, &exchange->request,
                              &exchange->target_error) == 0) {
        exchange->route = dj_serve_find_route(exchange->method, &exchange->request,
                                              &exchange->has_path);
    }
    bool is_long = dj_exchange_is_ingest(exchange) && dj_exchange_may_ingest(exchange);
    exchange->body.maximum = is_long ? DJ_INGEST_BODY_MOST : DJ_FORM_BYTES_MAX;
    exchange->wait_s = is_long ? dj_exchange_count_ingest(exchange) : 0;
    exchange->is_body_dropped = exchange->wait_s > 0;
}

static void drop_body(struct dj_exchange *exchange)
{
    exchange->is_body_dropped = true;
    atomic_fetch_sub(&exchange->server->body_bytes, exchange->body.length);
    dj_text_finish(&exchange->body);
}

/* Stores a part of the body. The total size of all bodies is limited too. */
static void read_body(struct dj_exchange *exchange, const char *bytes, size_t length)
{
    atomic_size_t *total = &exchange->server->body_bytes;
    if (exchange->is_body_dropped) {
        return;
    }
    dj_text_append(&exchange->body, bytes, length);
    exchange->is_body_too_long = exchange->body.failed;
    if (exchange->body.failed ||
        atomic_fetch_add(total, length) + length > BODIES_BYTES_MAX) {
        drop_body(exchange);
    }
}

enum MHD_Result dj_serve_continue_exchange(void *user, struct MHD_Connection *connection,
                                           const char *url, const char *method,
                                           const char *version, const char *upload,
                                           size_t *upload_size, void **context)
{
    struct dj_server *server = user;
    struct dj_exchange *exchange = *context;
    (void)connection;
    (void)url;
    (void)version;
    if (exchange->is_answered) {
        return dj_exchange_send_reply(exchange);
    }
    if (!exchange->is_begun) {
        read_head(exchange, method);
        /* libmicrohttpd closes the connection if it gets an answer before the whole
         * request was read. */
        return MHD_YES;
    }
    if (*upload_size > 0) {
        read_body(exchange, upload, *upload_size);
        *upload_size = 0;
        return MHD_YES;
    }
    if (!dj_exchange_check(exchange)) {
        return dj_exchange_send_reply(exchange);
    }
    if (exchange->route->kind == DJ_ROUTE_STREAM) {
        return dj_exchange_send_stream(exchange);
    }
    exchange->job.run = answer;
    exchange->job.needs_no_store = exchange->route->threads == DJ_THREADS_FLEET ||
                                   exchange->route->threads == DJ_THREADS_SPOOL;
    dj_microhttpd->MHD_suspend_connection(exchange->connection);
    if (!dj_serve_add_job(server->workers[exchange->route->threads], &exchange->job)) {
        dj_exchange_refuse_busy(exchange);
        exchange->is_answered = true;
        dj_microhttpd->MHD_resume_connection(exchange->connection);
    }
    return MHD_YES;
}

static void log_exchange(const struct dj_exchange *exchange)
{
    char address[INET6_ADDRSTRLEN] = "?";
    struct dj_text path = {0};
    const union MHD_ConnectionInfo *info = dj_microhttpd->MHD_get_connection_info(
        exchange->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (info != NULL && info->client_addr != NULL) {
        const struct sockaddr *peer = info->client_addr;
        const void *bytes =
            peer->sa_family == AF_INET6
                ? (const void *)&((const struct sockaddr_in6 *)(const void *)peer)
                      ->sin6_addr
                : (const void *)&((const struct sockaddr_in *)(const void *)peer)
                      ->sin_addr;
        inet_ntop(peer->sa_family, bytes, address, sizeof(address));
    }
    /* The query is not logged, because it may contain a token. */
    dj_text_append_escaped(&path, exchange->target, strcspn(exchange->target, "?"));
    dj_serve_log(exchange->server, "%s %s %.300s %u %zu bytes %.1f ms", address,
                 exchange->method, dj_xtext(&path), exchange->status, exchange->sent,
                 (double)(dj_host_now_ns() - exchange->begun_ns) / 1e6);
    dj_text_finish(&path);
}

void dj_serve_end_exchange(void *user, struct MHD_Connection *connection, void **context,
                           enum MHD_RequestTerminationCode code)
{
    struct dj_exchange *exchange = *context;
    (void)user;
    (void)connection;
    (void)code;
    if (exchange == NULL) {
        return;
    }
    if (exchange->is_begun && !exchange->server->options.is_quiet) {
        log_exchange(exchange);
    }
    atomic_fetch_sub(&exchange->server->exchanges, 1);
    dj_serve_finish_request(&exchange->request);
    dj_serve_finish_reply(&exchange->reply);
    drop_body(exchange);
    free(exchange->target);
    free(exchange);
    *context = NULL;
}
