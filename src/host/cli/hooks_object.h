/* The object that `dejank record` preloads. */
#ifndef DEJANK_CLI_HOOKS_OBJECT_H
#define DEJANK_CLI_HOOKS_OBJECT_H

#include <limits.h>
#include <stdbool.h>

/* Half a sentence for where it is not found. */
#define DJ_HOOKS_OBJECT_MISSING                                                          \
    "libdejank-hooks.so is neither beside dejank nor installed"

/* Finds it: beside the tool in a build folder, under its library folder once installed.
 */
bool dj_hooks_object_find(char object[PATH_MAX]);

#endif
