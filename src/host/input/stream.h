/* Bytes one after the other, of which some can be looked at before they are taken: files,
 * and whatever is decoded from another stream. */
#ifndef DEJANK_INPUT_STREAM_H
#define DEJANK_INPUT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
    DJ_STREAM_BYTES = 1 << 18, /* at hand at most */
    DJ_STREAM_PEEK = 4096      /* may be wanted at once */
};

struct dj_stream;

struct dj_stream_kind {
    /* Puts further bytes at `into`, at most `room` > 0, and says how many; none: it is
     * the end. An error may come with bytes, and is not followed by another call. */
    int (*produce)(struct dj_stream *stream, char *into, size_t room, size_t *got,
                   struct dj_error *err);
    void (*finish)(void *state); /* frees the state; NULL: none to free */
};

struct dj_stream {
    const struct dj_stream_kind *kind;
    void *state;
    struct dj_stream *below; /* what it is decoded from; not owned; NULL: a file */
    char *buffer;            /* NULL until bytes are wanted */
    const char *at;          /* the bytes at hand */
    size_t left;             /* how many */
    long long offset;        /* of `at` in this stream */
    bool ended;
    struct dj_error failure; /* what ended it, after the bytes at hand; code 0: nothing */
};

/* Takes over the state. */
struct dj_stream *dj_stream_create(const struct dj_stream_kind *kind, void *state,
                                   struct dj_stream *below);
void dj_stream_destroy(struct dj_stream *stream); /* NULL is fine */

/* Has at least `bytes` (at most DJ_STREAM_PEEK) at hand, unless the stream ends before.
 * An error only where none is. */
int dj_stream_want(struct dj_stream *stream, size_t bytes, struct dj_error *err);

/* The same; DJ_E_TRUNCATED if the stream ends before. */
int dj_stream_need(struct dj_stream *stream, size_t bytes, struct dj_error *err);

/* Passes over bytes at hand. */
void dj_stream_take(struct dj_stream *stream, size_t bytes);

/* Copies that many bytes; DJ_E_TRUNCATED if there are fewer. */
int dj_stream_read(struct dj_stream *stream, char *into, size_t length,
                   struct dj_error *err);

/* Passes over that many bytes; DJ_E_TRUNCATED where there are fewer. */
int dj_stream_skip(struct dj_stream *stream, uint64_t bytes, struct dj_error *err);

/* The error of data that ends too early: where `stream` ends. */
int dj_stream_cut(const struct dj_stream *stream, struct dj_error *err);

/* A file; `name` (copied) stands in messages. The descriptor is closed with the stream if
 * it is owned. */
struct dj_stream *dj_stream_of_file(int fd, bool owned, const char *name);

/* The next `bytes` of another stream, which must not end before. Its offsets are those of
 * the stream below. */
struct dj_stream *dj_stream_of_slice(struct dj_stream *below, uint64_t bytes);

#endif
