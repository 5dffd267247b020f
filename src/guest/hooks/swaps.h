/* The swaps of GLX and EGL and the ways to them: which names are hooked, and a wrapper
 * for each real function found. */
#ifndef DEJANK_HOOKS_SWAPS_H
#define DEJANK_HOOKS_SWAPS_H

#include <stdbool.h>

/* True for the names of swaps and of the functions that look swaps up. */
bool dj_swap_is_hooked(const char *name);

/*
 * The hook to hand out in place of `real`, which some look-up of `name` by `caller`
 * found; `real` itself where it is a hook of ours already, or where more different
 * functions of this name are in use than there are hooks. NULL where `real` is our
 * exported hook and no function stands behind it. Each real function gets a hook of its
 * own: a library such as ANGLE brings an eglSwapBuffers that calls the system's.
 */
void *dj_swap_wrapper(const char *name, void *real, const void *caller);

/* Finds the real functions of libraries that are loaded already. */
void dj_swaps_prepare(void);

#endif
