/* Unpacks compressed records into a temporary file. They are one zstd stream, in which
 * records may extend from one compressed record to the next. */
#ifndef DEJANK_TRACE_PERF_DATA_UNPACK_H
#define DEJANK_TRACE_PERF_DATA_UNPACK_H

#include "trace/mapped_file.h"
#include "trace/perf_data/record.h"

/* Zero it and set `file`, in which damage is noted. */
struct dj_perf_unpacker {
    struct dj_perf_data *file;
    struct ZSTD_DCtx_s *stream;
    struct dj_trace_scratch scratch;
    bool is_open; /* `scratch` is open. */
    bool is_damaged;
};

/* Returns true for records that contain compressed records. */
bool dj_perf_data_unpacker_accepts(uint32_t type);
/* Unpacks a record, which is at the byte `offset`. After damage, the rest is ignored.
 * Returns 0 or DJ_E_IO. */
int dj_perf_data_unpacker_add(struct dj_perf_unpacker *unpacker,
                              const struct dj_perf_record *record, size_t offset,
                              struct dj_error *err);
/* Maps the unpacked bytes. There may be none. */
int dj_perf_data_unpacker_map(struct dj_perf_unpacker *unpacker,
                              struct dj_trace_file *mapped, struct dj_error *err);
void dj_perf_data_unpacker_finish(struct dj_perf_unpacker *unpacker);

#endif
