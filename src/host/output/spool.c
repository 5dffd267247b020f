#include "output/spool.h"

#include <string.h>

#include "memory/memory.h"
#include "output/file.h"

int dj_output_spool_flush(struct dj_output_spool *spool, struct dj_error *err)
{
    dj_xtext(&spool->text);
    if (spool->text.length <= DJ_OUTPUT_SPOOL_MEMORY_BYTES || spool->has_no_file) {
        return 0;
    }
    if (spool->spill.file == 0 && dj_spill_open(&spool->spill, 0) != 0) {
        spool->has_no_file = true;
        return 0;
    }
    int failure = dj_spill_append(&spool->spill, spool->text.data, spool->text.length);
    dj_text_clear(&spool->text);
    return failure == 0 ? 0
                        : dj_error_set(err, DJ_E_OUTPUT,
                                       "cannot write a temporary file for the result: %s",
                                       strerror(failure));
}

int dj_output_spool_copy(struct dj_output_spool *spool, int to)
{
    static char bytes[64 << 10];
    for (uint64_t at = 0; at < spool->spill.bytes;) {
        uint64_t left = spool->spill.bytes - at;
        size_t length = left < sizeof(bytes) ? (size_t)left : sizeof(bytes);
        int failure = dj_spill_read(&spool->spill, at, bytes, length);
        failure = failure == 0 ? dj_output_stream_write_all(to, bytes, length) : failure;
        if (failure != 0) {
            return failure;
        }
        at += length;
    }
    return dj_output_stream_write_all(to, dj_xtext(&spool->text), spool->text.length);
}

void dj_output_spool_finish(struct dj_output_spool *spool)
{
    dj_spill_close(&spool->spill);
    dj_text_finish(&spool->text);
    *spool = (struct dj_output_spool){0};
}
