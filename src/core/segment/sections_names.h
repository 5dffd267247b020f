/* Names of a sections file, each kept once. Of this room only. */
#ifndef DEJANK_SEGMENT_SECTIONS_NAMES_H
#define DEJANK_SEGMENT_SECTIONS_NAMES_H

#include "segment/sections_reader.h"

/* The offset of the name in sections->names, added where it is new. 0 or DJ_E_NO_MEMORY,
 * DJ_E_LIMIT. A NUL in it ends it. */
int dj_sections_intern(struct dj_sections *sections, const char *name, size_t length,
                       uint32_t *offset, struct dj_error *err);

#endif
