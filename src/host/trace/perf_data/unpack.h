/* Unpacks compressed records into a temporary file. All compressed records together are
 * one zstd stream, so a record may begin in one compressed record and end in the next. */
#ifndef DEJANK_TRACE_PERF_DATA_UNPACK_H
#define DEJANK_TRACE_PERF_DATA_UNPACK_H

#include "trace/mapped_file.h"
#include "trace/perf_data/record.h"

/* Zero the struct and set `file`. Damage is noted in `file`. */
struct dj_perf_unpacker {
    struct dj_perf_data *file;
    struct ZSTD_DCtx_s *stream;
    struct dj_trace_scratch scratch;
    bool is_open; /* True if `scratch` is open. */
    bool is_damaged;
};

/* Returns true for types of records that contain other records in compressed form. */
bool dj_perf_data_unpacker_accepts(uint32_t type);
/* Unpacks a record. `offset` is the position of the record in the file, for messages.
 * After damage, all further compressed records are ignored. Returns 0 or DJ_E_IO. */
int dj_perf_data_unpacker_add(struct dj_perf_unpacker *unpacker,
                              const struct dj_perf_record *record, size_t offset,
                              struct dj_error *err);
/* Maps all unpacked bytes into memory. The result is empty if no record was
 * compressed. */
int dj_perf_data_unpacker_map(struct dj_perf_unpacker *unpacker,
                              struct dj_trace_file *mapped, struct dj_error *err);
void dj_perf_data_unpacker_finish(struct dj_perf_unpacker *unpacker);

#endif
