/* A file's bytes, mapped for reading. For readers of this room, and captures. */
#ifndef DEJANK_TRACE_MAPPED_H
#define DEJANK_TRACE_MAPPED_H

#include "spill/spill.h"
#include "trace/event.h"

struct dj_mapped {
    const uint8_t *bytes; /* NULL where there are none */
    size_t size;
    bool mapped; /* dj_mapped_open() did: else the bytes are someone's memory */
};

/* DJ_E_IO, DJ_E_NOT_FOUND. A file that is cut short while it is read ends the process:
 * do not give it one that is being written. */
int dj_mapped_open(const char *path, struct dj_mapped *mapped, struct dj_error *err);

/* What is left behind of a file that is read from its begin to its end. */
struct dj_mapped_trail {
    const uint8_t *from; /* NULL: nothing was read yet */
    bool mapped;
};

/* All before `at` is not needed any more: the process gives its memory back, now and
 * then. The bytes can still be read. */
void dj_mapped_leave(struct dj_mapped_trail *trail, const uint8_t *at);

void dj_mapped_close(struct dj_mapped *mapped);

/* ---- bytes put aside in a file without a name, to be mapped as a whole ---- */

/* Finish it with dj_spill_close(). */
struct dj_aside {
    struct dj_spill spill;
    uint64_t most; /* largest size in bytes */
};

/*
 * In a temporary file, or in memory where there can be none. DJ_E_IO. What is unfolded
 * may be DJ_ASIDE_RATIO times as long as its packed form, once it is longer than
 * DJ_ASIDE_FREE bytes; real traces stay below 20. packed_size 0: it is unknown, as of a
 * pipe, and only the disk limits what is unfolded.
 */
enum { DJ_ASIDE_RATIO = 100, DJ_ASIDE_FREE = 32 << 20 };
int dj_aside_open(struct dj_aside *aside, uint64_t packed_size, struct dj_error *err);
/* DJ_E_INVALID: what is unfolded is more than `most`. */
int dj_aside_refuse(uint64_t most, struct dj_error *err);
/* DJ_E_IO; DJ_E_INVALID where it becomes too much. */
int dj_aside_put(struct dj_aside *aside, const void *bytes, size_t length,
                 struct dj_error *err);
/* Maps all of it; the mapping outlives the aside. */
int dj_aside_map(const struct dj_aside *aside, struct dj_mapped *mapped,
                 struct dj_error *err);

#endif
