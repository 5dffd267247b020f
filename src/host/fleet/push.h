/* Sends sessions to the shards. A session whose shard does not accept it goes to the
 * spool, so that no session is lost. A session that is sent twice counts once. */
#ifndef DEJANK_FLEET_PUSH_H
#define DEJANK_FLEET_PUSH_H

#include "base/messages.h"
#include "fleet/cluster.h"
#include "fleet/session.h"
#include "fleet/spool.h"

enum {
    DJ_PUSH_ROWS_MOST = 100000, /* Maximum number of rows of a batch. */
    /* Size in bytes from which a batch is sent, and maximum of all batches together: with
     * many shards the batches are smaller. */
    DJ_PUSH_BYTES_MOST = 10 << 20,
    DJ_PUSH_BUFFERS_MOST = 40 << 20,
    /* Age from which a batch is sent, unless the shard still receives the one before. */
    DJ_PUSH_BATCH_MS = 1000
};

struct dj_push_counts {
    int64_t sent;    /* Sessions that a shard has accepted. */
    int64_t spooled; /* Sessions that are in the spool at the end. */
    int64_t refused; /* Sessions that are invalid. */
};

struct dj_pusher;

/* Creates a pusher that only checks sessions. It contacts no shard and writes nothing:
 * dj_fleet_pusher_counts() then returns as `sent` what would be sent. */
struct dj_pusher *dj_fleet_pusher_create_check(const struct dj_messages *messages);

/* Starts to push to all shards. `spool` is the folder for sessions that cannot be sent.
 * Returns an error if the cluster has no tables or does not match. A shard that does not
 * answer is no error: its sessions are spooled. Cluster, folder and messages must exist
 * as long as the pusher. */
int dj_fleet_pusher_create(struct dj_cluster *cluster, const char *spool,
                           const struct dj_messages *messages, struct dj_pusher **pusher,
                           struct dj_error *err);

/* Checks and adds one session. An invalid session is counted, and a message says why.
 * Returns 0, or DJ_E_OUTPUT if a session can neither be sent nor spooled. `pusher` is a
 * struct dj_pusher, so that the function can be a dj_session_receiver. */
int dj_fleet_pusher_add(void *pusher, const struct dj_session *session);

/* Names the source of the next sessions, for messages. NULL is allowed. */
void dj_fleet_pusher_set_source(struct dj_pusher *pusher, const char *source);

/* Returns the counts so far. */
struct dj_push_counts dj_fleet_pusher_counts(const struct dj_pusher *pusher);

/* Sends and spools all sessions that were added. Returns 0, or DJ_E_OUTPUT if a session
 * could neither be sent nor spooled, with the reason. */
int dj_fleet_pusher_flush(struct dj_pusher *pusher, struct dj_error *err);

/* Sends the files of the spool, and deletes each that was sent. Leaves the files of a
 * shard that does not answer as they are. Adds ".refused" to the name of a file that
 * is damaged or has an invalid session, and a message says so. Returns 0, or an error if
 * the spool can neither be read nor written: then no session is lost. */
int dj_fleet_forward_spool(struct dj_pusher *pusher, const char *spool,
                           const struct dj_messages *messages, struct dj_error *err);

/* Returns whether the label names a shard that does not answer. */
bool dj_fleet_pusher_is_down(const struct dj_pusher *pusher,
                             const struct dj_spool_label *label);

/* Counts sessions that stay in the spool. */
void dj_fleet_pusher_keep(struct dj_pusher *pusher, int64_t sessions);

/* Returns why a shard did not accept sessions, or NULL if all did. */
const char *dj_fleet_pusher_failure(const struct dj_pusher *pusher);

void dj_fleet_pusher_destroy(struct dj_pusher *pusher); /* NULL is allowed. */

#endif
