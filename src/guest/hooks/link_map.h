/*
 * Symbols of the loaded objects, read from their own tables. The look-ups neither
 * allocate, nor lock, nor call the dynamic linker, so a hook can use them before this
 * object is initialised, also from inside an allocator.
 *
 * The list of objects is read without a lock: only before any thread can unload one.
 * Later, dlsym() finds what these functions do not see, and locks.
 */
#ifndef DEJANK_HOOKS_LINK_MAP_H
#define DEJANK_HOOKS_LINK_MAP_H

#include <stdbool.h>
#include <stddef.h>

/* The first definition of a function in the objects loaded after this one, which is what
 * dlsym(RTLD_NEXT, name) returns while all of them are in the global scope. Of several
 * versions the default one. NULL if there is none. */
void *dj_link_map_next(const char *name);

/* The function that the object with this DT_SONAME defines; NULL if there is none. */
void *dj_link_map_find(const char *soname, const char *name);

/* The path under which an object is loaded, found by that path or by its DT_SONAME: what
 * dlopen() with RTLD_NOLOAD finds without opening files. False if no such object is
 * loaded. At any time; takes the dynamic linker's lock. */
bool dj_link_map_path(const char *library, char *path, size_t size);

/* True if an object other than this one defines the function, in whatever scope: then
 * dlsym() does not fail for it, which would allocate. At any time; takes the lock. */
bool dj_link_map_defines(const char *name);

#endif
