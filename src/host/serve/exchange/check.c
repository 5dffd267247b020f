#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "memory/memory.h"
#include "report/served_page.h"
#include "serve/error_page.h"
#include "serve/exchange/state.h"
#include "serve/http/own_host.h"
#include "serve/ingest/request_limit.h"

const char *dj_exchange_get_header(const struct dj_exchange *exchange, const char *name)
{
    return dj_microhttpd->MHD_lookup_connection_value(exchange->connection,
                                                      MHD_HEADER_KIND, name);
}

static bool is_for_program(const struct dj_exchange *exchange)
{
    return strncmp(exchange->target, "/api/", 5) == 0 ||
           (exchange->route != NULL && exchange->route->kind != DJ_ROUTE_PAGE);
}

void dj_exchange_refuse(struct dj_exchange *exchange, unsigned status,
                        const char *message)
{
    dj_serve_write_error(&exchange->reply, is_for_program(exchange), status, message);
}

void dj_exchange_refuse_busy(struct dj_exchange *exchange)
{
    dj_exchange_refuse(exchange, MHD_HTTP_SERVICE_UNAVAILABLE,
                       "The server is busy. Try again in a moment.");
    exchange->reply.retry_after_s = 5;
}

/* Appends the target of the request without the parameter that contains the token. */
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

/* Answers a request for the printed address, which contains the login token. */
static void answer_login(struct dj_exchange *exchange, const char *token)
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
    bool has_session = dj_serve_is_session(
        server->access, dj_exchange_get_header(exchange, MHD_HTTP_HEADER_COOKIE),
        exchange->begun_ns, exchange->csrf);
    enum dj_login login =
        has_session ? DJ_LOGIN_OK
                    : dj_serve_login(server->access, token, exchange->begun_ns, session);
    if (login != DJ_LOGIN_OK) {
        dj_exchange_refuse(exchange, MHD_HTTP_UNAUTHORIZED, problems[login]);
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

bool dj_exchange_is_ingest(const struct dj_exchange *exchange)
{
    return exchange->route != NULL && exchange->route->kind == DJ_ROUTE_INGEST;
}

bool dj_exchange_may_ingest(const struct dj_exchange *exchange)
{
    return dj_serve_may_ingest(
        exchange->server->access,
        dj_exchange_get_header(exchange, MHD_HTTP_HEADER_AUTHORIZATION));
}

static enum MHD_Result keep_forwarded_for(void *user, enum MHD_ValueKind kind,
                                          const char *name, const char *value)
{
    const char **last = user;
    (void)kind;
    *last = strcasecmp(name, "X-Forwarded-For") == 0 ? value : *last;
    return MHD_YES;
}

/* Returns the last header X-Forwarded-For, which is that of the proxy, or NULL. */
static const char *find_forwarded_for(const struct dj_exchange *exchange)
{
    const char *last = NULL;
    dj_microhttpd->MHD_get_connection_values(exchange->connection, MHD_HEADER_KIND,
                                             keep_forwarded_for, (void *)&last);
    return last;
}

static uint64_t get_client(const struct dj_exchange *exchange)
{
    const union MHD_ConnectionInfo *info = dj_microhttpd->MHD_get_connection_info(
        exchange->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    bool is_direct = !exchange->server->options.behind_proxy && info != NULL &&
                     info->client_addr != NULL;
    return is_direct ? dj_request_limit_get_client(info->client_addr)
                     : dj_request_limit_parse_client(find_forwarded_for(exchange));
}

unsigned dj_exchange_count_ingest(const struct dj_exchange *exchange)
{
    return dj_request_limit_count(exchange->server->ingest_limit, get_client(exchange),
                                  exchange->begun_ns);
}

static void refuse_many(struct dj_exchange *exchange)
{
    struct dj_text message = {0};
    bool is_shared = get_client(exchange) == DJ_REQUEST_LIMIT_SHARED;
    dj_text_format(
        &message, "more than %lld requests per minute from %s: %s",
        (long long)dj_request_limit_get_per_minute(exchange->server->ingest_limit),
        is_shared ? "clients for which the proxy sends no X-Forwarded-For"
                  : "this address",
        "send again after Retry-After seconds, and many sessions at once");
    dj_exchange_refuse(exchange, MHD_HTTP_TOO_MANY_REQUESTS, dj_xtext(&message));
    exchange->reply.retry_after_s = exchange->wait_s;
    dj_text_finish(&message);
}

static bool check_ingest(struct dj_exchange *exchange)
{
    if (exchange->server->options.ingest_token_file == NULL) {
        dj_exchange_refuse(
            exchange, MHD_HTTP_NOT_FOUND,
            "this server accepts no sessions: start it with --ingest-token-file");
    } else if (!dj_exchange_may_ingest(exchange)) {
        dj_exchange_refuse(
            exchange, MHD_HTTP_UNAUTHORIZED,
            "send the header Authorization: Bearer TOKEN, with the token of "
            "--ingest-token-file");
    } else if (exchange->wait_s > 0) {
        refuse_many(exchange);
    } else {
        return true;
    }
    return false;
}

/* Returns whether the client may send this request. If not, fills the reply with an
 * error. */
static bool check_access(struct dj_exchange *exchange)
{
    struct dj_access *access = exchange->server->access;
    const char *token = dj_serve_get_parameter(&exchange->request, "token");
    bool is_post = strcmp(exchange->method, "POST") == 0;
    if (exchange->route->is_public ||
        dj_serve_is_bearer(
            access, dj_exchange_get_header(exchange, MHD_HTTP_HEADER_AUTHORIZATION))) {
        return true;
    }
    if (token != NULL && !is_post) {
        answer_login(exchange, token);
        return false;
    }
    if (!dj_serve_is_session(access,
                             dj_exchange_get_header(exchange, MHD_HTTP_HEADER_COOKIE),
                             exchange->begun_ns, exchange->csrf)) {
        dj_exchange_refuse(
            exchange, MHD_HTTP_UNAUTHORIZED,
            is_for_program(exchange)
                ? "send the header Authorization: Bearer TOKEN"
                : "You are not logged in. Open the address that dejank serve printed.");
        return false;
    }
    const char *given = dj_exchange_get_header(exchange, "X-CSRF-Token");
    given = given != NULL ? given : dj_serve_get_parameter(&exchange->request, "csrf");
    if (is_post && (given == NULL || !dj_serve_is_token(exchange->csrf, given))) {
        dj_exchange_refuse(
            exchange, MHD_HTTP_FORBIDDEN,
            "The form is out of date. Load the page again, and send it from there.");
        return false;
    }
    return true;
}

/* Returns whether the connection exceeds the maximum (see count_connection() in
 * start.c). */
static bool is_too_many(const struct dj_exchange *exchange)
{
    const union MHD_ConnectionInfo *info = dj_microhttpd->MHD_get_connection_info(
        exchange->connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info != NULL && info->socket_context != NULL;
}

/* Checks that the whole body was stored. If not, fills the reply and returns false. */
static bool check_body(struct dj_exchange *exchange)
{
    if (exchange->is_body_too_long) {
        dj_exchange_refuse(exchange, MHD_HTTP_CONTENT_TOO_LARGE,
                           dj_exchange_is_ingest(exchange)
                               ? "the body is longer than 8 MiB: send it in parts"
                               : "The form is longer than 64 KiB.");
    } else if (exchange->is_body_dropped) {
        dj_exchange_refuse_busy(exchange);
    }
    return !exchange->is_body_dropped;
}

/* Checks the target and the fields of a form. If they are invalid, fills the reply and
 * returns false. */
static bool check_request(struct dj_exchange *exchange)
{
    struct dj_error err = exchange->target_error;
    if (err.code == 0) {
        dj_serve_parse_form(dj_text_get(&exchange->body), exchange->body.length,
                            &exchange->request, &err);
    }
    if (err.code != 0) {
        dj_exchange_refuse(exchange, MHD_HTTP_BAD_REQUEST, err.message);
    } else if (exchange->route == NULL) {
        dj_exchange_refuse(
            exchange,
            exchange->has_path ? MHD_HTTP_METHOD_NOT_ALLOWED : MHD_HTTP_NOT_FOUND,
            exchange->has_path ? "This address does not accept this method."
                               : "There is no such page.");
    }
    return err.code == 0 && exchange->route != NULL;
}

bool dj_exchange_check(struct dj_exchange *exchange)
{
    if (is_too_many(exchange)) {
        dj_exchange_refuse(exchange, MHD_HTTP_SERVICE_UNAVAILABLE,
                           "The server has too many connections. Try again in a moment.");
        exchange->reply.retry_after_s = 5;
        exchange->reply.closes = true;
        return false;
    }
    if (!dj_serve_is_own_host(exchange->server,
                              dj_exchange_get_header(exchange, MHD_HTTP_HEADER_HOST))) {
        dj_exchange_refuse(
            exchange, MHD_HTTP_MISDIRECTED_REQUEST,
            "The header Host does not name this server. Its operator can permit "
            "a name with --host NAME.");
        return false;
    }
    return dj_exchange_is_ingest(exchange)
               ? check_ingest(exchange) && check_body(exchange)
               : check_body(exchange) && check_request(exchange) &&
                     check_access(exchange);
}
