/* Where a file that a person named (-o) is really written: a name may be a link, a
 * device, a pipe, or what the shell has made our own standard output. */
#ifndef DEJANK_DEVICE_OUTPUT_PLACE_H
#define DEJANK_DEVICE_OUTPUT_PLACE_H

#include <stdbool.h>

/* Whether nothing may be put in its place: it exists and is no regular file, or it is
 * the file that our standard output or error already goes to. */
bool dj_output_is_direct(const char *path);

/* Opens such a one for writing; of a standard stream a copy, so that what is written
 * follows what stands there. −1 and errno. A pipe is waited for until somebody reads. */
int dj_output_open_direct(const char *path);

/* What a file is put in the place of: the end of links, so that they stay. The caller
 * frees it; NULL: out of memory. */
char *dj_output_end_of_links(const char *path);

/* $TMPDIR, or /tmp. */
const char *dj_output_aside(void);

#endif
