/* Maps a file into memory for reading. The readers of this module and the capture
 * module use it. */
#ifndef DEJANK_TRACE_MAPPED_FILE_H
#define DEJANK_TRACE_MAPPED_FILE_H

#include "spill/spill.h"
#include "trace/event.h"

struct dj_trace_file {
    const uint8_t *bytes; /* Bytes of the file, or NULL if the file is empty. */
    size_t size;
    /* True if dj_trace_file_open() has mapped the file. False if the caller owns the
     * bytes. */
    bool mapped;
};

/* Maps a file. Do not use it for a file that another program still writes: if a mapped
 * file is truncated, reading it ends this process with SIGBUS. Returns 0, DJ_E_IO or
 * DJ_E_NOT_FOUND. */
int dj_trace_file_open(const char *path, struct dj_trace_file *mapped,
                       struct dj_error *err);

/* The position of a reader that reads a mapped file from start to end. With this
 * position, dj_trace_file_free_before() frees the memory of bytes that were already read.
 */
struct dj_trace_file_trail {
    /* Start of the bytes whose memory was not freed yet. NULL before the first call. */
    const uint8_t *from;
    bool mapped;
};

/* Advises the kernel to free the memory of the bytes before `at`. Does nothing if there
 * are fewer than 4 MiB of such bytes. The bytes can still be read later. The kernel then
 * reads them from the file again. */
void dj_trace_file_free_before(struct dj_trace_file_trail *trail, const uint8_t *at);

void dj_trace_file_close(struct dj_trace_file *mapped);

/* A temporary file. Close it with dj_spill_close(&scratch->spill). */
struct dj_trace_scratch {
    struct dj_spill spill;
    uint64_t most; /* Maximum size in bytes. */
};

/* Opens a temporary file for unpacked data. If no file can be created, uses memory
 * instead. Returns 0 or DJ_E_IO. The maximum size of the unpacked data is
 * DJ_TRACE_SCRATCH_RATIO times `packed_size`, but at least DJ_TRACE_SCRATCH_FREE_BYTES.
 * This is sufficient, because unpacked traces are usually less than 20 times as large as
 * their packed form. If `packed_size` is 0 because it is unknown (for example for a
 * pipe), only the free disk space limits the size. */
enum { DJ_TRACE_SCRATCH_RATIO = 100, DJ_TRACE_SCRATCH_FREE_BYTES = 32 << 20 };
int dj_trace_scratch_open(struct dj_trace_scratch *scratch, uint64_t packed_size,
                          struct dj_error *err);
/* Sets the error "the unpacked data exceeds `most` bytes". Returns DJ_E_INVALID. */
int dj_trace_scratch_refuse_size(uint64_t most, struct dj_error *err);
/* Appends bytes. Returns 0, DJ_E_IO, or DJ_E_INVALID if the size would exceed the
 * maximum. */
int dj_trace_scratch_append(struct dj_trace_scratch *scratch, const void *bytes,
                            size_t length, struct dj_error *err);
/* Maps the whole file. The mapping stays valid after the temporary file is closed.
 * Returns 0 or DJ_E_IO. */
int dj_trace_scratch_map(const struct dj_trace_scratch *scratch,
                         struct dj_trace_file *mapped, struct dj_error *err);

#endif
