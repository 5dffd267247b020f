/* Hooks of the functions of GLX and EGL that present frames (swaps) or look up
 * functions. Each real function has a hook of its own. */
#ifndef DEJANK_HOOKS_SWAPS_H
#define DEJANK_HOOKS_SWAPS_H

#include <stdbool.h>

/* Returns true for the name of a swap, or of a function that looks up functions. */
bool dj_swap_is_hooked(const char *name);

/* Returns the hook for `real`, the function that a look-up of `name` by `caller` found.
 * Returns `real` itself if it is already a hook, or if all hooks for this name are used
 * by other real functions. Returns NULL if `real` is the exported hook and no real
 * function exists. Each real function has its own hook, because a library such as ANGLE
 * has an eglSwapBuffers() that calls the system's eglSwapBuffers(). */
void *dj_swap_wrapper(const char *name, void *real, const void *caller);

/* Finds the real functions of libraries that are loaded now. */
void dj_swaps_prepare(void);

#endif
