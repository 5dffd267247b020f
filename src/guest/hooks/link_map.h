/* Looks up symbols in the symbol tables of the loaded objects. The look-ups do not
 * allocate, lock or call the dynamic linker, so that a hook can use them before this
 * object is initialised, and inside an allocator.
 *
 * The look-ups read the list of objects without a lock. Use them only before any
 * thread can unload an object. Later use dlsym(), which locks and finds all objects. */
#ifndef DEJANK_HOOKS_LINK_MAP_H
#define DEJANK_HOOKS_LINK_MAP_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the default version of a function in the first object after this one that
 * defines the function. Returns NULL if there is no such object. As long as all objects
 * are in the global scope, the result is the same as that of dlsym(RTLD_NEXT, name). */
void *dj_link_map_next(const char *name);

/* Returns the function that the object with this DT_SONAME defines, or NULL. */
void *dj_link_map_find(const char *soname, const char *name);

/* Writes the path of a loaded object. `library` is the object's path or its DT_SONAME.
 * dlopen() with RTLD_NOLOAD finds an object by this path without opening files.
 * Returns false if no such object is loaded. May be called at any time. Locks the
 * dynamic linker. */
bool dj_link_map_path(const char *library, char *path, size_t size);

/* Returns true if an object other than this one defines the function, in any scope. If no
 * object defines it, do not call dlsym(), because a failing dlsym() allocates memory. May
 * be called at any time. Locks the dynamic linker. */
bool dj_link_map_defines(const char *name);

#endif
