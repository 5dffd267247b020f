#include "input/decode.h"

#include <lzma.h>
#include <stdlib.h>

#include "memory/memory.h"

static const struct {
    lzma_ret result;
    int code;
    const char *message;
} errors[] = {
    {LZMA_MEMLIMIT_ERROR, DJ_E_LIMIT, "needs more than 256 MiB of memory to unpack"},
    {LZMA_FORMAT_ERROR, DJ_E_INVALID, "invalid xz data"},
    {LZMA_OPTIONS_ERROR, DJ_E_UNSUPPORTED, "unsupported xz options"},
};

static int set_decode_error(const struct dj_stream *below, lzma_ret result,
                            struct dj_error *err)
{
    dj_xcheck(result != LZMA_MEM_ERROR);
    for (size_t i = 0; i < COUNT_OF(errors); i++) {
        if (errors[i].result == result) {
            return dj_error_set_at(err, errors[i].code, below->offset, "byte %lld: %s",
                                   below->offset, errors[i].message);
        }
    }
    return dj_error_set_at(err, DJ_E_INVALID, below->offset,
                           "damaged before byte %lld: inconsistent xz data",
                           below->offset);
}

static int unpack_xz(struct dj_stream *stream, char *into, size_t room, size_t *got,
                     struct dj_error *err)
{
    lzma_stream *lzma = stream->state;
    struct dj_stream *below = stream->below;
    while (*got == 0) {
        int code = dj_stream_peek(below, 1, err);
        if (code != 0) {
            return code;
        }
        lzma->next_in = (const uint8_t *)below->at;
        lzma->avail_in = below->left;
        lzma->next_out = (uint8_t *)into;
        lzma->avail_out = room;
        lzma_ret result = lzma_code(lzma, below->left > 0 ? LZMA_RUN : LZMA_FINISH);
        dj_stream_consume(below, below->left - lzma->avail_in);
        *got = room - lzma->avail_out;
        if (result == LZMA_STREAM_END) {
            return 0;
        }
        if (result == LZMA_BUF_ERROR) {
            return dj_stream_set_truncated(below, err);
        }
        if (result != LZMA_OK) {
            return set_decode_error(below, result, err);
        }
    }
    return 0;
}

static void finish_xz(void *state)
{
    lzma_end(state);
    free(state);
}

struct dj_stream *dj_input_stream_of_xz(struct dj_stream *below)
{
    static const struct dj_stream_kind kind = {unpack_xz, finish_xz};
    static const uint64_t MOST_BYTES = 256 << 20;
    lzma_stream *lzma = dj_xcalloc(1, sizeof(*lzma));
    *lzma = (lzma_stream)LZMA_STREAM_INIT;
    dj_xcheck(lzma_stream_decoder(lzma, MOST_BYTES, LZMA_CONCATENATED) == LZMA_OK);
    return dj_stream_create(&kind, lzma, below);
}
