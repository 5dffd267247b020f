/* The shards of a fleet, reached by HTTP. Each shard is asked separately and keeps its
 * own tables, so the caller always knows which shards answered. One thread at a time may
 * use a cluster. */
#ifndef DEJANK_FLEET_CLUSTER_H
#define DEJANK_FLEET_CLUSTER_H

#include "base/error.h"
#include "base/messages.h"
#include "base/text.h"

enum {
    DJ_CLUSTER_SHARDS_MOST = 64,
    /* Maximum size of the answer of one shard in bytes. */
    DJ_CLUSTER_ANSWER_MOST = 256 << 20
};

/* Where the cluster is. */
struct dj_fleet_cluster_place {
    const char *const *shards; /* URLs of the HTTP ports. */
    size_t shard_count;
    const char *name;          /* The server's name of the cluster, or NULL. */
    const char *password_file; /* File with the password, or NULL. */
    long timeout_s;            /* Maximum duration of a request, or 0 for the default. */
};

/* The state of the current or last transfer. */
struct dj_shard {
    char *url;
    char *label; /* The URL of the shard without user and password, for messages. */
    char *user;  /* NULL if unknown, or if the URL contains its password, too. */
    void *easy;  /* CURL handle. */
    /* True while a transfer runs. */
    bool is_busy;
    struct dj_text answer;
    long status;            /* HTTP status, or 0 if there was no answer. */
    struct dj_error error;  /* Code 0 if the shard answered with status 200. */
    struct dj_text address; /* The URL of the request. */
    char curl_message[256];
};

struct dj_cluster {
    struct dj_shard *shards;
    size_t count;
    char *name; /* Quoted by dj_fleet_cluster_append_name(). */
    char *password;
    void *multi; /* CURLM handle. */
    long timeout_s;
};

/* Reads the place: the URLs of `place`, or else the file that the environment variable
 * DEJANK_FLEET names. Each line of the file is "shard URL", "cluster NAME" or
 * "password-file FILE". Contacts no shard. Returns DJ_E_USAGE if there is no shard, or if
 * the file is invalid. The caller closes the cluster in every case. */
int dj_fleet_cluster_open(struct dj_cluster *cluster,
                          const struct dj_fleet_cluster_place *place,
                          struct dj_error *err);
void dj_fleet_cluster_close(struct dj_cluster *cluster);

/* Loads and initializes libcurl. The first call must be in a process with one thread that
 * uses clusters. Returns DJ_E_UNSUPPORTED if libcurl is not installed. */
int dj_fleet_cluster_load_curl(struct dj_error *err);

/* Starts to send a statement to a shard. `body` are the rows of an INSERT, which must not
 * change until the transfer ended, or empty. Returns 0 or DJ_E_UNSUPPORTED. */
int dj_fleet_cluster_start(struct dj_cluster *cluster, size_t shard, const char *sql,
                           struct dj_str body, struct dj_error *err);

/* Waits until the transfer of a shard ended, or until any transfer ended if `shard` is
 * `count`. Returns when no transfer runs. Cancels all transfers with DJ_E_INTERRUPTED if
 * the thread is asked to stop (process/deadline.h). */
void dj_fleet_cluster_wait(struct dj_cluster *cluster, size_t shard);

/* Moves running transfers forward without waiting. */
void dj_fleet_cluster_advance(struct dj_cluster *cluster);

/* Sends a statement to one shard and waits. Returns 0, DJ_E_GONE if the shard did not
 * answer, or DJ_E_PROTOCOL with the message of the server. */
int dj_fleet_cluster_query(struct dj_cluster *cluster, size_t shard, const char *sql,
                           struct dj_error *err);

/* Sends a statement to all shards at once and waits. The result of each shard is in its
 * `error` and `answer`. Returns 0 or DJ_E_UNSUPPORTED. */
int dj_fleet_cluster_query_all(struct dj_cluster *cluster, const char *sql,
                               struct dj_error *err);

/* Returns 0 if all shards answered the last statement, or else the error of the first one
 * that did not. */
int dj_fleet_cluster_require_all(const struct dj_cluster *cluster, struct dj_error *err);

/* Sends a statement to all shards, waits, and finishes `sql`. Returns 0 if all of them
 * answered, or else the error of the first one that did not. */
int dj_fleet_cluster_run(struct dj_cluster *cluster, struct dj_text *sql,
                         struct dj_error *err);

/* Reads the next integer of an answer in the format TabSeparated, and moves *rest after
 * it. Returns 0 if there is none. */
int64_t dj_fleet_cluster_read_int(struct dj_str *rest);

/* ---- SQL ---- */

/* Appends a text as an expression that contains only hexadecimal digits. */
void dj_sql_append_text(struct dj_text *sql, const char *text);
/* Appends the name of the cluster as an identifier. */
void dj_fleet_cluster_append_name(struct dj_text *sql, const struct dj_cluster *cluster);

/* Returns SipHash-2-4 with an all-zero key, which is ClickHouse's sipHash64(). */
uint64_t dj_fleet_cluster_hash(const void *bytes, size_t length);

#endif
