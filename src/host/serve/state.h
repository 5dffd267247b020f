/* Defines the state of a running server, for the files of this module. */
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
struct dj_request_limit;

struct dj_server {
    struct dj_serve_options options;
    char *host; /* Host of the listening address, without brackets. */
    unsigned port;
    bool is_loopback;
    /* Contents of the certificate file and the key file, or NULL. */
    char *certificate, *key;
    struct MHD_Daemon *daemon;
    struct dj_access *access;
    struct dj_workers *workers[DJ_THREADS_COUNT];
    atomic_uint connections;
    atomic_uint exchanges; /* Number of requests that are not answered yet. */
    atomic_bool is_stopping;
    struct dj_store_watch *watch;
    struct dj_live_views *views;
    struct dj_project_cache *cache;
    atomic_size_t body_bytes;    /* Total size in bytes of the bodies of all requests. */
    struct dj_messages messages; /* Receives the lines of the log. */
    /* Path of the folder with sessions that no shard has accepted yet. */
    struct dj_text spool;
    /* Thread that sends sessions to the shards. NULL if the server accepts no
     * sessions. */
    struct dj_forwarder *forwarder;
    /* Numbers of requests with sessions that each client sent. NULL if the server accepts
     * no sessions. */
    struct dj_request_limit *ingest_limit;
};

/* Sends a line to the log of the server. */
void dj_serve_log(const struct dj_server *server, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
