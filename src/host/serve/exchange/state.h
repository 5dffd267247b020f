/* An HTTP exchange: a request, what the checks found, and its reply. */
#ifndef DEJANK_SERVE_EXCHANGE_STATE_H
#define DEJANK_SERVE_EXCHANGE_STATE_H

#include "serve/http/microhttpd.h"
#include "serve/router.h"
#include "serve/state.h"

struct dj_exchange {
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

/* Returns the value of a header of the request, or NULL. */
const char *dj_exchange_get_header(const struct dj_exchange *exchange, const char *name);

/* Fills the reply with an error: as JSON for programs, and as a page for people. */
void dj_exchange_refuse(struct dj_exchange *exchange, unsigned status,
                        const char *message);
void dj_exchange_refuse_busy(struct dj_exchange *exchange);

/* Returns whether the request sends sessions of apps. */
bool dj_exchange_is_ingest(const struct dj_exchange *exchange);
/* Returns whether the request has the token for apps. A cookie does not permit to send
 * sessions, so that no web page can send sessions with the login of its user. */
bool dj_exchange_may_ingest(const struct dj_exchange *exchange);

/* Checks everything that needs no worker. Returns false if the reply already has the
 * answer. */
bool dj_exchange_check(struct dj_exchange *exchange);

/* Queues the reply, or a stream of events. */
enum MHD_Result dj_exchange_send_reply(struct dj_exchange *exchange);
enum MHD_Result dj_exchange_send_stream(struct dj_exchange *exchange);

#endif
