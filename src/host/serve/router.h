/* Finds the handler of a request. Declares all handlers. */
#ifndef DEJANK_SERVE_ROUTER_H
#define DEJANK_SERVE_ROUTER_H

#include "serve/http/reply.h"
#include "serve/http/request.h"
#include "serve/http/workers.h"
#include "store/store.h"

struct dj_server;

/* A request that a handler answers. */
struct dj_call {
    struct dj_server *server;
    const struct dj_request *request;
    struct dj_store *store; /* The open store, or NULL if no store exists yet. */
    /* Token that forms must contain. "" if a program has sent the request. */
    const char *csrf;
    struct dj_reply *reply;
    /* Number of the store's last change before the handler reads it. */
    int64_t event_id;
    const struct dj_text *body; /* The body of the request. */
    const char *encoding;       /* Value of the header Content-Encoding, or NULL. */
};

/* Answers a request: fills the reply and returns 0, or returns an error, which becomes an
 * error page. The HTTP status is 404 for DJ_E_NO_DATA and DJ_E_NOT_FOUND, 400 for
 * DJ_E_USAGE and for DJ_E_INVALID of the request, and 503 for errors of the store. */
typedef int dj_serve_handler(struct dj_call *call, struct dj_error *err);

enum dj_route_kind {
    DJ_ROUTE_PAGE, /* An HTML page for people. */
    DJ_ROUTE_API,  /* JSON for programs. */
    /* Receives sessions from apps, which use a separate token. The answer is JSON. */
    DJ_ROUTE_INGEST,
    DJ_ROUTE_STREAM /* A stream of Server-Sent Events. The route has no handler. */
};

struct dj_route {
    const char *method;
    /* Segments of the path, with a '/' before each. '*' matches any one segment. */
    const char *pattern;
    enum dj_route_kind kind;
    bool is_public; /* True if the route needs no login. */
    dj_serve_handler *handle;
    enum dj_worker_kind threads;
};

/* Returns the route of a request. If there is none, returns NULL, and sets *has_path to
 * true if the path has a route with another method. */
const struct dj_route *
dj_serve_find_route(const char *method, const struct dj_request *request, bool *has_path);

dj_serve_handler dj_serve_show_health, dj_serve_show_projects, dj_serve_show_project,
    dj_serve_bless, dj_serve_unbless, dj_serve_show_batches, dj_serve_show_batch,
    dj_serve_show_run, dj_serve_send_evidence, dj_serve_choose_sides,
    dj_serve_show_comparison, dj_serve_show_gate, dj_serve_show_trace,
    dj_serve_show_devices, dj_serve_list_live, dj_serve_show_live, dj_serve_record_live,
    dj_serve_mark_live;

/* Handlers of the pages and the JSON of a fleet, and of sessions from apps. */
dj_serve_handler dj_serve_show_fleet, dj_serve_show_fleet_app, dj_serve_compare_fleet,
    dj_serve_send_fleet, dj_serve_send_fleet_comparison, dj_serve_receive_sessions;

/* Handlers of the JSON interface. */
dj_serve_handler dj_serve_send_batches, dj_serve_send_batch, dj_serve_send_run,
    dj_serve_send_comparison, dj_serve_send_history, dj_serve_send_gate,
    dj_serve_send_devices, dj_serve_send_live;

#endif
