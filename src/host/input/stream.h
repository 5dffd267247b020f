/* A stream of bytes that can be examined before they are consumed. The bytes come from a
 * file, or are decoded from another stream. */
#ifndef DEJANK_INPUT_STREAM_H
#define DEJANK_INPUT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
    DJ_STREAM_BYTES = 1 << 18, /* Size of the buffer of a stream. */
    DJ_STREAM_PEEK = 4096      /* Maximum number of bytes for dj_stream_peek(). */
};

struct dj_stream;

struct dj_stream_kind {
    /* Writes the next bytes to `into`, at most `room`, which is above 0. Sets *got to the
     * number of bytes, or to 0 at the end of the stream. Bytes may have been written even
     * if an error is returned. After an error, `produce` is not called again. */
    int (*produce)(struct dj_stream *stream, char *into, size_t room, size_t *got,
                   struct dj_error *err);
    /* Frees the state of the stream. NULL if there is nothing to free. */
    void (*finish)(void *state);
};

struct dj_stream {
    const struct dj_stream_kind *kind;
    void *state;
    /* The stream that this stream decodes (not owned), or NULL for a file. */
    struct dj_stream *below;
    char *buffer;     /* The buffer. NULL until the first bytes are requested. */
    const char *at;   /* The first buffered byte. */
    size_t left;      /* Number of buffered bytes. */
    long long offset; /* Position of `at` in this stream. */
    bool ended;
    struct dj_error failure; /* The error after the buffered bytes, or code 0. */
};

/* Creates a stream that decodes `below`, or reads a file if `below` is NULL. Takes
 * ownership of `state`. */
struct dj_stream *dj_stream_create(const struct dj_stream_kind *kind, void *state,
                                   struct dj_stream *below);
void dj_stream_destroy(struct dj_stream *stream); /* Frees the stream. NULL is allowed. */

/* Buffers at least `bytes` bytes, at most DJ_STREAM_PEEK. Fewer are buffered if the
 * stream ends. Returns an error only if no bytes are buffered. */
int dj_stream_peek(struct dj_stream *stream, size_t bytes, struct dj_error *err);

/* Does the same as dj_stream_peek(), but returns DJ_E_TRUNCATED if the stream has fewer
 * bytes. */
int dj_stream_need(struct dj_stream *stream, size_t bytes, struct dj_error *err);

/* Removes bytes from the front of the buffer. The bytes must be buffered. */
void dj_stream_consume(struct dj_stream *stream, size_t bytes);

/* Copies `length` bytes. Returns DJ_E_TRUNCATED if the stream has fewer. */
int dj_stream_read(struct dj_stream *stream, char *into, size_t length,
                   struct dj_error *err);

/* Skips this many bytes. Returns DJ_E_TRUNCATED if the stream has fewer. */
int dj_stream_skip(struct dj_stream *stream, uint64_t bytes, struct dj_error *err);

/* Reports that the stream ends too early. The error's position is the end of the buffered
 * bytes. Returns DJ_E_TRUNCATED. */
int dj_stream_set_truncated(const struct dj_stream *stream, struct dj_error *err);

/* Creates a stream that reads a file. `name` is copied and appears in messages. If
 * `owned` is set, the descriptor is closed with the stream. */
struct dj_stream *dj_stream_of_file(int fd, bool owned, const char *name);

/* Creates a stream of bytes in memory, which must exist as long as the stream. */
struct dj_stream *dj_stream_of_bytes(const char *bytes, size_t length);

/* Creates a stream of the next `bytes` bytes of `below`, which must have that many.
 * Offsets count from the beginning of `below`. */
struct dj_stream *dj_stream_of_slice(struct dj_stream *below, uint64_t bytes);

#endif
