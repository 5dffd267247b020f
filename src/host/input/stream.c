#include "input/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory/memory.h"

enum { PAGE_BYTES = 4096 };

struct dj_stream *dj_stream_create(const struct dj_stream_kind *kind, void *state,
                                   struct dj_stream *below)
{
    struct dj_stream *stream = dj_xcalloc(1, sizeof(*stream));
    *stream = (struct dj_stream){.kind = kind, .state = state, .below = below};
    return stream;
}

void dj_stream_destroy(struct dj_stream *stream)
{
    if (stream == NULL) {
        return;
    }
    if (stream->kind->finish != NULL) {
        stream->kind->finish(stream->state);
    }
    free(stream->buffer);
    free(stream);
}

/* Moves the buffered bytes to the beginning of the buffer and reads more bytes after
 * them. */
static void fill_buffer(struct dj_stream *stream)
{
    if (stream->buffer == NULL) {
        /* The buffer begins at a page, because the kernel copies to such addresses
         * several times as fast. */
        stream->buffer = aligned_alloc(PAGE_BYTES, DJ_STREAM_BYTES);
        dj_xcheck(stream->buffer != NULL);
    }
    if (stream->left > 0) {
        memmove(stream->buffer, stream->at, stream->left);
    }
    stream->at = stream->buffer;
    size_t got = 0;
    int code =
        stream->kind->produce(stream, stream->buffer + stream->left,
                              DJ_STREAM_BYTES - stream->left, &got, &stream->failure);
    stream->left += got;
    stream->ended = code == 0 && got == 0;
}

int dj_stream_peek(struct dj_stream *stream, size_t bytes, struct dj_error *err)
{
    while (stream->left < bytes && !stream->ended && stream->failure.code == 0) {
        fill_buffer(stream);
    }
    if (stream->left == 0 && stream->failure.code != 0) {
        if (err != NULL) {
            *err = stream->failure;
        }
        return stream->failure.code;
    }
    return 0;
}

void dj_stream_consume(struct dj_stream *stream, size_t bytes)
{
    stream->at += bytes;
    stream->left -= bytes;
    stream->offset += (long long)bytes;
}

int dj_stream_set_truncated(const struct dj_stream *stream, struct dj_error *err)
{
    long long end = stream->offset + (long long)stream->left;
    return dj_error_set_at(err, DJ_E_TRUNCATED, end,
                           "truncated at byte %lld: expected more data", end);
}

int dj_stream_need(struct dj_stream *stream, size_t bytes, struct dj_error *err)
{
    int code = dj_stream_peek(stream, bytes, err);
    return code == 0 && stream->left < bytes ? dj_stream_set_truncated(stream, err)
                                             : code;
}

int dj_stream_skip(struct dj_stream *stream, uint64_t bytes, struct dj_error *err)
{
    for (uint64_t rest = bytes; rest > 0;) {
        int code = dj_stream_need(stream, 1, err);
        if (code != 0) {
            return code;
        }
        size_t step = stream->left < rest ? stream->left : (size_t)rest;
        dj_stream_consume(stream, step);
        rest -= step;
    }
    return 0;
}

int dj_stream_read(struct dj_stream *stream, char *into, size_t length,
                   struct dj_error *err)
{
    for (size_t done = 0; done < length;) {
        int code = dj_stream_need(stream, 1, err);
        if (code != 0) {
            return code;
        }
        size_t count = stream->left < length - done ? stream->left : length - done;
        memcpy(into + done, stream->at, count);
        dj_stream_consume(stream, count);
        done += count;
    }
    return 0;
}

struct file {
    int fd;
    bool owned;
    char *name;
};

static int file_produce(struct dj_stream *stream, char *into, size_t room, size_t *got,
                        struct dj_error *err)
{
    const struct file *file = stream->state;
    ssize_t count;
    do {
        count = read(file->fd, into, room);
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
        return dj_error_set(err, DJ_E_IO, "cannot read %s: %s", file->name,
                            strerror(errno));
    }
    *got = (size_t)count;
    return 0;
}

static void file_finish(void *state)
{
    struct file *file = state;
    if (file->owned) {
        close(file->fd);
    }
    free(file->name);
    free(file);
}

struct dj_stream *dj_stream_of_file(int fd, bool owned, const char *name)
{
    static const struct dj_stream_kind kind = {file_produce, file_finish};
    struct file *file = dj_xcalloc(1, sizeof(*file));
    /* A larger buffer wakes the writer of a pipe only a quarter as often. For other
     * files, the call has no effect. */
    fcntl(fd, F_SETPIPE_SZ, DJ_STREAM_BYTES);
    *file = (struct file){fd, owned, dj_xstrdup(name)};
    return dj_stream_create(&kind, file, NULL);
}

static int slice_produce(struct dj_stream *stream, char *into, size_t room, size_t *got,
                         struct dj_error *err)
{
    uint64_t *rest = stream->state;
    struct dj_stream *below = stream->below;
    int code = *rest > 0 ? dj_stream_need(below, 1, err) : 0;
    if (code != 0 || *rest == 0) {
        return code;
    }
    size_t count = below->left < room ? below->left : room;
    count = count < *rest ? count : (size_t)*rest;
    memcpy(into, below->at, count);
    dj_stream_consume(below, count);
    *rest -= count;
    *got = count;
    return 0;
}

struct dj_stream *dj_stream_of_slice(struct dj_stream *below, uint64_t bytes)
{
    static const struct dj_stream_kind kind = {slice_produce, free};
    uint64_t *rest = dj_xcalloc(1, sizeof(*rest));
    *rest = bytes;
    struct dj_stream *stream = dj_stream_create(&kind, rest, below);
    stream->offset = below->offset;
    return stream;
}

/* All bytes are in the buffer from the beginning. */
static int bytes_produce(struct dj_stream *stream, char *into, size_t room, size_t *got,
                         struct dj_error *err)
{
    (void)stream;
    (void)into;
    (void)room;
    (void)err;
    *got = 0;
    return 0;
}

struct dj_stream *dj_stream_of_bytes(const char *bytes, size_t length)
{
    static const struct dj_stream_kind kind = {bytes_produce, NULL};
    struct dj_stream *stream = dj_stream_create(&kind, NULL, NULL);
    stream->at = bytes;
    stream->left = length;
    return stream;
}
