/*
 * Replaces malloc(), calloc() and realloc() in dejank and in all libraries that it loads.
 * A failed allocation then ends the program with a message, because not all libraries
 * report the failure: cairo crashes and GLib aborts. This file is linked only into
 * dejank, and not into builds with sanitizers.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"

#define EXPORTED __attribute__((visibility("default")))

/* The replaced allocator, which is that of the C library or of a preloaded library. */
static void *(*next_malloc)(size_t size);
static void *(*next_calloc)(size_t count, size_t size);
static void *(*next_realloc)(void *old, size_t size);

/* Finds the replaced allocator. Needs no lock, because the first allocation is made
 * before main() and before the first thread. */
static void find_next(void)
{
    *(void **)&next_malloc = dlsym(RTLD_NEXT, "malloc");
    *(void **)&next_calloc = dlsym(RTLD_NEXT, "calloc");
    *(void **)&next_realloc = dlsym(RTLD_NEXT, "realloc");
}

static bool is_glib(void *caller)
{
    Dl_info object;
    return dladdr(caller, &object) != 0 && strstr(object.dli_fname, "/libglib-") != NULL;
}

static void *end_out_of_memory(void *caller)
{
    if (dj_memory_failure_ends() || is_glib(caller)) {
        dj_memory_failed();
    }
    return NULL;
}

EXPORTED void *malloc(size_t size)
{
    if (next_malloc == NULL) {
        find_next();
    }
    void *memory = next_malloc(size);
    return memory != NULL ? memory : end_out_of_memory(__builtin_return_address(0));
}

EXPORTED void *calloc(size_t count, size_t size)
{
    if (next_calloc == NULL) {
        find_next();
    }
    void *memory = next_calloc(count, size);
    return memory != NULL ? memory : end_out_of_memory(__builtin_return_address(0));
}

EXPORTED void *realloc(void *old, size_t size)
{
    if (next_realloc == NULL) {
        find_next();
    }
    void *memory = next_realloc(old, size);
    return memory != NULL || (old != NULL && size == 0)
               ? memory
               : end_out_of_memory(__builtin_return_address(0));
}
