/* Resolves the path of an output file (-o). It may be a link, a device, a pipe, or the
 * file that the shell has opened as our standard output. */
#ifndef DEJANK_OUTPUT_PATH_H
#define DEJANK_OUTPUT_PATH_H

#include <stdbool.h>

/* Returns whether the path must be written directly and not replaced: it exists and is no
 * regular file, or it is the file of our standard output or error. */
bool dj_output_path_is_direct(const char *path);

/* Opens such a path for writing. For a standard stream it returns a copy of the
 * descriptor, so that new output is written after existing output. Blocks until a pipe
 * has a reader. Returns −1 and errno on failure. */
int dj_output_path_open_direct(const char *path);

/* Resolves links, so that replacing the file keeps them. The caller frees the result.
 * NULL: out of memory. */
char *dj_output_path_resolve_links(const char *path);

/* Returns $TMPDIR, or /tmp if it is not set. */
const char *dj_output_path_temporary_folder(void);

#endif
