/* Converts what dejank reads to sessions: dumps of gfxinfo and graphicsstats, layers of
 * SurfaceFlinger's timestats, segments of Linux programs, and the runs of a store. */
#ifndef DEJANK_FLEET_CONVERT_H
#define DEJANK_FLEET_CONVERT_H

#include "base/messages.h"
#include "fleet/lines.h"
#include "gfxinfo/dump.h"
#include "store/loaded_batch.h"

/* The data of a session that its source does not contain. A text is NULL and a number
 * is −1 if unknown. */
struct dj_session_origin {
    /* An id of the device that no other device has, such as its serial. It becomes a part
     * of what is hashed to the id of a session; sessions do not contain it. */
    const char *device_id;
    const char *text[DJ_SESSION_TEXTS]; /* The app is ignored if the source names it. */
    int64_t refresh_hz, ram_mb;
    /* When the source was written. Used as the start of a session without a start. */
    int64_t written_unix_s;
    const char *content_hash; /* Identifies the bytes of the source. */
};

/* Converts each entry of graphicsstats, each process with statistics, and each layer of
 * timestats in the dump. Skips what has no frames. An entry of graphicsstats grows during
 * its day, so its id depends on the device, package, version and start, and its revision
 * is its end. Returns 0 or the code of the receiver. */
int dj_fleet_convert_dump(const struct dj_dump *dump,
                          const struct dj_session_origin *origin,
                          dj_session_receiver *receive, void *user);

/* Converts each run of a batch that counts. Returns 0, the code of the receiver, or an
 * error of the store. */
int dj_fleet_convert_batch(struct dj_store *store, int64_t batch,
                           dj_session_receiver *receive, void *user,
                           struct dj_error *err);

/* Reads sessions from a file: JSON lines, RowBinary (a name that ends with
 * ".rowbinary"), a segment, or what `dejank parse` reads. "-" reads JSON lines from
 * standard input. Sends a message for each line that is no session, with its place, and
 * continues. Adds the number of such lines to *refused. Returns 0, the code of the
 * receiver, or an error. */
int dj_fleet_read_file(const char *path, const struct dj_session_origin *origin,
                       const struct dj_messages *messages, dj_session_receiver *receive,
                       void *user, int64_t *refused, struct dj_error *err);

#endif
