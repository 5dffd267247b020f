/* Finds, reads and writes the files of tracefs, with which the kernel's tracing is
 * controlled. */
#ifndef DEJANK_CAPTURE_LINUX_TRACEFS_H
#define DEJANK_CAPTURE_LINUX_TRACEFS_H

#include "base/error.h"
#include "base/text.h"

/* Opens the folder of tracefs. If tracefs is not mounted, makes a mount without a
 * path, which ends when *dir is closed. Sets *dir to a descriptor for the *at()
 * functions, which the caller closes. Returns 0, DJ_E_OWNER if that is not permitted,
 * or DJ_E_UNSUPPORTED if the kernel has no tracefs. */
int dj_tracefs_open(int *dir, struct dj_error *err);

/* Writes the value of a setting. Returns 0, DJ_E_OWNER, DJ_E_NOT_FOUND or DJ_E_IO. The
 * message names the path and the kernel's reason. */
int dj_tracefs_write(int dir, const char *path, const char *value, struct dj_error *err);

/* Appends the contents of a file, at most 16 MiB. Returns 0 or an error as
 * dj_tracefs_write(), or DJ_E_NO_MEMORY. */
int dj_tracefs_read(int dir, const char *path, struct dj_text *text,
                    struct dj_error *err);

/* Sets err from errno and returns its code. `doing` is the failed action for the
 * message, such as "cannot open". */
int dj_tracefs_set_error(const char *path, const char *doing, struct dj_error *err);

#endif
