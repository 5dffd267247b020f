#include "input/decode.h"

#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "memory/memory.h"

struct zstd_reader {
    ZSTD_DStream *zstd;
    /* True if the last frame is complete and all its bytes have been returned. */
    bool is_between;
};

static int unpack_zstd(struct dj_stream *stream, char *into, size_t room, size_t *got,
                       struct dj_error *err)
{
    struct zstd_reader *reader = stream->state;
    struct dj_stream *below = stream->below;
    while (*got == 0) {
        int code = dj_stream_peek(below, 1, err);
        if (code != 0) {
            return code;
        }
        if (below->left == 0 && reader->is_between) {
            return 0;
        }
        ZSTD_inBuffer in = {below->at, below->left, 0};
        ZSTD_outBuffer out = {into, room, 0};
        bool is_between = reader->is_between;
        size_t result = ZSTD_decompressStream(reader->zstd, &out, &in);
        bool more = below->left > 0;
        *got = out.pos;
        if (ZSTD_isError(result)) {
            dj_xcheck(ZSTD_getErrorCode(result) != ZSTD_error_memory_allocation);
            return dj_error_set_at(
                err, DJ_E_INVALID, below->offset, "damaged%s byte %lld: %s",
                is_between ? " at" : " after", below->offset, ZSTD_getErrorName(result));
        }
        dj_stream_consume(below, in.pos);
        reader->is_between = result == 0;
        if (!more && *got == 0 && result != 0) {
            return dj_stream_set_truncated(below, err);
        }
    }
    return 0;
}

static void finish_zstd(void *state)
{
    struct zstd_reader *reader = state;
    ZSTD_freeDStream(reader->zstd);
    free(reader);
}

struct dj_stream *dj_input_stream_of_zstd(struct dj_stream *below)
{
    static const struct dj_stream_kind kind = {unpack_zstd, finish_zstd};
    enum { WINDOW_LOG_MOST = 27 };
    struct zstd_reader *reader = dj_xcalloc(1, sizeof(*reader));
    *reader = (struct zstd_reader){.zstd = ZSTD_createDStream(), .is_between = true};
    dj_xcheck(reader->zstd != NULL);
    ZSTD_DCtx_setParameter(reader->zstd, ZSTD_d_windowLogMax, WINDOW_LOG_MOST);
    return dj_stream_create(&kind, reader, below);
}
