/* What the printers of gfxinfo and graphicsstats share. Private to this room. */
#ifndef DEJANK_GFXINFO_PRINT_PARTS_H
#define DEJANK_GFXINFO_PRINT_PARTS_H

#include "gfxinfo/dump.h"

/* Names come from outside and must not end the line they stand in. */
void dj_print_name(struct dj_text *text, const char *name);

/* The lines of a block that the dialect has, each with a newline before it. True where
 * there was one. */
bool dj_print_block(struct dj_text *text, const struct dj_stats_block *block,
                    const struct dj_dialect *dialect);

/* "View hierarchy:" of the windows whose views are known, where there is one. */
void dj_print_hierarchy(struct dj_text *text, const struct dj_dump_process *process,
                        const struct dj_dialect *dialect);

#endif
