/* A program on this machine before it is started: its path, its name, and whether the
 * recorder can be preloaded into it. */
#ifndef DEJANK_DEVICE_PROGRAM_H
#define DEJANK_DEVICE_PROGRAM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Finds `command` as execvp() does and writes its path. Returns DJ_E_NOT_FOUND if there
 * is no such file, and DJ_E_IO if the file may not be executed. */
int dj_device_program_find(const char *command, char path[PATH_MAX],
                           struct dj_error *err);

/* Returns the reason why the dynamic linker does not preload objects into this program,
 * as a clause such as "it is statically linked". Returns NULL if no reason is known. */
const char *dj_device_program_preload_obstacle(const char *path);

/* Writes the name under which dumpsys lists the program: the id of the application that
 * `flatpak run` starts, or the id of the desktop file that starts the program, such as
 * "org.gtk.Demo4", or else its base name. Only desktop files with an Exec line of just
 * the program and field codes are considered. Otherwise an interpreter would get the name
 * of one of its scripts. `argv` is the command, or NULL if it is unknown. */
void dj_device_program_default_name(const char *path, char *const *argv, char *name,
                                    size_t size);

#endif
