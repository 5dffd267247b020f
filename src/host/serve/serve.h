/*
 * serve: shows the results of a store, running apps and a fleet in a browser, over HTTP,
 * and receives sessions of the fleet from apps. The pages are documents of module report.
 * The JSON of the interface has the same schemas as the output of the commands.
 * docs/serve.md describes paths, access and security.
 *
 * One thread handles all connections. It never waits: worker threads read the store,
 * ask the fleet and write sessions to the disk. A live view has a thread of its own.
 */
#ifndef DEJANK_SERVE_SERVE_H
#define DEJANK_SERVE_SERVE_H

#include <stdbool.h>

#include "base/error.h"
#include "base/messages.h"
#include "base/text.h"
#include "fleet/cluster.h"

struct dj_serve_options {
    const char *store;      /* The store, or NULL for the default store. */
    const char *listen;     /* ADDRESS:PORT, or NULL for 127.0.0.1 and any free port. */
    const char *token_file; /* The file that has the token for programs, or NULL. */
    bool may_bless;         /* A user of the pages may accept changes. */
    bool may_record;        /* A user of the pages may record running apps. */
    /* Files with the certificate and the private key for TLS (PEM), or NULL. */
    const char *certificate, *key;
    /* A proxy in front of the server provides TLS and checks the Host header. */
    bool behind_proxy;
    /* Names in the Host header, besides the listening address, that name this server. */
    const char *const *hosts;
    size_t host_count;
    unsigned connections_max; /* 0 for the default. */
    bool has_fleet;           /* Pages show a fleet. */
    struct dj_fleet_cluster_place fleet;
    /* The file with the token of apps that send sessions of the fleet, or NULL if they
     * cannot. */
    const char *ingest_token_file;
    const char *spool; /* Folder of sessions that wait for a shard, or NULL. */
    bool is_quiet;     /* The log has no line for each request. */
    /* Receives a line for each request, and problems. May be called by any thread. */
    const struct dj_messages *log;
};

struct dj_server;

/* Starts the server. Returns DJ_E_USAGE if the options exclude each other or would serve
 * an open network without protection, DJ_E_IO if the address cannot be used,
 * DJ_E_UNSUPPORTED if libmicrohttpd is not installed, or an error of the store. On
 * success the caller stops *server. */
int dj_serve_start(const struct dj_serve_options *options, struct dj_server **server,
                   struct dj_error *err);

/* Appends the address of the server with a token, which logs one browser in within
 * DJ_SERVE_LOGIN_NS. */
void dj_serve_append_url(const struct dj_server *server, struct dj_text *url);

/* Reads the token files again. The old token is then invalid, all browsers must log in
 * again, and open streams end. On failure the old token stays valid. */
int dj_serve_rotate_token(struct dj_server *server, struct dj_error *err);

/* Ends all open streams, waits for running requests, and frees the server. */
void dj_serve_stop(struct dj_server *server);

#endif
