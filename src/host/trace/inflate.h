/* One stream of zlib in pieces, as `atrace -z` appends it to its talk, or of gzip. Of
 * this room only. */
#ifndef DEJANK_TRACE_INFLATE_H
#define DEJANK_TRACE_INFLATE_H

#include "trace/event.h"

struct dj_inflate;

struct dj_inflate *dj_inflate_create(void);
void dj_inflate_finish(struct dj_inflate *packed); /* NULL is fine */

/* Unfolds a piece, and hands on what comes of it. Bytes behind the stream's end are
 * passed over. DJ_E_INVALID where the stream is damaged; what `take` answers. */
int dj_inflate_take(struct dj_inflate *packed, const char *bytes, size_t length,
                    int (*take)(void *user, const char *bytes, size_t length,
                                struct dj_error *err),
                    void *user, struct dj_error *err);

/* Whether the stream's end was seen. */
bool dj_inflate_ended(const struct dj_inflate *packed);

#endif
