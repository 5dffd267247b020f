/* Names, each kept once: equal names are one pointer. */
#ifndef DEJANK_TRACE_NAMES_H
#define DEJANK_TRACE_NAMES_H

#include "base/map.h"
#include "base/str.h"

struct dj_names_block;

/* All zero is an empty one. */
struct dj_names {
    struct dj_map map;            /* hash of the text to name */
    struct dj_names_block *block; /* that contains the newest names */
};

void dj_names_finish(struct dj_names *names);

/* The name as a C string (a NUL within cuts it), valid until dj_names_finish(). */
const char *dj_names_keep(struct dj_names *names, struct dj_str text);

#endif
