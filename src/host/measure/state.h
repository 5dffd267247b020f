/* Where dejank keeps what must outlive it: $XDG_STATE_HOME/dejank, or below
 * ~/.local/state. */
#ifndef DEJANK_MEASURE_STATE_H
#define DEJANK_MEASURE_STATE_H

#include <limits.h>

#include "base/error.h"
#include "base/text.h"

/* Appends the path of `folder` in it, made where it is not there (mode 0700), and with a
 * device (else NULL) that of its file there. DJ_E_IO if the folder cannot be made. */
int dj_state_path(const char *folder, const char *device, struct dj_text *path,
                  struct dj_error *err);

/* Appends a device's name so that it is a file's: other characters than letters, digits,
 * '.', '_' and '-' become %XX. */
void dj_state_file_name(struct dj_text *path, const char *device);

#endif
