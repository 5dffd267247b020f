/* Defines the state of an HTTP exchange: a request, the results of its checks, and its
 * reply. */
#ifndef DEJANK_SERVE_EXCHANGE_STATE_H
#define DEJANK_SERVE_EXCHANGE_STATE_H

#include "serve/http/microhttpd.h"
#include "serve/router.h"
#include "serve/state.h"

struct dj_exchange {
    /* It must be the first member, because a pointer to the job is converted to a pointer
     * to the exchange. */
    struct dj_job job;
    struct dj_server *server;
    struct MHD_Connection *connection;
    char *target;
    char method[8];
    struct dj_text body;
    bool is_begun, is_answered, is_body_too_long;
    /* True if the body is not stored, because the answer is already an error. */
    bool is_body_dropped;
    unsigned
        wait_s; /* Seconds that the client must wait because it has sent too often. */
    /* Error in the target. Its code is 0 if the target is valid. */
    struct dj_error target_error;
    /* True if the target has a route with another method. */
    bool has_path;
    int64_t begun_ns;
    /* Number of the store's last change before the request. */
    int64_t event_id;
    const struct dj_route *route; /* Route of the request, or NULL while it is unknown. */
    struct dj_request request;
    char csrf[DJ_SERVE_TOKEN_BYTES];
    struct dj_reply reply;
    unsigned status;
    size_t sent;
};

/* Returns the value of a header of the request, or NULL if the request lacks it. */
const char *dj_exchange_get_header(const struct dj_exchange *exchange, const char *name);

/* Fills the reply with an error: as JSON for programs, and as a page for people. */
void dj_exchange_refuse(struct dj_exchange *exchange, unsigned status,
                        const char *message);
void dj_exchange_refuse_busy(struct dj_exchange *exchange);

/* Returns whether the request sends sessions from apps. */
bool dj_exchange_is_ingest(const struct dj_exchange *exchange);
/* Returns whether the request contains the token of apps. A session cookie is not
 * sufficient, so that a web page cannot send sessions with the login of its user. */
bool dj_exchange_may_ingest(const struct dj_exchange *exchange);
/* Counts the request of a client that may send sessions. Returns the seconds that the
 * client must wait, or 0. */
unsigned dj_exchange_count_ingest(const struct dj_exchange *exchange);

/* Makes all checks that need no worker. Returns false if they have filled the reply. */
bool dj_exchange_check(struct dj_exchange *exchange);

/* Queues the reply. */
enum MHD_Result dj_exchange_send_reply(struct dj_exchange *exchange);

/* Queues a stream of events. */
enum MHD_Result dj_exchange_send_stream(struct dj_exchange *exchange);

#endif
