#include "trace/text/inflate.h"

#include <stdlib.h>
#include <zlib.h>

#include "memory/memory.h"

enum { PIECE = 1 << 16 };

struct dj_inflate {
    z_stream stream;
    bool ended;
    char piece[PIECE];
};

struct dj_inflate *dj_inflate_create(void)
{
    enum { WINDOW_BITS = 15, ZLIB_OR_GZIP = 32 };
    struct dj_inflate *packed = dj_xcalloc(1, sizeof(*packed));
    dj_xcheck(inflateInit2(&packed->stream, WINDOW_BITS + ZLIB_OR_GZIP) == Z_OK);
    return packed;
}

void dj_inflate_destroy(struct dj_inflate *packed)
{
    if (packed != NULL) {
        inflateEnd(&packed->stream);
        free(packed);
    }
}

int dj_inflate_read(struct dj_inflate *packed, const char *bytes, size_t length,
                    int (*receive)(void *user, const char *bytes, size_t length,
                                   struct dj_error *err),
                    void *user, struct dj_error *err)
{
    z_stream *stream = &packed->stream;
    int code = 0;
    /* The cast is safe, because zlib does not write to its input. */
    stream->next_in = (Bytef *)(uintptr_t)bytes;
    stream->avail_in = (uInt)length;
    do {
        if (packed->ended || stream->avail_in == 0) {
            return 0;
        }
        stream->next_out = (Bytef *)packed->piece;
        stream->avail_out = PIECE;
        int result = inflate(stream, Z_NO_FLUSH);
        packed->ended = result == Z_STREAM_END;
        /* Also passes on the bytes that were unpacked before a damage. */
        code = receive(user, packed->piece, PIECE - stream->avail_out, err);
        if (code == 0 && result != Z_OK && result != Z_STREAM_END &&
            result != Z_BUF_ERROR) {
            code = dj_error_set(err, DJ_E_INVALID,
                                "the compressed text is damaged after %lu bytes",
                                stream->total_in);
        }
    } while (code == 0);
    return code;
}

bool dj_inflate_has_ended(const struct dj_inflate *packed)
{
    return packed->ended;
}
