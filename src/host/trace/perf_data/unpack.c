#include "trace/perf_data/unpack.h"

#include <stdlib.h>
#include <zstd.h>

#include "memory/memory.h"

bool dj_perf_data_unpacker_accepts(uint32_t type)
{
    return type == DJ_PERF_RECORD_COMPRESSED || type == DJ_PERF_RECORD_COMPRESSED_2;
}

static int open_scratch(struct dj_perf_unpacker *unpacker, struct dj_error *err)
{
    if (unpacker->is_open) {
        return 0;
    }
    unpacker->stream = ZSTD_createDCtx();
    dj_xcheck(unpacker->stream != NULL);
    int code = dj_trace_scratch_open(&unpacker->scratch, unpacker->file->size, err);
    unpacker->is_open = code == 0;
    return code;
}

/* Newer versions of perf pad this record, so the record begins with the size of its
 * content. */
static struct dj_str get_content(const struct dj_perf_record *record)
{
    struct dj_byte_cursor at = {(const uint8_t *)record->body.at, record->body.length, 0,
                                false};
    return record->type == DJ_PERF_RECORD_COMPRESSED
               ? record->body
               : dj_byte_cursor_read_bytes(&at, dj_byte_cursor_read_number(&at, 8));
}

/* Unpacks compressed bytes and appends the result to the temporary file. Sets *fault if
 * the bytes are damaged or the result is too large. */
static int unpack(struct dj_perf_unpacker *unpacker, struct dj_str content,
                  const char **fault, struct dj_error *err)
{
    enum { CHUNK = 1 << 17 };
    uint8_t *chunk = dj_xresize(NULL, CHUNK, 1);
    ZSTD_inBuffer in = {content.at, content.length, 0};
    bool is_full = false;
    int code = 0;
    while ((in.pos < in.size || is_full) && code == 0 && *fault == NULL) {
        ZSTD_outBuffer out = {chunk, CHUNK, 0};
        size_t before = in.pos;
        size_t result = ZSTD_decompressStream(unpacker->stream, &out, &in);
        if (ZSTD_isError(result)) {
            *fault = ZSTD_getErrorName(result);
        } else if (out.pos == 0 && in.pos == before) {
            break;
        } else {
            code = dj_trace_scratch_append(&unpacker->scratch, chunk, out.pos, err);
        }
        is_full = out.pos == out.size;
    }
    free(chunk);
    return code;
}

int dj_perf_data_unpacker_add(struct dj_perf_unpacker *unpacker,
                              const struct dj_perf_record *record, size_t offset,
                              struct dj_error *err)
{
    const char *fault = NULL;
    struct dj_error limit = {0};
    if (unpacker->is_damaged) {
        return 0;
    }
    int code = open_scratch(unpacker, err);
    if (code != 0) {
        return code;
    }
    code = unpack(unpacker, get_content(record), &fault, &limit);
    if (code == DJ_E_INVALID) {
        fault = limit.message;
    } else if (code != 0) {
        if (err != NULL) {
            *err = limit;
        }
        return code;
    }
    if (fault != NULL) {
        unpacker->is_damaged = true;
        dj_perf_data_note_damage(unpacker->file,
                                 "byte %zu: compressed records cannot be unpacked: %s",
                                 offset, fault);
    }
    return 0;
}

int dj_perf_data_unpacker_map(struct dj_perf_unpacker *unpacker,
                              struct dj_trace_file *mapped, struct dj_error *err)
{
    return unpacker->is_open ? dj_trace_scratch_map(&unpacker->scratch, mapped, err) : 0;
}

void dj_perf_data_unpacker_finish(struct dj_perf_unpacker *unpacker)
{
    ZSTD_freeDCtx(unpacker->stream);
    if (unpacker->is_open) {
        dj_spill_close(&unpacker->scratch.spill);
    }
}
