/* Results of dlsym() for hooked functions other than swaps. Some programs find such
 * functions with dlsym(). For example, a foreign function interface finds SDL's
 * functions, and SDL finds functions of libXrandr and libwayland. */
#ifndef DEJANK_HOOKS_DLSYM_HOOKS_H
#define DEJANK_HOOKS_DLSYM_HOOKS_H

/* Returns the index of the hook with this name for dj_dlsym_hooks_get(), or −1 if
 * there is none. */
int dj_dlsym_hooks_find(const char *name);

/* Returns the result of a look-up by `caller` that found `symbol`. This is the hook if
 * `symbol` is the function that the hook calls. It is NULL if `symbol` is the hook and no
 * real function exists. Otherwise it is `symbol`, because `symbol` is then a function of
 * the same name in another library. */
void *dj_dlsym_hooks_get(int index, void *symbol, const void *caller);

#endif
