/* A stream of bytes that can be examined before they are consumed: a file, or data
 * decoded from another stream. */
#ifndef DEJANK_INPUT_STREAM_H
#define DEJANK_INPUT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
    DJ_STREAM_BYTES = 1 << 18, /* buffered at most */
    DJ_STREAM_PEEK = 4096      /* may be requested at once */
};

struct dj_stream;

struct dj_stream_kind {
    /* Writes further bytes to `into`, at most `room` > 0, and sets their number; 0: the
     * end. An error may come with bytes, and ends the calls. */
    int (*produce)(struct dj_stream *stream, char *into, size_t room, size_t *got,
                   struct dj_error *err);
    void (*finish)(void *state); /* frees the state; NULL: nothing to free */
};

struct dj_stream {
    const struct dj_stream_kind *kind;
    void *state;
    struct dj_stream *below; /* the stream that this one decodes; not owned; NULL: a
                              * file */
    char *buffer;            /* NULL until bytes are requested */
    const char *at;          /* the buffered bytes */
    size_t left;             /* their number */
    long long offset;        /* position of `at` in this stream */
    bool ended;
    struct dj_error failure; /* the error that ended it, after the buffered bytes; code 0:
                              * none */
};

/* Takes ownership of the state. */
struct dj_stream *dj_stream_create(const struct dj_stream_kind *kind, void *state,
                                   struct dj_stream *below);
void dj_stream_destroy(struct dj_stream *stream); /* NULL is allowed */

/* Buffers at least `bytes` (at most DJ_STREAM_PEEK), unless the stream ends before.
 * Returns an error only if nothing is buffered. */
int dj_stream_peek(struct dj_stream *stream, size_t bytes, struct dj_error *err);

/* The same; DJ_E_TRUNCATED if the stream ends before. */
int dj_stream_need(struct dj_stream *stream, size_t bytes, struct dj_error *err);

/* Consumes buffered bytes. */
void dj_stream_consume(struct dj_stream *stream, size_t bytes);

/* Copies that many bytes; DJ_E_TRUNCATED if there are fewer. */
int dj_stream_read(struct dj_stream *stream, char *into, size_t length,
                   struct dj_error *err);

/* Skips that many bytes; DJ_E_TRUNCATED if there are fewer. */
int dj_stream_skip(struct dj_stream *stream, uint64_t bytes, struct dj_error *err);

/* Sets the error of data that ends too early, at the end of `stream`. */
int dj_stream_set_truncated(const struct dj_stream *stream, struct dj_error *err);

/* Opens a file. `name` (copied) appears in messages. The descriptor is closed with the
 * stream if the stream owns it. */
struct dj_stream *dj_stream_of_file(int fd, bool owned, const char *name);

/* A stream of the next `bytes` of another one, which must not end before. Its offsets are
 * those of the stream below. */
struct dj_stream *dj_stream_of_slice(struct dj_stream *below, uint64_t bytes);

#endif
