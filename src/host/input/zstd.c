#include "input/decode.h"

#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "memory/memory.h"

struct unfolder {
    ZSTD_DStream *zstd;
    bool between; /* the last frame is complete, and all of it was returned */
};

static int unfold(struct dj_stream *stream, char *into, size_t room, size_t *got,
                  struct dj_error *err)
{
    struct unfolder *unfolder = stream->state;
    struct dj_stream *below = stream->below;
    while (*got == 0) {
        int code = dj_stream_peek(below, 1, err);
        if (code != 0) {
            return code;
        }
        if (below->left == 0 && unfolder->between) {
            return 0;
        }
        ZSTD_inBuffer in = {below->at, below->left, 0};
        ZSTD_outBuffer out = {into, room, 0};
        bool between = unfolder->between;
        size_t said = ZSTD_decompressStream(unfolder->zstd, &out, &in);
        bool more = below->left > 0;
        *got = out.pos;
        if (ZSTD_isError(said)) {
            dj_xcheck(ZSTD_getErrorCode(said) != ZSTD_error_memory_allocation);
            return dj_error_set_at(err, DJ_E_INVALID, below->offset,
                                   "damaged%s byte %lld: %s", between ? " at" : " behind",
                                   below->offset, ZSTD_getErrorName(said));
        }
        dj_stream_consume(below, in.pos);
        unfolder->between = said == 0;
        if (!more && *got == 0 && said != 0) {
            return dj_stream_set_truncated(below, err);
        }
    }
    return 0;
}

static void unfold_finish(void *state)
{
    struct unfolder *unfolder = state;
    ZSTD_freeDStream(unfolder->zstd);
    free(unfolder);
}

struct dj_stream *dj_input_stream_of_zstd(struct dj_stream *below)
{
    static const struct dj_stream_kind kind = {unfold, unfold_finish};
    enum { WINDOW_LOG_MOST = 27 };
    struct unfolder *unfolder = dj_xcalloc(1, sizeof(*unfolder));
    *unfolder = (struct unfolder){.zstd = ZSTD_createDStream(), .between = true};
    dj_xcheck(unfolder->zstd != NULL);
    ZSTD_DCtx_setParameter(unfolder->zstd, ZSTD_d_windowLogMax, WINDOW_LOG_MOST);
    return dj_stream_create(&kind, unfolder, below);
}
