/* Stores each name once: equal names have equal pointers. */
#ifndef DEJANK_TRACE_NAME_TABLE_H
#define DEJANK_TRACE_NAME_TABLE_H

#include "base/map.h"
#include "base/str.h"

struct dj_trace_names_block;

/* All zero is empty. */
struct dj_trace_names {
    struct dj_map map;                  /* hash of the text to name */
    struct dj_trace_names_block *block; /* block with the newest names */
};

void dj_trace_names_finish(struct dj_trace_names *names);

/* Returns the name as a C string (a NUL inside truncates it). Valid until
 * dj_trace_names_finish(). */
const char *dj_trace_names_add(struct dj_trace_names *names, struct dj_str text);

#endif
