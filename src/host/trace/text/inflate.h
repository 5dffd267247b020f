/* Unpacks a zlib or gzip stream. The caller passes the stream in pieces. `atrace -z`
 * writes such a stream after its text. */
#ifndef DEJANK_TRACE_TEXT_INFLATE_H
#define DEJANK_TRACE_TEXT_INFLATE_H

#include "trace/event.h"

struct dj_inflate;

struct dj_inflate *dj_inflate_create(void);
/* Frees the struct. Does nothing if `packed` is NULL. */
void dj_inflate_destroy(struct dj_inflate *packed);

/* Unpacks the next piece and passes the unpacked bytes to `receive`. Ignores bytes after
 * the end of the stream. Returns 0, DJ_E_INVALID if the stream is damaged, or the result
 * of `receive` if it is not 0. */
int dj_inflate_read(struct dj_inflate *packed, const char *bytes, size_t length,
                    int (*receive)(void *user, const char *bytes, size_t length,
                                   struct dj_error *err),
                    void *user, struct dj_error *err);

/* Returns true if the end of the stream was read. */
bool dj_inflate_has_ended(const struct dj_inflate *packed);

#endif
