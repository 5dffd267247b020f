#include "trace/kernel/trace_dat_private.h"

#include <stdbool.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "memory/memory.h"

bool dj_trace_dat_read_packed(struct dj_byte_cursor *at, struct dj_str *packed,
                              size_t *size)
{
    uint64_t packed_size = dj_byte_cursor_read_number(at, 4);
    *size = (size_t)dj_byte_cursor_read_number(at, 4);
    *packed = dj_byte_cursor_read_bytes(at, packed_size);
    return !at->failed && *size <= DJ_TRACE_DAT_UNPACKED_MAX;
}

static bool unpack_zlib(struct dj_str packed, uint8_t *bytes, size_t size)
{
    uLongf got = size;
    return uncompress(bytes, &got, (const Bytef *)packed.at, packed.length) == Z_OK &&
           got == size;
}

int dj_trace_dat_unpack(struct dj_str method, struct dj_str packed, uint8_t *bytes,
                        size_t size, struct dj_error *err)
{
    bool zlib = dj_str_is(method, "zlib");
    if (!zlib && !dj_str_is(method, "zstd")) {
        return dj_error_set(err, DJ_E_UNSUPPORTED, "unknown compression method %.*s",
                            (int)(method.length < 40 ? method.length : 40), method.at);
    }
    bool whole = zlib ? unpack_zlib(packed, bytes, size)
                      : ZSTD_decompress(bytes, size, packed.at, packed.length) == size;
    return whole ? 0
                 : dj_error_set(err, DJ_E_INVALID, "a part compressed with %s is damaged",
                                zlib ? "zlib" : "zstd");
}

void dj_trace_dat_pages_finish(struct dj_trace_dat_pages *pages)
{
    free(pages->chunk);
    pages->chunk = NULL;
}

/* Unpacks the next compressed chunk. */
static int next_chunk(struct dj_trace_dat_pages *pages, struct dj_error *err)
{
    struct dj_str packed;
    size_t size;
    if (!dj_trace_dat_read_packed(&pages->data, &packed, &size)) {
        return dj_error_set(err, DJ_E_INVALID,
                            "the compressed data of a CPU is truncated");
    }
    DJ_XRESERVE(pages->chunk, pages->chunk_room, size);
    pages->chunk_size = size;
    pages->chunk_at = 0;
    pages->chunks_left--;
    return size == 0
               ? 0
               : dj_trace_dat_unpack(pages->compression, packed, pages->chunk, size, err);
}

static int next_packed(struct dj_trace_dat_pages *pages, const uint8_t **page,
                       struct dj_error *err)
{
    if (!pages->begun && pages->data.size > 0) {
        pages->chunks_left = dj_byte_cursor_read_number(&pages->data, 4);
    }
    pages->begun = true;
    *page = NULL;
    while (pages->chunk_size - pages->chunk_at < pages->page_size) {
        if (pages->chunks_left == 0) {
            return 0;
        }
        int code = next_chunk(pages, err);
        if (code != 0) {
            return code;
        }
    }
    *page = pages->chunk + pages->chunk_at;
    pages->chunk_at += pages->page_size;
    return 0;
}

int dj_trace_dat_pages_next(void *user, const uint8_t **page, struct dj_error *err)
{
    struct dj_trace_dat_pages *pages = user;
    dj_trace_file_free_before(&pages->trail, pages->data.bytes + pages->data.at);
    if (pages->packed) {
        return next_packed(pages, page, err);
    }
    *page = NULL;
    if (pages->data.size - pages->data.at >= pages->page_size) {
        *page =
            (const uint8_t *)dj_byte_cursor_read_bytes(&pages->data, pages->page_size).at;
    }
    return 0;
}
