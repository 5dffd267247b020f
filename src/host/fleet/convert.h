/* Converts other data to sessions: dumps of gfxinfo and graphicsstats, layers of
 * SurfaceFlinger's timestats, segments of Linux programs, and runs of a store. */
#ifndef DEJANK_FLEET_CONVERT_H
#define DEJANK_FLEET_CONVERT_H

#include "base/messages.h"
#include "fleet/lines.h"
#include "gfxinfo/dump.h"
#include "store/loaded_batch.h"

/* The data of a session that its source does not contain. A text is NULL and a number
 * is −1 if unknown. */
struct dj_session_origin {
    /* A unique id of the device, such as its serial number. Sessions do not contain it,
     * but it is hashed into their ids. */
    const char *device_id;
    /* Texts of the session. The app is used only if the source does not name it. */
    const char *text[DJ_SESSION_TEXTS];
    int64_t refresh_hz, ram_mb;
    /* Time at which the source was written. Used as the start of a session whose start is
     * unknown. */
    int64_t written_unix_s;
    const char *content_hash; /* Hash that identifies the content of the source. */
};

/* Converts the entries of a dump that have frames: entries of graphicsstats, processes
 * with statistics, and layers of timestats. An entry of graphicsstats grows during its
 * day. So its id depends on the device, package, version and start, and its revision is
 * its end. Returns 0 or the code of the receiver. */
int dj_fleet_convert_dump(const struct dj_dump *dump,
                          const struct dj_session_origin *origin,
                          dj_session_receiver *receive, void *user);

/* Converts each run of a batch that is used for results. Returns 0, the code of the
 * receiver, or an error of the store. */
int dj_fleet_convert_batch(struct dj_store *store, int64_t batch,
                           dj_session_receiver *receive, void *user,
                           struct dj_error *err);

/* Reads sessions from a file. The file contains JSON lines, RowBinary (a name that ends
 * with ".rowbinary"), a segment, or anything that `dejank parse` reads. The path "-"
 * means JSON lines from standard input. For each line that is not a session, sends a
 * message with its position, adds 1 to *refused, and continues. Returns 0, the code of
 * the receiver, or an error. */
int dj_fleet_read_file(const char *path, const struct dj_session_origin *origin,
                       const struct dj_messages *messages, dj_session_receiver *receive,
                       void *user, int64_t *refused, struct dj_error *err);

#endif
