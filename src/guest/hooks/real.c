#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

#include "hooks/dlsym.h"
#include "hooks/hooks.h"

static const struct {
    const char *name;
    const char *version;
} hooks[DJ_HOOK_COUNT] = {
#define DJ_HOOK_ROW(name, version) [DJ_HOOK_##name] = {#name, version},
    DJ_HOOK_MAP(DJ_HOOK_ROW)
#undef DJ_HOOK_ROW
};

static _Atomic(void *) reals[DJ_HOOK_COUNT];

void *dj_real_dlsym(void *handle, const char *name)
{
    void *(*dlsym_function)(void *, const char *) = dj_libc_dlsym();
    return dlsym_function(handle, name);
}

/* What the object around `caller` sees under this name: its own dependencies, which
 * RTLD_LOCAL hides from the rest. */
static void *local_to(const void *caller, const char *name)
{
    Dl_info info;
    if (dladdr(caller, &info) == 0 || info.dli_fname == NULL) {
        return NULL;
    }
    void *handle = dlopen(info.dli_fname, RTLD_NOLOAD | RTLD_LAZY);
    if (handle == NULL) {
        return NULL;
    }
    void *symbol = dj_real_dlsym(handle, name);
    dlclose(handle);
    return symbol;
}

void *dj_real_named(const char *name, const char *version, const void *caller)
{
    void *symbol = version != NULL ? dlvsym(RTLD_NEXT, name, version) : NULL;
    if (symbol == NULL) {
        symbol = dj_next_symbol(name);
    }
    return symbol != NULL || caller == NULL ? symbol : local_to(caller, name);
}

void *dj_real(enum dj_hook hook, const void *caller)
{
    void *real = atomic_load_explicit(&reals[hook], memory_order_acquire);
    if (real == NULL) {
        real = dj_real_named(hooks[hook].name, hooks[hook].version, caller);
        atomic_store_explicit(&reals[hook], real, memory_order_release);
    }
    return real;
}

void dj_real_load(void)
{
    for (size_t i = 0; i < DJ_HOOK_COUNT; i++) {
        dj_real((enum dj_hook)i, NULL);
    }
    dlerror(); /* what is not loaded yet is no error of the app's */
}
