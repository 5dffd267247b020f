#include "serve/exchange.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "fleet/ingest.h"
#include "memory/memory.h"
#include "process/deadline.h"
#include "report/served_page.h"
#include "serve/error_page.h"
#include "serve/http/own_host.h"
#include "serve/live_views.h"
#include "serve/router.h"
#include "serve/state.h"
#include "serve/watch.h"
#include "store/sha256.h"

/* A new viewer of an app starts with the events of about the last 10 s. */
enum { BACKLOG = 220, BODIES_BYTES_MAX = 128 << 20 };

struct exchange {
    struct dj_job job; /* The first member: a job is an exchange. */
    struct dj_server *server;
    struct MHD_Connection *connection;
    char *target;
    char method[8];
    struct dj_text body;
    bool is_begun, is_answered, is_body_too_long;
    bool is_body_dropped; /* The body is not kept, because the answer is an error. */
    struct dj_error target_error; /* Code 0 if the target is valid. */
    bool has_path;                /* Another method has a route for the target. */
    int64_t begun_ns;
    int64_t event_id;             /* The last change of the store before the request. */
    const struct dj_route *route; /* NULL while it is unknown. */
    struct dj_request request;
    char csrf[DJ_SERVE_TOKEN_BYTES];
    struct dj_reply reply;
    unsigned status;
    size_t sent;
};

void *dj_serve_begin_exchange(void *user, const char *target,
                              struct MHD_Connection *connection)
{
    struct exchange *exchange = dj_xcalloc(1, sizeof(*exchange));
    exchange->server = user;
    exchange->connection = connection;
    exchange->target = dj_xstrdup(target);
    exchange->begun_ns = dj_host_now_ns();
    exchange->event_id =
        dj_serve_get_last_event(dj_serve_get_store_events(exchange->server->watch));
    atomic_fetch_add(&exchange->server->exchanges, 1);
    return exchange;
}

static const char *get_header(const struct exchange *exchange, const char *name)
{
    return dj_microhttpd->MHD_lookup_connection_value(exchange->connection,
                                                      MHD_HEADER_KIND, name);
}

static bool is_for_program(const struct exchange *exchange)
{
    return strncmp(exchange->target, "/api/", 5) == 0 ||
           (exchange->route != NULL && exchange->route->kind != DJ_ROUTE_PAGE);
}

static void refuse(struct exchange *exchange, unsigned status, const char *message)
{
    dj_serve_write_error(&exchange->reply, is_for_program(exchange), status, message);
}

static void refuse_busy(struct exchange *exchange)
{
    refuse(exchange, MHD_HTTP_SERVICE_UNAVAILABLE,
           "The server is busy. Try again in a moment.");
    exchange->reply.retry_after_s = 5;
}

/* ---- access ---- */

/* Appends the target without its token. */
static void append_without_token(struct dj_text *text, const struct dj_request *request)
{
    dj_text_add(text, request->segment_count == 0 ? "/" : "");
    for (size_t i = 0; i < request->segment_count; i++) {
        dj_text_add(text, "/");
        dj_report_append_encoded(text, request->segments[i]);
    }
    const char *separator = "?";
    for (size_t i = 0; i < request->parameter_count; i++) {
        if (strcmp(request->parameters[i].name, "token") != 0) {
            dj_text_add(text, separator);
            dj_report_append_encoded(text, request->parameters[i].name);
            dj_text_add(text, "=");
            dj_report_append_encoded(text, request->parameters[i].value);
            separator = "&";
        }
    }
}

/* Answers a request for the printed address. */
static void answer_login(struct exchange *exchange, const char *token)
{
    static const char *const problems[] = {
        [DJ_LOGIN_WRONG] = "The token in this address is wrong. Use the newest address "
                           "that dejank serve printed.",
        [DJ_LOGIN_USED] = "This address was already used, and it works only once. Start "
                          "dejank serve again, or send it SIGHUP: it then prints a new "
                          "address.",
        [DJ_LOGIN_EXPIRED] = "This address is older than 10 minutes. Start dejank serve "
                             "again, or send it SIGHUP: it then prints a new address."};
    char session[DJ_SERVE_TOKEN_BYTES];
    const struct dj_server *server = exchange->server;
    bool has_session =
        dj_serve_is_session(server->access, get_header(exchange, MHD_HTTP_HEADER_COOKIE),
                            exchange->begun_ns, exchange->csrf);
    enum dj_login login =
        has_session ? DJ_LOGIN_OK
                    : dj_serve_login(server->access, token, exchange->begun_ns, session);
    if (login != DJ_LOGIN_OK) {
        refuse(exchange, MHD_HTTP_UNAUTHORIZED, problems[login]);
        return;
    }
    struct dj_reply *reply = &exchange->reply;
    reply->status = MHD_HTTP_SEE_OTHER;
    append_without_token(&reply->location, &exchange->request);
    if (!has_session) {
        bool is_secure = server->certificate != NULL || server->options.behind_proxy;
        dj_text_format(&reply->cookie,
                       "%s=%s; HttpOnly; SameSite=Strict; Path=/; Max-Age=%d%s",
                       dj_serve_get_cookie_name(server->access), session,
                       DJ_SERVE_SESSION_S, is_secure ? "; Secure" : "");
    }
}

static bool is_ingest(const struct exchange *exchange)
{
    return exchange->route != NULL && exchange->route->kind == DJ_ROUTE_INGEST;
}

/* Only the token for apps permits to send sessions. A cookie does not, so that no web
 * page can send sessions with the login of its user. */
static bool may_ingest(const struct exchange *exchange)
{
    return dj_serve_may_ingest(exchange->server->access,
                               get_header(exchange, MHD_HTTP_HEADER_AUTHORIZATION));
}

static bool check_ingest(struct exchange *exchange)
{
    if (exchange->server->options.ingest_token_file == NULL) {
        refuse(exchange, MHD_HTTP_NOT_FOUND,
               "this server accepts no sessions: start it with --ingest-token-file");
    } else if (!may_ingest(exchange)) {
        refuse(exchange, MHD_HTTP_UNAUTHORIZED,
               "send the header Authorization: Bearer TOKEN, with the token of "
               "--ingest-token-file");
    } else {
        return true;
    }
    return false;
}

/* Returns whether the request may be answered. Otherwise fills the reply. */
static bool check_access(struct exchange *exchange)
{
    struct dj_access *access = exchange->server->access;
    const char *token = dj_serve_get_parameter(&exchange->request, "token");
    bool is_post = strcmp(exchange->method, "POST") == 0;
    if (exchange->route->is_public ||
        dj_serve_is_bearer(access, get_header(exchange, MHD_HTTP_HEADER_AUTHORIZATION))) {
        return true;
    }
    if (token != NULL && !is_post) {
        answer_login(exchange, token);
        return false;
    }
    if (!dj_serve_is_session(access, get_header(exchange, MHD_HTTP_HEADER_COOKIE),
                             exchange->begun_ns, exchange->csrf)) {
        refuse(
            exchange, MHD_HTTP_UNAUTHORIZED,
            is_for_program(exchange)
                ? "send the header Authorization: Bearer TOKEN"
                : "You are not logged in. Open the address that dejank serve printed.");
        return false;
    }
    const char *given = get_header(exchange, "X-CSRF-Token");
    given = given != NULL ? given : dj_serve_get_parameter(&exchange->request, "csrf");
    if (is_post && (given == NULL || !dj_serve_is_token(exchange->csrf, given))) {
        refuse(exchange, MHD_HTTP_FORBIDDEN,
               "The form is out of date. Load the page again, and send it from there.");
        return false;
    }
    return true;
}

/* ---- answers ---- */

/* Answers with what went wrong. An answer never shows where the store is: the log does.
 */
static void refuse_failure(struct exchange *exchange, const struct dj_store *store,
                           unsigned status, const char *message)
{
    bool names_store = exchange->route->is_public || store == NULL ||
                       strstr(message, dj_store_path(store)) != NULL;
    if (status == MHD_HTTP_SERVICE_UNAVAILABLE && names_store) {
        dj_serve_log(exchange->server, "%s", message);
        message = "The store cannot be read. The log of the server says why.";
    }
    refuse(exchange, status, message);
}

static int64_t get_latest_ns(void *user)
{
    struct dj_server *server = user;
    return atomic_load(&server->is_stopping) ? 0 : INT64_MAX;
}

/* Runs in a worker. A server that stops does not wait for devices. */
static void answer(struct dj_job *job, struct dj_store *store, const struct dj_error *err)
{
    struct exchange *exchange = (struct exchange *)job;
    struct dj_call call = {exchange->server,
                           &exchange->request,
                           store,
                           exchange->csrf,
                           &exchange->reply,
                           exchange->event_id,
                           &exchange->body,
                           get_header(exchange, MHD_HTTP_HEADER_CONTENT_ENCODING)};
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
            refuse(exchange, status, failure.message);
        }
    }
    exchange->is_answered = true;
    dj_microhttpd->MHD_resume_connection(exchange->connection);
}

static void add_header(struct MHD_Response *response, const char *name, const char *value)
{
    dj_microhttpd->MHD_add_response_header(response, name, value);
}

static void add_headers(const struct exchange *exchange, struct MHD_Response *response)
{
    add_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "private, no-cache");
    add_header(response, "Content-Security-Policy", dj_report_get_served_policy());
    add_header(response, "X-Content-Type-Options", "nosniff");
    add_header(response, "X-Frame-Options", "DENY");
    add_header(response, "Referrer-Policy", "no-referrer");
    add_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    if (exchange->server->certificate != NULL) {
        add_header(response, "Strict-Transport-Security", "max-age=31536000");
    }
}

static void add_optional(struct MHD_Response *response, const char *name,
                         const struct dj_text *value)
{
    if (value->length > 0) {
        add_header(response, name, dj_xtext(value));
    }
}

/* The fingerprint of the data: the hash of the answer. */
static void write_etag(const struct dj_text *body, char etag[DJ_SHA256_HEX_BYTES + 2])
{
    char hex[DJ_SHA256_HEX_BYTES];
    dj_store_sha256_of_bytes(body->length > 0 ? body->data : "", body->length, hex);
    snprintf(etag, DJ_SHA256_HEX_BYTES + 2, "\"%.32s\"", hex);
}

static enum MHD_Result send_reply(struct exchange *exchange)
{
    struct dj_reply *reply = &exchange->reply;
    char etag[DJ_SHA256_HEX_BYTES + 2];
    const char *known = get_header(exchange, MHD_HTTP_HEADER_IF_NONE_MATCH);
    exchange->status = reply->status != 0 ? reply->status : MHD_HTTP_OK;
    write_etag(&reply->body, etag);
    bool is_known =
        exchange->status == MHD_HTTP_OK && known != NULL && strstr(known, etag) != NULL;
    if (is_known) {
        exchange->status = MHD_HTTP_NOT_MODIFIED;
        dj_text_clear(&reply->body);
    }
    exchange->sent = reply->body.length;
    struct MHD_Response *response = dj_microhttpd->MHD_create_response_from_buffer(
        reply->body.length, reply->body.length > 0 ? reply->body.data : "",
        MHD_RESPMEM_MUST_COPY);
    if (response == NULL) {
        return MHD_NO;
    }
    add_headers(exchange, response);
    if (exchange->status == MHD_HTTP_OK || is_known) {
        add_header(response, MHD_HTTP_HEADER_ETAG, etag);
    }
    if (reply->type != NULL) {
        add_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, reply->type);
    }
    add_optional(response, MHD_HTTP_HEADER_LOCATION, &reply->location);
    add_optional(response, MHD_HTTP_HEADER_SET_COOKIE, &reply->cookie);
    add_optional(response, MHD_HTTP_HEADER_CONTENT_DISPOSITION, &reply->file);
    if (reply->retry_after_s > 0) {
        char seconds[16];
        snprintf(seconds, sizeof(seconds), "%u", reply->retry_after_s);
        add_header(response, MHD_HTTP_HEADER_RETRY_AFTER, seconds);
    }
    if (reply->closes) {
        add_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
    }
    enum MHD_Result result = dj_microhttpd->MHD_queue_response(
        exchange->connection, exchange->status, response);
    dj_microhttpd->MHD_destroy_response(response);
    return result;
}

/* Returns the channel of a stream with a reference, or NULL after filling the reply. */
static struct dj_channel *find_channel(struct exchange *exchange)
{
    const struct dj_request *request = &exchange->request;
    struct dj_error err = {0};
    if (request->segment_count == 3) {
        struct dj_channel *events = dj_serve_get_store_events(exchange->server->watch);
        dj_serve_ref_channel(events);
        return events;
    }
    struct dj_channel *channel = dj_serve_follow_app(
        exchange->server->views, request->segments[3], request->segments[4], &err);
    if (channel == NULL) {
        refuse(exchange, MHD_HTTP_SERVICE_UNAVAILABLE, err.message);
        exchange->reply.retry_after_s = 5;
    }
    return channel;
}

static enum MHD_Result send_stream(struct exchange *exchange)
{
    const char *last = get_header(exchange, "Last-Event-ID");
    int64_t last_id = -1;
    struct dj_channel *channel = find_channel(exchange);
    if (channel == NULL) {
        return send_reply(exchange);
    }
    last = last != NULL ? last : dj_serve_get_parameter(&exchange->request, "after");
    if (last == NULL || !dj_str_int(dj_str_of(last), &last_id)) {
        last_id = -1;
    }
    struct MHD_Response *response =
        dj_serve_create_stream(channel, exchange->connection, last_id,
                               exchange->request.segment_count == 3 ? 0 : BACKLOG);
    dj_serve_unref_channel(channel);
    if (response == NULL) {
        refuse(exchange, MHD_HTTP_SERVICE_UNAVAILABLE, "the server is stopping");
        return send_reply(exchange);
    }
    exchange->status = MHD_HTTP_OK;
    add_headers(exchange, response);
    add_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "text/event-stream");
    enum MHD_Result result =
        dj_microhttpd->MHD_queue_response(exchange->connection, MHD_HTTP_OK, response);
    dj_microhttpd->MHD_destroy_response(response);
    return result;
}

/* Returns whether the connection is one too many (count_connection() in start.c). */
static bool is_too_many(const struct exchange *exchange)
{
    const union MHD_ConnectionInfo *info = dj_microhttpd->MHD_get_connection_info(
        exchange->connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info != NULL && info->socket_context != NULL;
}

/* Checks that the body was kept. Returns false after filling the reply. */
static bool check_body(struct exchange *exchange)
{
    if (exchange->is_body_too_long) {
        refuse(exchange, MHD_HTTP_CONTENT_TOO_LARGE,
               is_ingest(exchange) ? "the body is longer than 8 MiB: send it in parts"
                                   : "The form is longer than 64 KiB.");
    } else if (exchange->is_body_dropped) {
        refuse_busy(exchange);
    }
    return !exchange->is_body_dropped;
}

/* Reads the target and the form. Returns false after filling the reply. */
static bool check_request(struct exchange *exchange)
{
    struct dj_error err = exchange->target_error;
    if (err.code == 0) {
        dj_serve_parse_form(dj_text_get(&exchange->body), exchange->body.length,
                            &exchange->request, &err);
    }
    if (err.code != 0) {
        refuse(exchange, MHD_HTTP_BAD_REQUEST, err.message);
    } else if (exchange->route == NULL) {
        refuse(exchange,
               exchange->has_path ? MHD_HTTP_METHOD_NOT_ALLOWED : MHD_HTTP_NOT_FOUND,
               exchange->has_path ? "This address does not accept this method."
                                  : "There is no such page.");
    }
    return err.code == 0 && exchange->route != NULL;
}

/* Checks everything that needs no worker. Returns false if the reply already has the
 * answer. */
static bool prepare(struct exchange *exchange)
{
    if (is_too_many(exchange)) {
        refuse(exchange, MHD_HTTP_SERVICE_UNAVAILABLE,
               "The server has too many connections. Try again in a moment.");
        exchange->reply.retry_after_s = 5;
        exchange->reply.closes = true;
        return false;
    }
    if (!dj_serve_is_own_host(exchange->server,
                              get_header(exchange, MHD_HTTP_HEADER_HOST))) {
        refuse(exchange, MHD_HTTP_MISDIRECTED_REQUEST,
               "The header Host does not name this server. Its operator can permit "
               "a name with --host NAME.");
        return false;
    }
    return is_ingest(exchange) ? check_ingest(exchange) && check_body(exchange)
                               : check_body(exchange) && check_request(exchange) &&
                                     check_access(exchange);
}

/* Reads the target and the method, which decide how long the body may be. */
static void read_head(struct exchange *exchange, const char *method)
{
    exchange->is_begun = true;
    snprintf(exchange->method, sizeof(exchange->method), "%s", method);
    if (dj_serve_parse_target(exchange->target, &exchange->request,
                              &exchange->target_error) == 0) {
        exchange->route = dj_serve_find_route(exchange->method, &exchange->request,
                                              &exchange->has_path);
    }
    bool is_long = is_ingest(exchange) && may_ingest(exchange);
    exchange->body.maximum = is_long ? DJ_INGEST_BODY_MOST : DJ_FORM_BYTES_MAX;
}

static void drop_body(struct exchange *exchange)
{
    exchange->is_body_dropped = true;
    atomic_fetch_sub(&exchange->server->body_bytes, exchange->body.length);
    dj_text_finish(&exchange->body);
}

/* Keeps a part of the body. All bodies together have a maximum, too. */
static void read_body(struct exchange *exchange, const char *bytes, size_t length)
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
    struct exchange *exchange = *context;
    (void)connection;
    (void)url;
    (void)version;
    if (exchange->is_answered) {
        return send_reply(exchange);
    }
    if (!exchange->is_begun) {
        read_head(exchange, method);
        /* An answer before the whole request was read would close the connection. */
        return MHD_YES;
    }
    if (*upload_size > 0) {
        read_body(exchange, upload, *upload_size);
        *upload_size = 0;
        return MHD_YES;
    }
    if (!prepare(exchange)) {
        return send_reply(exchange);
    }
    if (exchange->route->kind == DJ_ROUTE_STREAM) {
        return send_stream(exchange);
    }
    exchange->job.run = answer;
    exchange->job.needs_no_store = exchange->route->threads == DJ_THREADS_FLEET ||
                                   exchange->route->threads == DJ_THREADS_SPOOL;
    dj_microhttpd->MHD_suspend_connection(exchange->connection);
    if (!dj_serve_add_job(server->workers[exchange->route->threads], &exchange->job)) {
        refuse_busy(exchange);
        exchange->is_answered = true;
        dj_microhttpd->MHD_resume_connection(exchange->connection);
    }
    return MHD_YES;
}

static void log_exchange(const struct exchange *exchange)
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
    /* The query may have a token. */
    dj_text_append_escaped(&path, exchange->target, strcspn(exchange->target, "?"));
    dj_serve_log(exchange->server, "%s %s %.300s %u %zu bytes %.1f ms", address,
                 exchange->method, dj_xtext(&path), exchange->status, exchange->sent,
                 (double)(dj_host_now_ns() - exchange->begun_ns) / 1e6);
    dj_text_finish(&path);
}

void dj_serve_end_exchange(void *user, struct MHD_Connection *connection, void **context,
                           enum MHD_RequestTerminationCode code)
{
    struct exchange *exchange = *context;
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
