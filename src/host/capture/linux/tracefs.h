/* Finds, reads and writes the kernel's tracing files. */
#ifndef DEJANK_CAPTURE_LINUX_TRACEFS_H
#define DEJANK_CAPTURE_LINUX_TRACEFS_H

#include "base/error.h"
#include "base/text.h"

/* Opens the folder of tracefs: the existing mount, otherwise a mount of our own without a
 * path, which ends with *dir. DJ_E_OWNER if that is not permitted, DJ_E_UNSUPPORTED if
 * the kernel has no tracefs. *dir is a descriptor for the *at() calls; the caller closes
 * it. */
int dj_tracefs_open(int *dir, struct dj_error *err);

/* Writes a whole setting. Errors name the path and the kernel's reason: DJ_E_OWNER,
 * DJ_E_NOT_FOUND, DJ_E_IO. */
int dj_tracefs_write(int dir, const char *path, const char *value, struct dj_error *err);

/* Appends a file's contents, at most 16 MiB. */
int dj_tracefs_read(int dir, const char *path, struct dj_text *text,
                    struct dj_error *err);

/* Returns the error code for errno of such a file. */
int dj_tracefs_failure(const char *path, const char *doing, struct dj_error *err);

#endif
