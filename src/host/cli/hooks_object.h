/* The shared object that `dejank record` preloads. */
#ifndef DEJANK_CLI_HOOKS_OBJECT_H
#define DEJANK_CLI_HOOKS_OBJECT_H

#include <limits.h>
#include <stdbool.h>

/* Error text for a missing object. */
#define DJ_HOOKS_OBJECT_MISSING                                                          \
    "libdejank-hooks.so is neither next to dejank nor installed"

/* Writes the path of the object: next to dejank in a build folder, or in the library
 * folder of an installation. Returns false if there is no object. */
bool dj_hooks_object_find(char object[PATH_MAX]);

#endif
