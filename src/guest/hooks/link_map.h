/* Looks up symbols of the loaded objects in their own tables. The look-ups do not
 * allocate, lock or call the dynamic linker, so a hook can use them before this object
 * is initialised, also inside an allocator.
 *
 * They read the list of objects without a lock: use them only before any thread can
 * unload an object. Later, dlsym() finds what these functions do not see, and locks. */
#ifndef DEJANK_HOOKS_LINK_MAP_H
#define DEJANK_HOOKS_LINK_MAP_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the first definition of a function in the objects loaded after this one,
 * which dlsym(RTLD_NEXT, name) returns while all of them are in the global scope. Of
 * several versions it returns the default. Returns NULL if there is none. */
void *dj_link_map_next(const char *name);

/* Returns the function that the object with this DT_SONAME defines, or NULL. */
void *dj_link_map_find(const char *soname, const char *name);

/* Writes the path of a loaded object, given that path or its DT_SONAME: the object
 * that dlopen() with RTLD_NOLOAD finds without opening files. Returns false if no such
 * object is loaded. Usable at any time; locks the dynamic linker. */
bool dj_link_map_path(const char *library, char *path, size_t size);

/* Returns whether an object other than this one defines the function in any scope.
 * Then dlsym() does not fail for it, which would allocate. Usable at any time; locks
 * the dynamic linker. */
bool dj_link_map_defines(const char *name);

#endif
