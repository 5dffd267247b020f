/* The kernel's tracing files, wherever they are. Of this room only. */
#ifndef DEJANK_CAPTURE_TRACEFS_H
#define DEJANK_CAPTURE_TRACEFS_H

#include "base/error.h"
#include "base/text.h"

/*
 * Opens the folder of tracefs: where it is mounted, else a mount of our own that is
 * attached to no path, and is gone with *dir. DJ_E_OWNER where that is not permitted,
 * DJ_E_UNSUPPORTED where the kernel has no tracefs. *dir is a descriptor for the *at()
 * calls, to be closed.
 */
int dj_tracefs_open(int *dir, struct dj_error *err);

/* Writes a setting whole. Errors name the path and say what the kernel answered:
 * DJ_E_OWNER, DJ_E_NOT_FOUND, DJ_E_IO. */
int dj_tracefs_write(int dir, const char *path, const char *value, struct dj_error *err);

/* Appends what a file says, at most 16 MiB. */
int dj_tracefs_read(int dir, const char *path, struct dj_text *text,
                    struct dj_error *err);

/* What errno means for such a file. */
int dj_tracefs_failure(const char *path, const char *doing, struct dj_error *err);

#endif
