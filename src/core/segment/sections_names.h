/* The names of a sections file, each stored once. */
#ifndef DEJANK_SEGMENT_SECTIONS_NAMES_H
#define DEJANK_SEGMENT_SECTIONS_NAMES_H

#include "base/error.h"
#include "base/map.h"
#include "base/text.h"

/* Finds the name in `names` through `index` (offsets by hash), or adds it to both, and
 * sets *offset. A NUL ends the name. Returns 0, DJ_E_NO_MEMORY or DJ_E_LIMIT. */
int dj_sections_names_intern(struct dj_text *names, struct dj_map *index,
                             const char *name, size_t length, uint32_t *offset,
                             struct dj_error *err);

#endif
