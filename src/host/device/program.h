/* A program on this machine before it is started: its path, its name, and whether the
 * recorder can be loaded into it. */
#ifndef DEJANK_DEVICE_PROGRAM_H
#define DEJANK_DEVICE_PROGRAM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Finds `command` as execvp() would. DJ_E_NOT_FOUND. DJ_E_IO: a file of that name may not
 * be executed. */
int dj_device_program_find(const char *command, char path[PATH_MAX],
                           struct dj_error *err);

/* Returns why a preloaded object is not loaded into this program, as half a sentence ("it
 * is statically linked"). NULL: no reason is known. */
const char *dj_device_program_preload_obstacle(const char *path);

/* Writes the name that dumpsys will use for the program: the id of the desktop file that
 * starts it ("org.gtk.Demo4"), or else its base name. Only desktop files whose Exec line
 * contains just the program count, so that an interpreter is not named after one of its
 * scripts. */
void dj_device_program_default_name(const char *path, char *name, size_t size);

#endif
