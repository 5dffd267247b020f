/* Maps a file into memory for reading. The readers of this module and the capture
 * module use it. */
#ifndef DEJANK_TRACE_MAPPED_FILE_H
#define DEJANK_TRACE_MAPPED_FILE_H

#include "spill/spill.h"
#include "trace/event.h"

struct dj_trace_file {
    const uint8_t *bytes; /* NULL if the file is empty. */
    size_t size;
    /* True if dj_trace_file_open() mapped the file. False if the bytes belong to the
     * caller. */
    bool mapped;
};

/* Maps a file. Returns 0, DJ_E_IO or DJ_E_NOT_FOUND. Do not pass a file that is still
 * being written: if a mapped file is truncated, reading it ends the process with
 * SIGBUS. */
int dj_trace_file_open(const char *path, struct dj_trace_file *mapped,
                       struct dj_error *err);

/* The position of a sequential reader in a mapped file. dj_trace_file_free_before()
 * uses it to free the memory of bytes that were already read. */
struct dj_trace_file_trail {
    /* Start of the bytes that were not freed yet, or NULL at the start. */
    const uint8_t *from;
    bool mapped;
};

/* Advises the kernel to free the memory of the bytes before `at`, if they are at least 4
 * MiB. A later access to these bytes is possible and reads them from the file again. */
void dj_trace_file_free_before(struct dj_trace_file_trail *trail, const uint8_t *at);

void dj_trace_file_close(struct dj_trace_file *mapped);

/* ---- an unnamed temporary file that is mapped as a whole later ---- */

/* A temporary file. Close it with dj_spill_close(&scratch->spill). */
struct dj_trace_scratch {
    struct dj_spill spill;
    uint64_t most; /* Maximum size in bytes. */
};

/* Opens a temporary file for unpacked data. Uses memory if no file can be created.
 * Returns 0 or DJ_E_IO. The size of the unpacked data is limited to
 * DJ_TRACE_SCRATCH_RATIO times `packed_size`, but not to less than
 * DJ_TRACE_SCRATCH_FREE_BYTES bytes. Unpacked traces are usually less than 20 times as
 * large as their packed form. If `packed_size` is 0 (unknown, for example for a pipe),
 * only the disk limits the size. */
enum { DJ_TRACE_SCRATCH_RATIO = 100, DJ_TRACE_SCRATCH_FREE_BYTES = 32 << 20 };
int dj_trace_scratch_open(struct dj_trace_scratch *scratch, uint64_t packed_size,
                          struct dj_error *err);
/* Sets the error that the unpacked data exceeds `most` bytes, and returns DJ_E_INVALID.
 */
int dj_trace_scratch_refuse_size(uint64_t most, struct dj_error *err);
/* Appends bytes. Returns 0, DJ_E_IO, or DJ_E_INVALID if the size would exceed the
 * maximum. */
int dj_trace_scratch_append(struct dj_trace_scratch *scratch, const void *bytes,
                            size_t length, struct dj_error *err);
/* Maps the whole file. The mapping stays valid after the file is closed. Returns 0 or
 * DJ_E_IO. */
int dj_trace_scratch_map(const struct dj_trace_scratch *scratch,
                         struct dj_trace_file *mapped, struct dj_error *err);

#endif
