/* The interposed dlsym: look-ups of hooked functions get the hook, all others go on with
 * the caller unchanged. */
#ifndef DEJANK_HOOKS_DLSYM_H
#define DEJANK_HOOKS_DLSYM_H

typedef void *dj_dlsym_function(void *handle, const char *name);

/* The C library's dlsym. Looked up on first use; never NULL where there is a C library.
 */
dj_dlsym_function *dj_libc_dlsym(void);

/* Finds it and the dlsym that follows ours. Call it while link_map.h can be used. */
void dj_dlsym_load(void);

/* dlsym(RTLD_NEXT, name) as seen from this object. */
void *dj_next_symbol(const char *name);

#endif
