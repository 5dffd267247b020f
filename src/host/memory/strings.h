/* Stores copies of strings, which are freed together. */
#ifndef DEJANK_MEMORY_STRINGS_H
#define DEJANK_MEMORY_STRINGS_H

#include <stddef.h>

/* A collection of strings. A collection that is all zero is empty. */
struct dj_strings {
    char **all; /* The strings. The struct owns the array and each string. */
    size_t count;
};

/* Adds a copy of the string. Returns the copy, or NULL if `string` is NULL. The copy is
 * valid until dj_memory_strings_finish(). */
const char *dj_memory_strings_add(struct dj_strings *strings, const char *string);

void dj_memory_strings_finish(struct dj_strings *strings);

#endif
