/* Copies and opens files of this machine. */
#ifndef DEJANK_DEVICE_FILES_H
#define DEJANK_DEVICE_FILES_H

#include "device/device.h"

/* Implement dj_device_push() and dj_device_pull() for this machine. A push writes a
 * temporary file in the folder of remote_path and then renames it, so that no reader
 * finds an incomplete file. */
int dj_files_push(struct dj_device *device, const char *local_path,
                  const char *remote_path, unsigned mode, struct dj_error *err);
int dj_files_pull(struct dj_device *device, const char *remote_path,
                  struct dj_text *bytes, struct dj_error *err);

/* Opens a file for reading. Returns a descriptor, or a negative error: DJ_E_NOT_FOUND or
 * DJ_E_IO. */
int dj_files_open(const char *path, struct dj_error *err);

/* Returns whether both paths exist and are the same file or folder. */
bool dj_device_files_are_same(const char *a, const char *b);

#endif
