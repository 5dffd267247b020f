/* The folder for data that outlives a dejank process: $XDG_STATE_HOME/dejank or
 * ~/.local/state/dejank. */
#ifndef DEJANK_MEASURE_STATE_FOLDER_H
#define DEJANK_MEASURE_STATE_FOLDER_H

#include <limits.h>

#include "base/error.h"
#include "base/text.h"

/* Appends the path of the subfolder `folder` of the state folder to `path`. If `device`
 * is not NULL, appends the path of this device's file in the subfolder. Creates missing
 * folders with mode 0700. Returns DJ_E_IO if a folder cannot be created. */
int dj_measure_state_folder_path(const char *folder, const char *device,
                                 struct dj_text *path, struct dj_error *err);

/* Appends the name of a device, encoded as a file name. Letters, digits, '.', '_' and '-'
 * are unchanged. Other characters, and a '.' at the start, are written as %XX. */
void dj_measure_state_folder_append_name(struct dj_text *path, const char *device);

#endif
