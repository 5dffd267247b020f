/* Unpacks one zlib or gzip stream in pieces, as `atrace -z` appends it to its output. */
#ifndef DEJANK_TRACE_TEXT_INFLATE_H
#define DEJANK_TRACE_TEXT_INFLATE_H

#include "trace/event.h"

struct dj_inflate;

struct dj_inflate *dj_inflate_create(void);
void dj_inflate_destroy(struct dj_inflate *packed); /* NULL is allowed */

/* Unpacks a piece and passes the result to `take`. Ignores bytes after the stream's end.
 * Returns DJ_E_INVALID if the stream is damaged, or the code of `take`. */
int dj_inflate_read(struct dj_inflate *packed, const char *bytes, size_t length,
                    int (*take)(void *user, const char *bytes, size_t length,
                                struct dj_error *err),
                    void *user, struct dj_error *err);

/* Returns true once the stream's end was read. */
bool dj_inflate_has_ended(const struct dj_inflate *packed);

#endif
