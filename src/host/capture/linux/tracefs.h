/* Opens tracefs, and reads and writes its files. tracefs controls the kernel's tracing.
 */
#ifndef DEJANK_CAPTURE_LINUX_TRACEFS_H
#define DEJANK_CAPTURE_LINUX_TRACEFS_H

#include "base/error.h"
#include "base/text.h"

/* Opens the root folder of tracefs. If tracefs is not mounted, mounts it without a path.
 * This mount ends when *dir is closed. Sets *dir to a descriptor for openat() and similar
 * functions. The caller closes it. Returns 0, DJ_E_OWNER if this process has no
 * permission to open or mount tracefs, or DJ_E_UNSUPPORTED if the kernel has no tracefs.
 */
int dj_tracefs_open(int *dir, struct dj_error *err);

/* Writes `value` to a file of tracefs. Returns 0, DJ_E_OWNER, DJ_E_NOT_FOUND or DJ_E_IO.
 * The message names the path and the kernel's reason. */
int dj_tracefs_write(int dir, const char *path, const char *value, struct dj_error *err);

/* Appends the contents of a file to `text`, at most 16 MiB. Returns 0, DJ_E_NO_MEMORY or
 * an error of dj_tracefs_write(). */
int dj_tracefs_read(int dir, const char *path, struct dj_text *text,
                    struct dj_error *err);

/* Sets `err` according to errno and returns the error code. `doing` names the action that
 * failed, for example "cannot open". */
int dj_tracefs_set_error(const char *path, const char *doing, struct dj_error *err);

#endif
