/* Sends sessions to the shards. If a shard does not accept a session, the session is
 * written to the spool, so that it is not lost. A session that is sent twice counts
 * once. */
#ifndef DEJANK_FLEET_PUSH_H
#define DEJANK_FLEET_PUSH_H

#include "base/messages.h"
#include "fleet/cluster.h"
#include "fleet/session.h"
#include "fleet/spool.h"

enum {
    DJ_PUSH_ROWS_MOST = 100000, /* Maximum number of rows (sessions) of a batch. */
    /* Size in bytes at which a batch is sent, and maximum size of all batches together.
     * With many shards, batches are smaller. */
    DJ_PUSH_BYTES_MOST = 10 << 20,
    DJ_PUSH_BUFFERS_MOST = 40 << 20,
    /* Age of a batch in ms at which it is sent, unless the shard is still receiving the
     * previous batch. */
    DJ_PUSH_BATCH_MS = 1000
};

struct dj_push_counts {
    int64_t sent;    /* Number of sessions that a shard has accepted. */
    int64_t spooled; /* Number of sessions that are in the spool at the end. */
    int64_t refused; /* Number of invalid sessions. */
};

struct dj_pusher;

/* Creates a pusher that only checks sessions. It contacts no shard and writes nothing.
 * dj_fleet_pusher_counts() then returns the number of valid sessions as `sent`. */
struct dj_pusher *dj_fleet_pusher_create_check(const struct dj_messages *messages);

/* Creates a pusher that sends to all shards. `spool` is the folder for sessions that
 * cannot be sent. Returns an error if the cluster has no tables, or has other shards than
 * the caller named. If a shard does not answer, this is no error: its sessions are
 * written to the spool. `cluster`, `spool` and `messages` must exist as long as the
 * pusher. */
int dj_fleet_pusher_create(struct dj_cluster *cluster, const char *spool,
                           const struct dj_messages *messages, struct dj_pusher **pusher,
                           struct dj_error *err);

/* Checks one session and adds it. If the session is invalid, counts it and sends a
 * message with the reason. Returns 0, or DJ_E_OUTPUT if a session can neither be sent nor
 * written to the spool. `pusher` is a struct dj_pusher. It has the type void *, so that
 * the function is a dj_session_receiver. */
int dj_fleet_pusher_add(void *pusher, const struct dj_session *session);

/* Sets the name of the source of the next sessions, for messages. NULL means no name. The
 * numbers of sessions in messages start again at 1. */
void dj_fleet_pusher_set_source(struct dj_pusher *pusher, const char *source);

/* Returns the number of sessions that were sent, spooled and refused so far. */
struct dj_push_counts dj_fleet_pusher_counts(const struct dj_pusher *pusher);

/* Sends all added sessions, and writes those to the spool that cannot be sent. Returns 0,
 * or DJ_E_OUTPUT with the reason if a session could neither be sent nor written to the
 * spool. */
int dj_fleet_pusher_flush(struct dj_pusher *pusher, struct dj_error *err);

/* Sends the files of the spool, and deletes each file that was sent. Leaves files
 * unchanged if their shard does not answer. If a file is damaged or contains an invalid
 * session, adds ".refused" to its name and sends a message. Returns 0, or an error if the
 * spool can neither be read nor written. In that case, no session is lost. */
int dj_fleet_forward_spool(struct dj_pusher *pusher, const char *spool,
                           const struct dj_messages *messages, struct dj_error *err);

/* Returns whether the label names a shard that does not answer. */
bool dj_fleet_pusher_is_down(const struct dj_pusher *pusher,
                             const struct dj_spool_label *label);

/* Adds to the number of sessions that remain in the spool. */
void dj_fleet_pusher_keep(struct dj_pusher *pusher, int64_t sessions);

/* Returns the reason why a shard did not accept sessions, or NULL if all shards accepted
 * them. */
const char *dj_fleet_pusher_failure(const struct dj_pusher *pusher);

/* Frees the pusher. NULL is allowed. */
void dj_fleet_pusher_destroy(struct dj_pusher *pusher);

#endif
