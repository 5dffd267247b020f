/* The columns that each Android release prints. They give names to rows without a
 * header. */
#ifndef DEJANK_GFXINFO_COLUMN_SETS_H
#define DEJANK_GFXINFO_COLUMN_SETS_H

#include "base/text.h"
#include "frame/columns.h"

/* Returns the columns of the release that prints `count` columns, in printed order.
 * Returns NULL if no release prints that many. */
const struct dj_column_list *dj_column_sets_find(size_t count);

/* Appends the possible numbers of columns: "13, 14, … or 25". */
void dj_gfxinfo_column_sets_describe(struct dj_text *text);

#endif
