/* The state of a running server, for the files of this module. */
#ifndef DEJANK_SERVE_STATE_H
#define DEJANK_SERVE_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "serve/access.h"
#include "serve/http/channel.h"
#include "serve/http/workers.h"
#include "serve/serve.h"

struct MHD_Daemon;
struct dj_live_views;
struct dj_project_cache;
struct dj_forwarder;

struct dj_server {
    struct dj_serve_options options;
    char *host; /* The host of the address, without brackets. */
    unsigned port;
    bool is_loopback;
    char *certificate, *key; /* The content of the files, or NULL. */
    struct MHD_Daemon *daemon;
    struct dj_access *access;
    struct dj_workers *workers[DJ_THREADS_COUNT];
    atomic_uint connections;
    atomic_uint exchanges; /* Requests that are not answered yet. */
    atomic_bool is_stopping;
    struct dj_store_watch *watch;
    struct dj_live_views *views;
    struct dj_project_cache *cache;
    atomic_size_t body_bytes;    /* Size of the bodies of all requests. */
    struct dj_messages messages; /* The log. */
    struct dj_text spool; /* The folder of sessions that no shard has accepted yet. */
    struct dj_forwarder *forwarder; /* NULL if the server accepts no sessions. */
};

/* Sends a line to the log of the server. */
void dj_serve_log(const struct dj_server *server, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
