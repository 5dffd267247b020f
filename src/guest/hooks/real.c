#include <dlfcn.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/count_of.h"
#include "hooks/dlsym.h"
#include "hooks/hooks.h"
#include "hooks/link_map.h"

static const char *const names[DJ_HOOK_COUNT] = {
#define DJ_HOOK_ROW(name) [DJ_HOOK_##name] = #name,
    DJ_HOOK_MAP(DJ_HOOK_ROW)
#undef DJ_HOOK_ROW
};

static atomic_bool is_loaded; /* True after dj_real_load(). */

static _Atomic(void *) reals[DJ_HOOK_COUNT];

void *dj_real_dlsym(void *handle, const char *name)
{
    void *(*dlsym_function)(void *, const char *) = dj_dlsym_of_libc();
    return dlsym_function(handle, name);
}

/* The libraries that usually define a function. The prefix of the function's name selects
 * the library. The library is searched only if the function is found nowhere else. */
static const struct {
    const char *prefix;
    const char *library;
} usual_libraries[] = {
    {"XRR", "libXrandr.so.2"},
    {"XShm", "libXext.so.6"},
    {"xcb_shm", "libxcb-shm.so.0"},
    {"X", "libX11.so.6"},
    {"glX", "libGL.so.1"},
    {"glX", "libGLX.so.0"},
    {"egl", "libEGL.so.1"},
    {"xcb_", "libxcb.so.1"},
    {"g_type_", "libgobject-2.0.so.0"},
    {"wl_", "libwayland-client.so.0"},
    {"SDL_", "libSDL2-2.0.so.0"},
};

void *dj_real_open(const char *library)
{
    char path[PATH_MAX];
    return dj_link_map_path(library, path, sizeof(path))
               ? dlopen(path, RTLD_NOLOAD | RTLD_LAZY)
               : NULL;
}

/* Returns the symbol of this name in a loaded library or in one of its dependencies. */
static void *find_in_library(const char *library, const char *name)
{
    void *handle = dj_real_open(library);
    if (handle == NULL) {
        return NULL;
    }
    void *symbol = dj_real_dlsym(handle, name);
    dlclose(handle);
    return symbol;
}

static bool is_usual_library(size_t index, const char *name)
{
    return strncmp(name, usual_libraries[index].prefix,
                   strlen(usual_libraries[index].prefix)) == 0;
}

static void *find_in_usual_library(const char *name)
{
    void *symbol = NULL;
    for (size_t i = 0; symbol == NULL && i < COUNT_OF(usual_libraries); i++) {
        if (is_usual_library(i, name)) {
            symbol = find_in_library(usual_libraries[i].library, name);
        }
    }
    return symbol;
}

/* Returns true if the function belongs to a library other than the C library. */
static bool has_usual_library(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(usual_libraries); i++) {
        if (is_usual_library(i, name)) {
            return true;
        }
    }
    return false;
}

bool dj_real_are_of_one_object(const void *a, const void *b)
{
    Dl_info of_a, of_b;
    return a != NULL && b != NULL && dladdr(a, &of_a) != 0 && dladdr(b, &of_b) != 0 &&
           of_a.dli_fbase == of_b.dli_fbase;
}

/* Returns true if the symbol is in this object. This can happen if a hook calls a
 * library, and the library jumps to a second hook. This object then looks like the caller
 * of the second hook, and a search in the scope of this object finds the hook instead of
 * the real function. */
static bool is_ours(const void *symbol)
{
    return dj_real_are_of_one_object((const void *)is_ours, symbol);
}

bool dj_real_is_callers_own(const char *name, const void *caller)
{
    Dl_info info;
    if (caller == NULL || dladdr(caller, &info) == 0 || info.dli_fname == NULL) {
        return false;
    }
    return dj_real_are_of_one_object(find_in_library(info.dli_fname, name), caller);
}

void *dj_real_in_scope(const char *name, const void *caller)
{
    if (!atomic_load_explicit(&is_loaded, memory_order_acquire)) {
        return dj_link_map_next(name);
    }
    void *symbol = dj_dlsym_find_next(name);
    Dl_info info;
    if (symbol == NULL && caller != NULL && dladdr(caller, &info) != 0 &&
        info.dli_fname != NULL) {
        symbol = find_in_library(info.dli_fname, name);
        symbol = symbol != NULL && is_ours(symbol) ? NULL : symbol;
    }
    return symbol;
}

void *dj_real_find(const char *name, const void *caller)
{
    void *symbol = dj_real_in_scope(name, caller);
    /* The search in the scope of `caller` may fail, because a function that jumps to a
     * hook leaves the return address of its own caller. In that case, search the usual
     * library. */
    return symbol != NULL || caller == NULL || !atomic_load(&is_loaded)
               ? symbol
               : find_in_usual_library(name);
}

void dj_real_pin(const void *symbol)
{
    Dl_info info;
    if (atomic_load(&is_loaded) && symbol != NULL && dladdr(symbol, &info) != 0 &&
        info.dli_fname != NULL) {
        /* The handle is never released, so the library stays loaded. */
        dlopen(info.dli_fname, RTLD_NOLOAD | RTLD_LAZY | RTLD_NODELETE);
    }
}

void *dj_real(enum dj_hook hook, const void *caller)
{
    void *real = atomic_load_explicit(&reals[hook], memory_order_acquire);
    if (real == NULL) {
        real = dj_real_find(names[hook], caller);
        dj_real_pin(real);
        atomic_store_explicit(&reals[hook], real, memory_order_release);
    }
    return real;
}

void dj_real_load(void)
{
    for (size_t i = 0; i < DJ_HOOK_COUNT; i++) {
        dj_real((enum dj_hook)i, NULL);
    }
    dj_dlsym_load();
    atomic_store_explicit(&is_loaded, true, memory_order_release);
    /* Pin these libraries, because a constructor of another library may have opened them
     * and may close them again. The C library always stays loaded. */
    for (size_t i = 0; i < DJ_HOOK_COUNT; i++) {
        if (has_usual_library(names[i])) {
            dj_real_pin(atomic_load(&reals[i]));
        }
    }
}

void dj_real_prepare(void)
{
    for (size_t i = 0; i < DJ_HOOK_COUNT; i++) {
        if (atomic_load(&reals[i]) == NULL && dj_link_map_defines(names[i])) {
            dj_real((enum dj_hook)i, (const void *)dj_real_prepare);
        }
    }
}
