/* The column sets that releases print, for rows that come without their header. */
#ifndef DEJANK_GFXINFO_COLUMN_SETS_H
#define DEJANK_GFXINFO_COLUMN_SETS_H

#include "base/text.h"
#include "frame/columns.h"

/* The set with this many columns, in the order of its values; NULL where no release has
 * so many. */
const struct dj_column_list *dj_column_set(size_t count);

/* Appends how many columns the sets have: "13, 14, … or 25". */
void dj_column_sets_describe(struct dj_text *text);

#endif
