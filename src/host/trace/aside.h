/* Bytes put aside in a file without a name, to be mapped as a whole. Of this room only.
 */
#ifndef DEJANK_TRACE_ASIDE_H
#define DEJANK_TRACE_ASIDE_H

#include "spill/spill.h"
#include "trace/mapped.h"

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
