/* Finds the handler of a request, and declares the handlers. */
#ifndef DEJANK_SERVE_ROUTER_H
#define DEJANK_SERVE_ROUTER_H

#include "serve/http/reply.h"
#include "serve/http/request.h"
#include "serve/http/workers.h"
#include "store/store.h"

struct dj_server;

/* A request that is being answered. */
struct dj_call {
    struct dj_server *server;
    const struct dj_request *request;
    struct dj_store *store; /* NULL if there is no store yet. */
    const char *csrf;       /* The token for forms. "" for programs. */
    struct dj_reply *reply;
    int64_t event_id;           /* The last change of the store before it was read. */
    const struct dj_text *body; /* The body of the request. */
    const char *encoding;       /* The header Content-Encoding, or NULL. */
};

/* Answers a request: fills the reply and returns 0, or returns an error, which becomes an
 * error page. The status is 404 for DJ_E_NO_DATA and DJ_E_NOT_FOUND, 400 for DJ_E_USAGE
 * and DJ_E_INVALID of the request, and 503 for errors of the store. */
typedef int dj_serve_handler(struct dj_call *call, struct dj_error *err);

enum dj_route_kind {
    DJ_ROUTE_PAGE,   /* HTML for people. */
    DJ_ROUTE_API,    /* JSON for programs. */
    DJ_ROUTE_INGEST, /* JSON for apps that send sessions, with a token of their own. */
    DJ_ROUTE_STREAM  /* Server-Sent Events, without handler. */
};

struct dj_route {
    const char *method;
    /* The segments of the path, each with a '/' before it. '*' matches any segment. */
    const char *pattern;
    enum dj_route_kind kind;
    bool is_public; /* Needs no login. */
    dj_serve_handler *handle;
    enum dj_worker_kind threads;
};

/* Returns the route of a request. Returns NULL if there is none, and sets *has_path if
 * another method has a route for this path. */
const struct dj_route *
dj_serve_find_route(const char *method, const struct dj_request *request, bool *has_path);

dj_serve_handler dj_serve_show_health, dj_serve_show_projects, dj_serve_show_project,
    dj_serve_bless, dj_serve_unbless, dj_serve_show_batches, dj_serve_show_batch,
    dj_serve_show_run, dj_serve_send_evidence, dj_serve_choose_sides,
    dj_serve_show_comparison, dj_serve_show_gate, dj_serve_show_trace,
    dj_serve_show_devices, dj_serve_list_live, dj_serve_show_live, dj_serve_record_live,
    dj_serve_mark_live;

/* Sessions of a fleet. */
dj_serve_handler dj_serve_show_fleet, dj_serve_show_fleet_app, dj_serve_compare_fleet,
    dj_serve_send_fleet, dj_serve_send_fleet_comparison, dj_serve_receive_sessions;

/* The JSON interface. */
dj_serve_handler dj_serve_send_batches, dj_serve_send_batch, dj_serve_send_run,
    dj_serve_send_comparison, dj_serve_send_history, dj_serve_send_gate,
    dj_serve_send_devices, dj_serve_send_live;

#endif
