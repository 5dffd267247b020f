/* The swaps of GLX and EGL and the look-ups of them: which names are hooked, and a
 * wrapper for each real function. */
#ifndef DEJANK_HOOKS_SWAPS_H
#define DEJANK_HOOKS_SWAPS_H

#include <stdbool.h>

/* Returns whether a name is that of a swap or of a function that looks up swaps. */
bool dj_swap_is_hooked(const char *name);

/* Returns the hook to use in place of `real`, which a look-up of `name` by `caller`
 * found. Returns `real` itself if it is already a hook, or if more different functions
 * of this name are in use than there are hooks. Returns NULL if `real` is the exported
 * hook and no real function exists. Each real function has a hook of its own, because
 * a library such as ANGLE has an eglSwapBuffers that calls the system's. */
void *dj_swap_wrapper(const char *name, void *real, const void *caller);

/* Finds the real functions of loaded libraries. */
void dj_swaps_prepare(void);

#endif
