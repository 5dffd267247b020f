/* The interposed dlsym: a look-up of a hooked function returns the hook, all others
 * continue with the caller unchanged. */
#ifndef DEJANK_HOOKS_DLSYM_H
#define DEJANK_HOOKS_DLSYM_H

typedef void *dj_dlsym_function(void *handle, const char *name);

/* Returns the C library's dlsym, looked up on first use. Never NULL if there is a C
 * library. */
dj_dlsym_function *dj_dlsym_of_libc(void);

/* Finds it and the dlsym after this one. Call this while link_map.h can be used. */
void dj_dlsym_load(void);

/* Returns dlsym(RTLD_NEXT, name) relative to this object. */
void *dj_dlsym_find_next(const char *name);

#endif
