/* Names, each kept once: equal names are one pointer. */
#ifndef DEJANK_TRACE_NAMES_H
#define DEJANK_TRACE_NAMES_H

#include "trace/event.h"

struct dj_names_block;

struct dj_names_slot {
    const char *name; /* NULL: free */
    uint32_t hash, length;
};

/* All zero is an empty one. */
struct dj_names {
    struct dj_names_slot *slots; /* by hash */
    size_t count, capacity;
    struct dj_names_block *block; /* in which the newest names lie */
};

void dj_names_finish(struct dj_names *names);

/* The name as a C string (a NUL within cuts it), valid until dj_names_finish(). NULL: out
 * of memory. */
const char *dj_names_keep(struct dj_names *names, struct dj_words words);

#endif
