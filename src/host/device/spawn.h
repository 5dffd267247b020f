/* Programs of this machine, without a shell. */
#ifndef DEJANK_DEVICE_SPAWN_H
#define DEJANK_DEVICE_SPAWN_H

#include "device/device.h"

/* Runs argv[0] (looked up in PATH) with empty input, and collects what it writes. Past
 * the deadline it and its process group are killed: DJ_E_TIMEOUT or DJ_E_INTERRUPTED.
 * DJ_E_NOT_FOUND where there is no such program. */
int dj_spawn(const char *const *argv, const struct dj_deadline *deadline,
             struct dj_shell_result *result, struct dj_error *err);

/* As dj_spawn, its output thrown away: for programs that leave a daemon behind, which
 * would keep a pipe open. */
int dj_spawn_silent(const char *const *argv, const struct dj_deadline *deadline,
                    int *exit_code, struct dj_error *err);

#endif
