/* Maps the bytes of a file for reading. Readers of this module and captures use it. */
#ifndef DEJANK_TRACE_MAPPED_FILE_H
#define DEJANK_TRACE_MAPPED_FILE_H

#include "spill/spill.h"
#include "trace/event.h"

struct dj_trace_file {
    const uint8_t *bytes; /* NULL if empty */
    size_t size;
    bool mapped; /* dj_trace_file_open() mapped it; else the bytes belong to the caller */
};

/* Returns DJ_E_IO or DJ_E_NOT_FOUND. If a file is truncated while it is read, the process
 * ends with SIGBUS. Do not pass a file that is still being written. */
int dj_trace_file_open(const char *path, struct dj_trace_file *mapped,
                       struct dj_error *err);

/* The part of a mapped file that a sequential reader has already read. */
struct dj_trace_file_trail {
    const uint8_t *from; /* NULL: nothing was read yet */
    bool mapped;
};

/* Advises the kernel from time to time that everything before `at` is not needed any
 * more, which frees the memory. The bytes can still be read. */
void dj_trace_file_free_before(struct dj_trace_file_trail *trail, const uint8_t *at);

void dj_trace_file_close(struct dj_trace_file *mapped);

/* ---- an unnamed temporary file that is mapped as a whole later ---- */

/* Close it with dj_spill_close(). */
struct dj_trace_scratch {
    struct dj_spill spill;
    uint64_t most; /* maximum size in bytes */
};

/* Opens a temporary file, or uses memory if none can be created. Returns DJ_E_IO.
 * Unpacked data may be DJ_TRACE_SCRATCH_RATIO times the size of its packed form, once it
 * is longer than DJ_TRACE_SCRATCH_FREE_BYTES bytes. Real traces stay below 20 times.
 * packed_size 0 means unknown, as for a pipe: then only the disk limits the size. */
enum { DJ_TRACE_SCRATCH_RATIO = 100, DJ_TRACE_SCRATCH_FREE_BYTES = 32 << 20 };
int dj_trace_scratch_open(struct dj_trace_scratch *scratch, uint64_t packed_size,
                          struct dj_error *err);
/* Sets an error and returns DJ_E_INVALID: the unpacked data exceeds `most`. */
int dj_trace_scratch_refuse_size(uint64_t most, struct dj_error *err);
/* Returns DJ_E_IO, or DJ_E_INVALID if the size exceeds the maximum. */
int dj_trace_scratch_append(struct dj_trace_scratch *scratch, const void *bytes,
                            size_t length, struct dj_error *err);
/* Maps the whole file. The mapping stays valid after the file is closed. */
int dj_trace_scratch_map(const struct dj_trace_scratch *scratch,
                         struct dj_trace_file *mapped, struct dj_error *err);

#endif
