#include "hooks/dlsym_hooks.h"

#include <stddef.h>
#include <string.h>

#include "base/count_of.h"
#include "hooks/hooks.h"

/* Only the addresses of the hooks are used here, so their types do not matter. */
#define DECLARE(name) __attribute__((visibility("default"))) void name(void);
DJ_HOOK_LIBRARY_MAP(DECLARE)
#undef DECLARE

static const struct {
    const char *name;
    enum dj_hook hook;
    void (*function)(void);
} hooks[] = {
#define ROW(name) {#name, DJ_HOOK_##name, name},
    DJ_HOOK_LIBRARY_MAP(ROW)
#undef ROW
};

int dj_dlsym_hooks_find(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(hooks); i++) {
        if (strcmp(hooks[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

void *dj_dlsym_hooks_get(int index, void *symbol, const void *caller)
{
    void *ours = (void *)hooks[index].function;
    if (symbol == ours) {
        return dj_real_in_scope(hooks[index].name, caller) != NULL ? ours : NULL;
    }
    /* The caller may be sdl2-compat, which defines functions with the same names as SDL
     * 3. It looks up SDL 3's functions for its own use. The app does not call them
     * directly, so they are not hooked. */
    if (dj_real_is_callers_own(hooks[index].name, caller)) {
        return symbol;
    }
    /* The search for the real function includes the object of `symbol` instead of the
     * caller's, because the caller may have used its own handle of a library that no
     * other search finds. */
    return dj_real(hooks[index].hook, symbol) == symbol ? ours : symbol;
}
