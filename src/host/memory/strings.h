/* Copies of strings that are freed together. */
#ifndef DEJANK_MEMORY_STRINGS_H
#define DEJANK_MEMORY_STRINGS_H

#include <stddef.h>

/* All zero is an empty one. */
struct dj_strings {
    char **all; /* owned, each */
    size_t count;
};

/* A copy that is valid until dj_strings_finish(). NULL of NULL. */
const char *dj_strings_keep(struct dj_strings *strings, const char *string);

void dj_strings_finish(struct dj_strings *strings);

#endif
