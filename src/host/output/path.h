/* Finds out how to write to the path of the option -o. The path may be a symbolic link, a
 * device, a pipe, or the file to which the shell has redirected our standard output. */
#ifndef DEJANK_OUTPUT_PATH_H
#define DEJANK_OUTPUT_PATH_H

#include <stdbool.h>

/* Returns whether the path must be written directly instead of being replaced. This is
 * the case if the path exists and is not a regular file, or if the path is our standard
 * output or error. */
bool dj_output_path_is_direct(const char *path);

/* Opens a path that must be written directly. If the path is our standard output or
 * error, returns a copy of that descriptor, so that new output comes after existing
 * output. Blocks until a named pipe has a reader. Returns −1 and sets errno on
 * failure. */
int dj_output_path_open_direct(const char *path);

/* Returns the target of a symbolic link, or `path` if it is no link. So the target can be
 * replaced without replacing the link. The caller frees the result. Returns NULL if there
 * is no memory. */
char *dj_output_path_resolve_links(const char *path);

/* Returns $TMPDIR, or /tmp if it is not set. */
const char *dj_output_path_temporary_folder(void);

#endif
