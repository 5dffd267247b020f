/* Functions that the printers of gfxinfo and graphicsstats share. */
#ifndef DEJANK_GFXINFO_PRINT_PRIVATE_H
#define DEJANK_GFXINFO_PRINT_PRIVATE_H

#include "gfxinfo/dump.h"

/* Prints a name. Line breaks and byte order marks, which separate lines too, are replaced
 * with blanks, because names come from outside. */
void dj_gfxinfo_print_name(struct dj_text *text, const char *name);

/* Prints the lines of a block that the dialect has, each with a newline before it.
 * Returns whether any line was printed. */
bool dj_gfxinfo_print_block(struct dj_text *text, const struct dj_stats_block *block,
                            const struct dj_dialect *dialect);

/* Prints "View hierarchy:" if the number of views is known for at least one window. */
void dj_gfxinfo_print_hierarchy(struct dj_text *text,
                                const struct dj_dump_process *process,
                                const struct dj_dialect *dialect);

#endif
