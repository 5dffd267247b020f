/* Stores each name once, so that equal names have equal pointers. */
#ifndef DEJANK_TRACE_NAME_TABLE_H
#define DEJANK_TRACE_NAME_TABLE_H

#include "base/map.h"
#include "base/str.h"

struct dj_trace_names_block;

/* A zeroed struct is empty. */
struct dj_trace_names {
    struct dj_map map; /* Maps the hash of a name to the pointer to the name. */
    struct dj_trace_names_block *block; /* Block that contains the newest names. */
};

void dj_trace_names_finish(struct dj_trace_names *names);

/* Returns the stored copy of the text as a C string. If the text contains a NUL, the copy
 * ends there. The copy is valid until dj_trace_names_finish(). */
const char *dj_trace_names_add(struct dj_trace_names *names, struct dj_str text);

#endif
