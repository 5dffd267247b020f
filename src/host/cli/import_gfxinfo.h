/* What `dejank import` takes of gfxinfo text: the one process that is meant. */
#ifndef DEJANK_CLI_IMPORT_GFXINFO_H
#define DEJANK_CLI_IMPORT_GFXINFO_H

#include "cli/import_file.h"

/* Fills the rest of *file from file->raw: package, outcome, windows, and `text` where
 * there are other processes too. `called` is the name of a nameless process where
 * `package` is NULL. An exit code, and what is wrong on stderr. */
int dj_import_gfxinfo(const char *called, const char *package,
                      struct dj_import_file *file);

void dj_import_forget_windows(struct dj_import_file *file);

#endif
