/* Receives sessions that apps send, in the body of an HTTP request. The sessions are on
 * the disk before the request is answered. A thread then sends them to the shards. */
#ifndef DEJANK_FLEET_INGEST_H
#define DEJANK_FLEET_INGEST_H

#include "base/messages.h"
#include "fleet/cluster.h"

enum {
    DJ_INGEST_BODY_MOST = 8 << 20,      /* Maximum size of a body in bytes. */
    DJ_INGEST_UNPACKED_MOST = 32 << 20, /* The same after decompression. */
    DJ_INGEST_LINES_MOST = 100000,      /* Maximum number of lines of a body. */
    DJ_INGEST_REASONS_MOST = 20,        /* Maximum number of lines with a reason. */
    DJ_INGEST_AGE_MOST_DAYS = 366       /* Maximum age of a session. */
};

struct dj_ingest_refusal {
    size_t line; /* From 1. */
    char *reason;
};

/* Zero it before use. */
struct dj_ingest_result {
    struct dj_text rows; /* The accepted sessions as RowBinary. */
    int64_t accepted, refused;
    struct dj_ingest_refusal refusals[DJ_INGEST_REASONS_MOST]; /* The first ones. */
    size_t refusal_count;
};

/* Reads a body of JSON lines, which is compressed with gzip if `is_gzip` is set. A
 * session that is invalid, starts more than a day after now_unix_s, or is older than the
 * maximum age is refused, and the others are accepted. Returns DJ_E_LIMIT if the body is
 * too long after decompression, or DJ_E_INVALID or DJ_E_TRUNCATED if it cannot be
 * decompressed: then nothing is accepted. The caller finishes the result in every case.
 */
int dj_fleet_read_ingest(struct dj_str body, bool is_gzip, int64_t now_unix_s,
                         struct dj_ingest_result *result, struct dj_error *err);
void dj_fleet_ingest_result_finish(struct dj_ingest_result *result);

/* Appends the answer as JSON: dejank.fleet-ingest/1. */
void dj_fleet_write_ingest_json(struct dj_text *json,
                                const struct dj_ingest_result *result);

/* ---- the thread that sends the spool ---- */

struct dj_forwarder;

/* Starts a thread that sends the files of the spool to the shards, and tries again while
 * shards do not answer. Reports when that begins and ends. `place`, `spool` and
 * `messages` must exist as long as the thread. Any thread may call the functions. */
struct dj_forwarder *dj_fleet_forwarder_start(const struct dj_fleet_cluster_place *place,
                                              const char *spool,
                                              const struct dj_messages *messages);

/* Reports that the spool has a new file. It is sent within about a second. */
void dj_fleet_forwarder_wake(struct dj_forwarder *forwarder);

/* Cancels what the thread does, waits for its end and frees it. NULL is allowed. */
void dj_fleet_forwarder_stop(struct dj_forwarder *forwarder);

#endif
