/*
 * Finds the files that contain the symbols of a stripped file, by its build-id: in the
 * folders of the caller, and in /usr/lib/debug. A file with another build-id is never
 * used, whatever its name is.
 */
#ifndef DEJANK_STACKS_DEBUG_FILES_H
#define DEJANK_STACKS_DEBUG_FILES_H

#include "stacks/elf.h"

struct dj_stacks_debug_files;

struct dj_stacks_debug_files *dj_stacks_debug_files_create(void);
/* `files` may be NULL. */
void dj_stacks_debug_files_destroy(struct dj_stacks_debug_files *files);

/* Adds a folder, or one file. Folders are searched in the order in which they are added.
 * Returns DJ_E_NOT_FOUND or DJ_E_IO if it cannot be read. */
int dj_stacks_debug_files_add(struct dj_stacks_debug_files *files, const char *path,
                              struct dj_error *err);

/* Opens the file with this build-id. In each folder, looks for .build-id/xx/yy.debug and
 * xx/yy.debug. Then searches all files below the folders, in which files with a symbol
 * table are preferred, and then /usr/lib/debug. `files` may be NULL: then only
 * /usr/lib/debug is searched. Returns NULL if there is none. */
struct dj_stacks_elf *dj_stacks_debug_files_open(struct dj_stacks_debug_files *files,
                                                 const struct dj_stacks_build_id *id);

/* Finds a file of the folders that has the name `name` or NAME.debug and another
 * build-id. Sets *other to its build-id. Returns its path, which is valid until the next
 * folder is added, or NULL if there is none. */
const char *dj_stacks_debug_files_find_other(struct dj_stacks_debug_files *files,
                                             const char *name,
                                             const struct dj_stacks_build_id *id,
                                             struct dj_stacks_build_id *other);

#endif
