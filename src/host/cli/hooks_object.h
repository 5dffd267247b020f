/* The shared object that `dejank record` preloads. */
#ifndef DEJANK_CLI_HOOKS_OBJECT_H
#define DEJANK_CLI_HOOKS_OBJECT_H

#include <limits.h>
#include <stdbool.h>

/* The reason if it is not found, without a subject. */
#define DJ_HOOKS_OBJECT_MISSING                                                          \
    "libdejank-hooks.so is neither beside dejank nor installed"

/* Finds the object next to the tool in a build folder, or under its library folder once
 * installed. Returns false if there is none. */
bool dj_hooks_object_find(char object[PATH_MAX]);

#endif
