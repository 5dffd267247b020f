/* A file's bytes, mapped for reading. Of this room only. */
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

struct dj_aside {
    struct dj_spill spill;
    uint64_t most; /* largest size in bytes */
};

/* In a temporary file, or in memory where there can be none. DJ_E_IO. */
int dj_aside_open(struct dj_aside *aside, uint64_t most, struct dj_error *err);
/* DJ_E_INVALID: what is unfolded is more than `most`. */
int dj_aside_refuse(uint64_t most, struct dj_error *err);
/* DJ_E_IO; DJ_E_INVALID where it becomes too much. */
int dj_aside_put(struct dj_aside *aside, const void *bytes, size_t length,
                 struct dj_error *err);
/* Maps all of it; the mapping outlives the aside. */
int dj_aside_map(const struct dj_aside *aside, struct dj_mapped *mapped,
                 struct dj_error *err);
void dj_aside_close(struct dj_aside *aside);

/*
 * Unfolded data may be this many times as long as its packed form, once it is longer than
 * DJ_ASIDE_FREE bytes. Real traces stay below 20. DJ_E_INVALID beyond that.
 */
enum { DJ_ASIDE_RATIO = 100, DJ_ASIDE_FREE = 32 << 20 };
uint64_t dj_aside_most(uint64_t packed_size);

/* Bytes in pieces: the first, and then those that `next` returns until it returns none.
 * packed_size: the size of their packed form; 0: unknown. */
struct dj_aside_stream {
    const char *first;
    size_t first_length;
    int (*next)(void *user, const char **bytes, size_t *length, struct dj_error *err);
    void *user;
    uint64_t packed_size;
};

/* Maps all of a stream. Where it breaks off, what came before is mapped, and *damaged
 * grows by one. DJ_E_IO, DJ_E_INVALID, DJ_E_UNSUPPORTED. */
int dj_aside_read(const struct dj_aside_stream *stream, struct dj_mapped *mapped,
                  uint64_t *damaged, struct dj_error *err);

#endif
