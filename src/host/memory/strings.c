#include "memory/strings.h"

#include <stdlib.h>

#include "memory/memory.h"

const char *dj_memory_strings_add(struct dj_strings *strings, const char *string)
{
    if (string == NULL) {
        return NULL;
    }
    DJ_XPUSH(strings->all, strings->count, dj_xstrdup(string));
    return strings->all[strings->count - 1];
}

void dj_memory_strings_finish(struct dj_strings *strings)
{
    for (size_t i = 0; i < strings->count; i++) {
        free(strings->all[i]);
    }
    free(strings->all);
    *strings = (struct dj_strings){0};
}
