/* The hook of dlsym(). It returns the hook for the name of a hooked function, and
 * passes every other look-up on to the next dlsym() with the caller's return address. */
#ifndef DEJANK_HOOKS_DLSYM_H
#define DEJANK_HOOKS_DLSYM_H

typedef void *dj_dlsym_function(void *handle, const char *name);

/* Returns the C library's dlsym(), which is looked up at the first call. Never NULL in
 * a process with a C library. */
dj_dlsym_function *dj_dlsym_of_libc(void);

/* Finds the C library's dlsym() and the next dlsym() after this object. Call this
 * while the functions of link_map.h can be used. */
void dj_dlsym_load(void);

/* Returns the function of this name in the objects after this one, or NULL. */
void *dj_dlsym_find_next(const char *name);

#endif
