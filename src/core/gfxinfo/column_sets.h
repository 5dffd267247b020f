/* The column sets that releases print, for rows that come without their header. */
#ifndef DEJANK_GFXINFO_COLUMN_SETS_H
#define DEJANK_GFXINFO_COLUMN_SETS_H

#include "frame/columns.h"

/* The set with this many columns, in the order of its values; NULL where no release has
 * so many. */
const struct dj_column_list *dj_column_set(size_t count);

#endif
