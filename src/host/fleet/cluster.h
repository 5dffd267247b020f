/* Sends statements to the shards of a fleet by HTTP. Each shard is asked separately and
 * has its own tables, so the caller always knows which shards answered. Only one thread
 * at a time may use a cluster. */
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

/* Where the shards are and how to log in. */
struct dj_fleet_cluster_place {
    const char *const *shards; /* URLs of the shards' HTTP ports. */
    size_t shard_count;
    const char *name;          /* Name of the cluster on the server, or NULL. */
    const char *password_file; /* Path of a file with the password, or NULL. */
    /* Maximum duration of a request in seconds, or 0 for the default. */
    long timeout_s;
};

/* A shard, with the state of its current or last transfer. */
struct dj_shard {
    char *url;
    char *label; /* The URL of the shard without user and password, for messages. */
    /* User name, or NULL if it is unknown or the URL contains user and password. */
    char *user;
    void *easy; /* CURL handle of libcurl. */
    /* True while a transfer runs. */
    bool is_busy;
    struct dj_text answer;
    /* HTTP status of the last answer, or 0 if there was no answer. */
    long status;
    /* Error of the last transfer. Its code is 0 if the shard answered with status 200. */
    struct dj_error error;
    struct dj_text address; /* URL of the current request, with its parameters. */
    char curl_message[256];
};

struct dj_cluster {
    struct dj_shard *shards;
    size_t count;
    /* Name of the cluster, or NULL. dj_fleet_cluster_append_name() quotes it for SQL. */
    char *name;
    char *password;
    void *multi; /* CURLM handle of libcurl, which runs all transfers. */
    long timeout_s;
};

/* Opens a cluster without contacting a shard. Uses the URLs of `place`. If it has none,
 * reads the file that the environment variable DEJANK_FLEET names. Each line of the file
 * is "shard URL", "cluster NAME" or "password-file FILE". Returns DJ_E_USAGE if there is
 * no shard, or if the file is invalid. The caller closes the cluster even after an
 * error. */
int dj_fleet_cluster_open(struct dj_cluster *cluster,
                          const struct dj_fleet_cluster_place *place,
                          struct dj_error *err);
void dj_fleet_cluster_close(struct dj_cluster *cluster);

/* Loads and initializes libcurl. Make the first call before other threads use clusters.
 * Returns DJ_E_UNSUPPORTED if libcurl is not installed. */
int dj_fleet_cluster_load_curl(struct dj_error *err);

/* Starts to send a statement to a shard, without waiting. `body` contains the rows of an
 * INSERT statement, or is empty. It must not change until the transfer has ended. Returns
 * 0 or DJ_E_UNSUPPORTED. */
int dj_fleet_cluster_start(struct dj_cluster *cluster, size_t shard, const char *sql,
                           struct dj_str body, struct dj_error *err);

/* Waits until the transfer of the shard has ended. If `shard` is cluster->count, waits
 * until any transfer has ended. Returns at once if no transfer runs. If the thread is
 * asked to stop (process/deadline.h), cancels all transfers with DJ_E_INTERRUPTED. */
void dj_fleet_cluster_wait(struct dj_cluster *cluster, size_t shard);

/* Continues running transfers without waiting. */
void dj_fleet_cluster_advance(struct dj_cluster *cluster);

/* Sends a statement to one shard and waits. Returns 0, DJ_E_GONE if the shard did not
 * answer, or DJ_E_PROTOCOL with the message of the server. */
int dj_fleet_cluster_query(struct dj_cluster *cluster, size_t shard, const char *sql,
                           struct dj_error *err);

/* Sends a statement to all shards at once and waits. The result of each shard is in its
 * `error` and `answer`. Returns 0 or DJ_E_UNSUPPORTED. */
int dj_fleet_cluster_query_all(struct dj_cluster *cluster, const char *sql,
                               struct dj_error *err);

/* Returns 0 if all shards have answered the last statement. Otherwise returns the error
 * of the first shard that has not. */
int dj_fleet_cluster_require_all(const struct dj_cluster *cluster, struct dj_error *err);

/* Sends a statement to all shards and waits. Frees the statement with dj_text_finish().
 * Returns 0 if all shards have answered, or the error of the first shard that has not. */
int dj_fleet_cluster_run(struct dj_cluster *cluster, struct dj_text *sql,
                         struct dj_error *err);

/* Reads the next integer of an answer in ClickHouse's format TabSeparated, and moves
 * *rest to the text after it. Returns 0 if there is no integer. */
int64_t dj_fleet_cluster_read_int(struct dj_str *rest);

/* Appends a text to SQL as an expression that contains only hexadecimal digits, so that
 * no quoting is needed. */
void dj_sql_append_text(struct dj_text *sql, const char *text);
/* Appends the name of the cluster to SQL as a quoted identifier. */
void dj_fleet_cluster_append_name(struct dj_text *sql, const struct dj_cluster *cluster);

/* Returns SipHash-2-4 with an all-zero key, which is ClickHouse's sipHash64(). */
uint64_t dj_fleet_cluster_hash(const void *bytes, size_t length);

#endif
