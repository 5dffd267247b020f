/* Stores each name once: equal names have equal pointers. */
#ifndef DEJANK_TRACE_NAMES_H
#define DEJANK_TRACE_NAMES_H

#include "base/map.h"
#include "base/str.h"

struct dj_names_block;

/* All zero is empty. */
struct dj_names {
    struct dj_map map;            /* hash of the text to name */
    struct dj_names_block *block; /* block with the newest names */
};

void dj_names_finish(struct dj_names *names);

/* Returns the name as a C string (a NUL inside truncates it). Valid until
 * dj_names_finish(). */
const char *dj_names_keep(struct dj_names *names, struct dj_str text);

#endif
