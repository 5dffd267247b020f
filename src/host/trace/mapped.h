/* Maps the bytes of a file for reading. Readers of this module and captures use it. */
#ifndef DEJANK_TRACE_MAPPED_H
#define DEJANK_TRACE_MAPPED_H

#include "spill/spill.h"
#include "trace/event.h"

struct dj_mapped {
    const uint8_t *bytes; /* NULL if empty */
    size_t size;
    bool mapped; /* dj_mapped_open() mapped it; else the bytes belong to the caller */
};

/* Returns DJ_E_IO or DJ_E_NOT_FOUND. If a file is truncated while it is read, the process
 * ends with SIGBUS. Do not pass a file that is still being written. */
int dj_mapped_open(const char *path, struct dj_mapped *mapped, struct dj_error *err);

/* The part of a mapped file that a sequential reader has already read. */
struct dj_mapped_trail {
    const uint8_t *from; /* NULL: nothing was read yet */
    bool mapped;
};

/* Advises the kernel from time to time that everything before `at` is not needed any
 * more, which frees the memory. The bytes can still be read. */
void dj_mapped_leave(struct dj_mapped_trail *trail, const uint8_t *at);

void dj_mapped_close(struct dj_mapped *mapped);

/* ---- an unnamed temporary file that is mapped as a whole later ---- */

/* Close it with dj_spill_close(). */
struct dj_aside {
    struct dj_spill spill;
    uint64_t most; /* maximum size in bytes */
};

/* Opens a temporary file, or uses memory if none can be created. Returns DJ_E_IO.
 * Unpacked data may be DJ_ASIDE_RATIO times the size of its packed form, once it is
 * longer than DJ_ASIDE_FREE bytes. Real traces stay below 20 times. packed_size 0 means
 * unknown, as for a pipe: then only the disk limits the size. */
enum { DJ_ASIDE_RATIO = 100, DJ_ASIDE_FREE = 32 << 20 };
int dj_aside_open(struct dj_aside *aside, uint64_t packed_size, struct dj_error *err);
/* Sets an error and returns DJ_E_INVALID: the unpacked data exceeds `most`. */
int dj_aside_refuse(uint64_t most, struct dj_error *err);
/* Returns DJ_E_IO, or DJ_E_INVALID if the size exceeds the maximum. */
int dj_aside_put(struct dj_aside *aside, const void *bytes, size_t length,
                 struct dj_error *err);
/* Maps the whole file. The mapping stays valid after the file is closed. */
int dj_aside_map(const struct dj_aside *aside, struct dj_mapped *mapped,
                 struct dj_error *err);

#endif
