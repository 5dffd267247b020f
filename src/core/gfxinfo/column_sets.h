/* The column sets that releases print. They give names to rows that come without a
 * header. */
#ifndef DEJANK_GFXINFO_COLUMN_SETS_H
#define DEJANK_GFXINFO_COLUMN_SETS_H

#include "base/text.h"
#include "frame/columns.h"

/* Returns the set with this many columns, in the order of their values, or NULL if no
 * release prints so many columns. */
const struct dj_column_list *dj_column_sets_find(size_t count);

/* Appends the column counts of all sets: "13, 14, … or 25". */
void dj_gfxinfo_column_sets_describe(struct dj_text *text);

#endif
