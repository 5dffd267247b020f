/* Copies of strings that are freed together. */
#ifndef DEJANK_MEMORY_STRINGS_H
#define DEJANK_MEMORY_STRINGS_H

#include <stddef.h>

/* Zero it: that is an empty collection. */
struct dj_strings {
    char **all; /* each is owned */
    size_t count;
};

/* Adds a copy, which is valid until dj_strings_finish(), and returns it. NULL for
 * NULL. */
const char *dj_strings_add(struct dj_strings *strings, const char *string);

void dj_strings_finish(struct dj_strings *strings);

#endif
