/* Receives sessions that apps send in the body of an HTTP request. Sessions are written
 * to the disk before the request is answered. A thread then sends them to the shards. */
#ifndef DEJANK_FLEET_INGEST_H
#define DEJANK_FLEET_INGEST_H

#include "base/messages.h"
#include "fleet/cluster.h"

enum {
    DJ_INGEST_BODY_MOST = 8 << 20, /* Maximum size of a body in bytes. */
    /* Maximum size of a body in bytes after decompression. */
    DJ_INGEST_UNPACKED_MOST = 32 << 20,
    DJ_INGEST_LINES_MOST = 100000, /* Maximum number of lines of a body. */
    /* Maximum number of refused lines for which the answer contains the reason. */
    DJ_INGEST_REASONS_MOST = 20,
    DJ_INGEST_AGE_MOST_DAYS = 366 /* Maximum age of a session in days. */
};

struct dj_ingest_refusal {
    size_t line; /* Number of the line in the body, from 1. */
    char *reason;
};

/* The result of reading a body. Zero the struct before use. */
struct dj_ingest_result {
    struct dj_text rows; /* The accepted sessions as RowBinary. */
    int64_t accepted, refused;
    /* The first refused lines with their reasons. */
    struct dj_ingest_refusal refusals[DJ_INGEST_REASONS_MOST];
    size_t refusal_count;
};

/* Reads a body of JSON lines. If `is_gzip` is true, decompresses the body first. Accepts
 * each valid session. Refuses a session that is invalid, starts more than a day after
 * now_unix_s, or is older than the maximum age. Returns DJ_E_LIMIT if the decompressed
 * body is too long, or DJ_E_INVALID or DJ_E_TRUNCATED if it cannot be decompressed. No
 * session is accepted in these cases. The caller finishes *result even after an error. */
int dj_fleet_read_ingest(struct dj_str body, bool is_gzip, int64_t now_unix_s,
                         struct dj_ingest_result *result, struct dj_error *err);
void dj_fleet_ingest_result_finish(struct dj_ingest_result *result);

/* Appends the answer to the sender as JSON with the schema dejank.fleet-ingest/1. */
void dj_fleet_write_ingest_json(struct dj_text *json,
                                const struct dj_ingest_result *result);

struct dj_forwarder;

/* Starts a thread that sends the files of the spool to the shards. While shards do not
 * answer, the thread tries again, and reports the begin and the end of such a time.
 * `place`, `spool` and `messages` must exist as long as the thread. The functions may be
 * called by any thread. */
struct dj_forwarder *dj_fleet_forwarder_start(const struct dj_fleet_cluster_place *place,
                                              const char *spool,
                                              const struct dj_messages *messages);

/* Tells the thread that the spool has a new file. The file is sent within about a
 * second. */
void dj_fleet_forwarder_wake(struct dj_forwarder *forwarder);

/* Cancels the thread's work, waits for its end and frees it. NULL is allowed. */
void dj_fleet_forwarder_stop(struct dj_forwarder *forwarder);

#endif
