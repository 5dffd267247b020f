/* serve: shows the results of a store, running apps and a fleet in a browser, over HTTP.
 * Also receives sessions of the fleet from apps. The pages are documents of module
 * report. The JSON has the same schemas as the output of the commands. docs/serve.md
 * describes paths, access and security.
 *
 * One thread handles all connections and never waits. Worker threads read the store, ask
 * the fleet and write sessions to the disk. Each live view has a separate thread. */
#ifndef DEJANK_SERVE_SERVE_H
#define DEJANK_SERVE_SERVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/messages.h"
#include "base/text.h"
#include "fleet/cluster.h"

struct dj_serve_options {
    const char *store; /* Path or URL of the store, or NULL for the default store. */
    /* Address and port to listen on (ADDRESS:PORT), or NULL for 127.0.0.1 and any free
     * port. */
    const char *listen;
    const char *token_file; /* Path of the file with the token for programs, or NULL. */
    bool may_bless;         /* True if users of the pages may accept changes. */
    bool may_record;        /* True if users of the pages may record running apps. */
    /* Paths of the certificate and the private key for TLS (PEM), or NULL. */
    const char *certificate, *key;
    /* True if a proxy in front of the server provides TLS and checks the Host header. */
    bool behind_proxy;
    /* Further host names that are accepted in the Host header. The listening address is
     * always accepted. */
    const char *const *hosts;
    size_t host_count;
    int64_t connections_max; /* Maximum number of connections, or 0 for the default. */
    bool has_fleet;          /* True if the pages show a fleet. */
    struct dj_fleet_cluster_place fleet;
    /* Path of the file with the token of apps that send sessions of the fleet. NULL if
     * apps cannot send sessions. */
    const char *ingest_token_file;
    const char *spool; /* Folder for sessions that wait to be sent to a shard, or NULL. */
    /* Maximum number of requests with sessions per client and minute, or 0 for the
     * default. */
    int64_t ingest_per_minute;
    bool is_quiet; /* True if requests are not logged. */
    /* Receives the log: a line for each request, and problems. Any thread may call it. */
    const struct dj_messages *log;
};

struct dj_server;

/* Starts the server. Returns DJ_E_USAGE if the options contradict each other or would
 * serve an open network without protection. Returns DJ_E_IO if the address cannot be
 * used, DJ_E_UNSUPPORTED if libmicrohttpd is not installed, or an error of the store.
 * After success, the caller must stop *server with dj_serve_stop(). */
int dj_serve_start(const struct dj_serve_options *options, struct dj_server **server,
                   struct dj_error *err);

/* Appends the address of the server with the login token. One browser can log in with it
 * within DJ_SERVE_LOGIN_NS. */
void dj_serve_append_url(const struct dj_server *server, struct dj_text *url);

/* Reads the token files again. After success, the old tokens are invalid, all browsers
 * must log in again, and open streams end. After an error, the old tokens stay valid. */
int dj_serve_rotate_token(struct dj_server *server, struct dj_error *err);

/* Ends all open streams, waits for running requests, and frees the server. */
void dj_serve_stop(struct dj_server *server);

#endif
