#include "hooks/answers.h"

#include <stddef.h>
#include <string.h>

#include "base/count_of.h"
#include "hooks/hooks.h"

/* Only their addresses are used here. */
#define DECLARE(name) __attribute__((visibility("default"))) void name(void);
DJ_HOOK_LIBRARY_MAP(DECLARE)
#undef DECLARE

static const struct {
    const char *name;
    enum dj_hook hook;
    void (*function)(void);
} answers[] = {
#define ROW(name) {#name, DJ_HOOK_##name, name},
    DJ_HOOK_LIBRARY_MAP(ROW)
#undef ROW
};

int dj_answers_find(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(answers); i++) {
        if (strcmp(answers[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

void *dj_answer(int answer, void *symbol, const void *caller)
{
    void *ours = (void *)answers[answer].function;
    if (symbol == ours) {
        return dj_real_in_scope(answers[answer].name, caller) != NULL ? ours : NULL;
    }
    /* SDL 2 as a front for SDL 3 has functions of the same names: the ones after it
     * are not what the app calls. */
    if (dj_real_is_callers_own(answers[answer].name, caller)) {
        return symbol;
    }
    /* Compares with the result of the look-up first: only this caller's handle may
     * lead to the library. */
    return dj_real(answers[answer].hook, symbol) == symbol ? ours : symbol;
}
