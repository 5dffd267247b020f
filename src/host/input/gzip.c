#include "input/decode.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "memory/memory.h"

struct inflater {
    z_stream z;
    bool gzip;   /* True for gzip, false for deflate without a header. */
    bool inside; /* True inside a member, or inside deflate data. */
};

/* Finds the next gzip member and sets inflater->inside, or finds the end of the data. */
static int read_member_start(struct dj_stream *stream, struct dj_error *err)
{
    struct inflater *inflater = stream->state;
    struct dj_stream *below = stream->below;
    for (;;) {
        int code = dj_stream_peek(below, 2, err);
        if (code != 0 || below->left == 0) {
            return code;
        }
        if (below->left >= 2 && below->at[0] == '\x1f' && below->at[1] == '\x8b') {
            inflater->inside = inflateReset(&inflater->z) == Z_OK;
            return 0;
        }
        if (below->at[0] != '\0') {
            return dj_error_set_at(
                err, DJ_E_INVALID, below->offset,
                "expected gzip data or the end at byte %lld, found other data",
                below->offset);
        }
        dj_stream_consume(below, 1);
    }
}

/* Calls zlib once and adds the number of decoded bytes to *got, which may stay 0. */
static int inflate_some(struct dj_stream *stream, char *into, size_t room, size_t *got,
                        struct dj_error *err)
{
    struct inflater *inflater = stream->state;
    struct dj_stream *below = stream->below;
    int code = dj_stream_peek(below, 1, err);
    if (code != 0) {
        return code;
    }
    /* zlib is called even if there is no input, because zlib may hold decoded bytes that
     * did not fit into the last buffer. */
    bool more = below->left > 0;
    z_stream *z = &inflater->z;
    z->next_in = (Bytef *)below->at;
    z->avail_in = (uInt)below->left;
    z->next_out = (Bytef *)into;
    z->avail_out = room < UINT_MAX ? (uInt)room : UINT_MAX;
    uInt most = z->avail_out;
    int result = inflate(z, Z_NO_FLUSH);
    dj_stream_consume(below, below->left - z->avail_in);
    *got = most - z->avail_out;
    if (result == Z_STREAM_END) {
        inflater->inside = false;
        return 0;
    }
    if (result == Z_OK || result == Z_BUF_ERROR) {
        return more || *got > 0 ? 0 : dj_stream_set_truncated(below, err);
    }
    dj_xcheck(result != Z_MEM_ERROR);
    return dj_error_set_at(err, DJ_E_INVALID, below->offset,
                           "damaged before byte %lld: %s", below->offset,
                           z->msg != NULL ? z->msg : "invalid deflate data");
}

static int inflate_produce(struct dj_stream *stream, char *into, size_t room, size_t *got,
                           struct dj_error *err)
{
    struct inflater *inflater = stream->state;
    while (*got == 0) {
        int code =
            !inflater->inside && inflater->gzip ? read_member_start(stream, err) : 0;
        if (code != 0 || !inflater->inside) {
            return code;
        }
        code = inflate_some(stream, into, room, got, err);
        if (code != 0) {
            return code;
        }
    }
    return 0;
}

static void inflate_finish(void *state)
{
    struct inflater *inflater = state;
    inflateEnd(&inflater->z);
    free(inflater);
}

static struct dj_stream *inflate_open(struct dj_stream *below, bool gzip)
{
    static const struct dj_stream_kind kind = {inflate_produce, inflate_finish};
    enum { WINDOW_BITS = 15, WITH_GZIP_HEADER = 16 };
    struct inflater *inflater = dj_xcalloc(1, sizeof(*inflater));
    int bits = gzip ? WINDOW_BITS + WITH_GZIP_HEADER : -WINDOW_BITS;
    inflater->gzip = gzip;
    inflater->inside = !gzip;
    dj_xcheck(inflateInit2(&inflater->z, bits) == Z_OK);
    return dj_stream_create(&kind, inflater, below);
}

struct dj_stream *dj_input_stream_of_gzip(struct dj_stream *below)
{
    return inflate_open(below, true);
}

struct dj_stream *dj_input_stream_of_deflate(struct dj_stream *below)
{
    return inflate_open(below, false);
}
