/* Stores each name in a sections file once. */
#ifndef DEJANK_SEGMENT_SECTIONS_NAMES_H
#define DEJANK_SEGMENT_SECTIONS_NAMES_H

#include "base/error.h"
#include "base/map.h"
#include "base/text.h"

/* Sets *offset to the offset of the name in `names`. If the name is not there, appends
 * it. A NUL ends the name. `index` maps hashes of names to offsets. Returns 0,
 * DJ_E_NO_MEMORY or DJ_E_LIMIT. */
int dj_sections_names_intern(struct dj_text *names, struct dj_map *index,
                             const char *name, size_t length, uint32_t *offset,
                             struct dj_error *err);

#endif
