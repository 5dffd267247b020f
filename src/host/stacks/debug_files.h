/* Finds the files that contain the symbols of stripped files, by build-id. Searches the
 * caller's folders and /usr/lib/debug. A file with another build-id is never used, even
 * if its name matches. */
#ifndef DEJANK_STACKS_DEBUG_FILES_H
#define DEJANK_STACKS_DEBUG_FILES_H

#include "stacks/elf.h"

struct dj_stacks_debug_files;

struct dj_stacks_debug_files *dj_stacks_debug_files_create(void);
/* Frees the list of folders. `files` may be NULL. */
void dj_stacks_debug_files_destroy(struct dj_stacks_debug_files *files);

/* Adds a folder, or a single file. Folders are searched in the order in which they were
 * added. Returns DJ_E_NOT_FOUND or DJ_E_IO if the path cannot be read. */
int dj_stacks_debug_files_add(struct dj_stacks_debug_files *files, const char *path,
                              struct dj_error *err);

/* A folder that was not searched, or a file that was not read. */
struct dj_stacks_unreadable {
    char *path;
    int reason; /* A value of errno. */
};

/* Returns the folders and files that could not be read so far, and sets *count to their
 * number. Only the first DJ_STACKS_UNREADABLE_MOST are listed. The list is valid until
 * the next search. `files` may be NULL. */
enum { DJ_STACKS_UNREADABLE_MOST = 16 };
const struct dj_stacks_unreadable *
dj_stacks_debug_files_get_unreadable(const struct dj_stacks_debug_files *files,
                                     size_t *count);

/* Opens the debug file with this build-id. First looks in each folder for
 * .build-id/xx/yy.debug and xx/yy.debug. Then searches all files below the folders, and
 * prefers files with a symbol table. Finally looks in /usr/lib/debug. If `files` is NULL,
 * only /usr/lib/debug is searched. Returns NULL if no file has the build-id. */
struct dj_stacks_elf *dj_stacks_debug_files_open(struct dj_stacks_debug_files *files,
                                                 const struct dj_stacks_build_id *id);

/* Finds a file of the folders that is named `name` or NAME.debug and has another
 * build-id. Sets *other to its build-id. Returns the path of the file, which is valid
 * until the next folder is added. Returns NULL if there is no such file. */
const char *dj_stacks_debug_files_find_other(struct dj_stacks_debug_files *files,
                                             const char *name,
                                             const struct dj_stacks_build_id *id,
                                             struct dj_stacks_build_id *other);

#endif
