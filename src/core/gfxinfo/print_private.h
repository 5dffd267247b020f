/* Functions that the printers of gfxinfo and graphicsstats share. */
#ifndef DEJANK_GFXINFO_PRINT_PRIVATE_H
#define DEJANK_GFXINFO_PRINT_PRIVATE_H

#include "gfxinfo/dump.h"

/* Prints a name. Names come from outside, so characters that would end the line are
 * replaced. */
void dj_gfxinfo_print_name(struct dj_text *text, const char *name);

/* Prints the lines of a block that the dialect has, each with a newline before it.
 * Returns whether there was a line. */
bool dj_gfxinfo_print_block(struct dj_text *text, const struct dj_stats_block *block,
                            const struct dj_dialect *dialect);

/* Prints "View hierarchy:" for the windows with known views, if there are any. */
void dj_gfxinfo_print_hierarchy(struct dj_text *text,
                                const struct dj_dump_process *process,
                                const struct dj_dialect *dialect);

#endif
