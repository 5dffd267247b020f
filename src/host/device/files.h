/* Files of this machine, also as a device's. */
#ifndef DEJANK_DEVICE_FILES_H
#define DEJANK_DEVICE_FILES_H

#include "device/device.h"

/* dj_device_push() and dj_device_pull() of this machine. A push is whole or not there:
 * written beside its place, then moved. */
int dj_local_push(struct dj_device *device, const char *local_path,
                  const char *remote_path, unsigned mode, struct dj_error *err);
int dj_local_pull(struct dj_device *device, const char *remote_path,
                  struct dj_text *bytes, struct dj_error *err);

/* Opens a file for reading. DJ_E_NOT_FOUND, DJ_E_IO; both are negative. */
int dj_files_open(const char *path, struct dj_error *err);

/* Both are there, and are one file or folder, whatever it is called. */
bool dj_files_same(const char *a, const char *b);

#endif
