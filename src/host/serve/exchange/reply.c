#include <stdio.h>

#include "base/str.h"
#include "memory/memory.h"
#include "report/served_page.h"
#include "serve/exchange/state.h"
#include "serve/live_views.h"
#include "serve/watch.h"
#include "store/sha256.h"

/* Number of past events that a new viewer of an app gets. They cover about 10 s. */
enum { BACKLOG = 220 };

static void add_header(struct MHD_Response *response, const char *name, const char *value)
{
    dj_microhttpd->MHD_add_response_header(response, name, value);
}

static void add_headers(const struct dj_exchange *exchange, struct MHD_Response *response)
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

/* Writes the ETag, which is a hash of the body. */
static void write_etag(const struct dj_text *body, char etag[DJ_SHA256_HEX_BYTES + 2])
{
    char hex[DJ_SHA256_HEX_BYTES];
    dj_store_sha256_of_bytes(body->length > 0 ? body->data : "", body->length, hex);
    snprintf(etag, DJ_SHA256_HEX_BYTES + 2, "\"%.32s\"", hex);
}

enum MHD_Result dj_exchange_send_reply(struct dj_exchange *exchange)
{
    struct dj_reply *reply = &exchange->reply;
    char etag[DJ_SHA256_HEX_BYTES + 2];
    const char *known = dj_exchange_get_header(exchange, MHD_HTTP_HEADER_IF_NONE_MATCH);
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

/* Returns the channel of a stream, with a reference that the caller owns. If there is
 * none, fills the reply and returns NULL. */
static struct dj_channel *find_channel(struct dj_exchange *exchange)
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
        dj_exchange_refuse(exchange, MHD_HTTP_SERVICE_UNAVAILABLE, err.message);
        exchange->reply.retry_after_s = 5;
    }
    return channel;
}

enum MHD_Result dj_exchange_send_stream(struct dj_exchange *exchange)
{
    const char *last = dj_exchange_get_header(exchange, "Last-Event-ID");
    int64_t last_id = -1;
    struct dj_channel *channel = find_channel(exchange);
    if (channel == NULL) {
        return dj_exchange_send_reply(exchange);
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
        dj_exchange_refuse(exchange, MHD_HTTP_SERVICE_UNAVAILABLE,
                           "the server is stopping");
        return dj_exchange_send_reply(exchange);
    }
    exchange->status = MHD_HTTP_OK;
    add_headers(exchange, response);
    add_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "text/event-stream");
    enum MHD_Result result =
        dj_microhttpd->MHD_queue_response(exchange->connection, MHD_HTTP_OK, response);
    dj_microhttpd->MHD_destroy_response(response);
    return result;
}
