#include "trace/perfetto_unfold.h"

#include <zlib.h>
#include <zstd.h>

#include "memory/memory.h"

/* Where unfolded bytes go. */
struct unfolded {
    uint8_t *bytes;
    size_t length, capacity;
    uint64_t most;
};

/* Room for more; false: it is too much. */
static bool grow(struct unfolded *into)
{
    if (into->length < into->most) {
        DJ_XRESERVE(into->bytes, into->capacity, 2 * into->capacity + (1 << 16));
    }
    return into->length < into->most;
}

enum { ANY_HEADER = 15 + 32 }; /* zlib's or gzip's */

static bool unfold_zlib(struct dj_str packed, struct unfolded *into)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)packed.at};
    if (packed.length > UINT32_MAX) {
        return false;
    }
    dj_xcheck(inflateInit2(&stream, ANY_HEADER) == Z_OK);
    stream.avail_in = (uInt)packed.length;
    int said = Z_OK;
    while (said == Z_OK && grow(into)) {
        size_t room = into->capacity - into->length;
        stream.next_out = into->bytes + into->length;
        stream.avail_out = (uInt)room;
        said = inflate(&stream, Z_NO_FLUSH);
        into->length += room - stream.avail_out;
        if (said == Z_OK && stream.avail_out > 0) {
            break; /* it wants what is not there */
        }
    }
    inflateEnd(&stream);
    return said == Z_STREAM_END;
}

static bool unfold_zstd(struct dj_str packed, struct unfolded *into)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    ZSTD_inBuffer from = {packed.at, packed.length, 0};
    size_t left = 1;
    dj_xcheck(stream != NULL);
    while (!ZSTD_isError(left) && left != 0 && grow(into)) {
        size_t taken = from.pos;
        ZSTD_outBuffer to = {into->bytes, into->capacity, into->length};
        left = ZSTD_decompressStream(stream, &to, &from);
        if (to.pos == into->length && from.pos == taken) {
            break;
        }
        into->length = to.pos;
    }
    ZSTD_freeDStream(stream);
    return left == 0;
}

bool dj_perfetto_unfold(uint32_t kind, struct dj_str packed, uint64_t most,
                        uint8_t **bytes, size_t *length)
{
    struct unfolded into = {.most = most};
    bool is_whole = kind == DJ_PF_PACKET_COMPRESSED_ZSTD ? unfold_zstd(packed, &into)
                                                         : unfold_zlib(packed, &into);
    *bytes = into.bytes;
    *length = into.length;
    return is_whole;
}
