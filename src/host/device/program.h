/* A program on this machine, before it is started: where it is, what it is called,
 * whether the recorder can reach it. */
#ifndef DEJANK_DEVICE_PROGRAM_H
#define DEJANK_DEVICE_PROGRAM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Finds `command` as execvp() would. DJ_E_NOT_FOUND, or DJ_E_IO where a file of that name
 * may not be executed. */
int dj_program_find(const char *command, char path[PATH_MAX], struct dj_error *err);

/* Why a preloaded object will not be loaded into this program, as half a sentence ("it is
 * statically linked"); NULL where nothing speaks against it. */
const char *dj_program_obstacle(const char *path);

/*
 * The name dumpsys will know the program by: the id of the desktop file that starts it
 * ("org.gtk.Demo4"), else its base name. Only desktop files whose Exec line is the
 * program alone count, so that an interpreter is not named after one of its scripts.
 */
void dj_program_default_name(const char *path, char *name, size_t size);

#endif
