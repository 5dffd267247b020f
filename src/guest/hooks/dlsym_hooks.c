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
    /* sdl2-compat has functions of the same names as SDL 3. The functions after it in
     * the scope are SDL 3's, and the app does not call those. */
    if (dj_real_is_callers_own(hooks[index].name, caller)) {
        return symbol;
    }
    /* The look-up's own result is searched first, because only the handle of this
     * caller may lead to the library. */
    return dj_real(hooks[index].hook, symbol) == symbol ? ours : symbol;
}
