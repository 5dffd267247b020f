/* The folder for data that outlives a dejank process: $XDG_STATE_HOME/dejank or
 * ~/.local/state/dejank. */
#ifndef DEJANK_MEASURE_STATE_FOLDER_H
#define DEJANK_MEASURE_STATE_FOLDER_H

#include <limits.h>

#include "base/error.h"
#include "base/text.h"

/* Appends the path of `folder` in the state folder. If `device` is not NULL, appends the
 * path of that device's file instead. Creates missing folders with mode 0700. Returns
 * DJ_E_IO if that fails. */
int dj_state_folder_path(const char *folder, const char *device, struct dj_text *path,
                         struct dj_error *err);

/* Appends a device's name as a file name, in which all characters except letters, digits,
 * '.', '_' and '-' are written as %XX. A '.' at the start is also written as %XX. */
void dj_state_folder_append_name(struct dj_text *path, const char *device);

#endif
