/* Text that may be unknown. Unknown text is NULL. */
#ifndef DEJANK_BASE_OPTIONAL_TEXT_H
#define DEJANK_BASE_OPTIONAL_TEXT_H

#include <stdbool.h>
#include <string.h>

/* Returns whether both texts are unknown, or both are known and equal. */
static inline bool dj_optional_text_equal(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static inline const char *dj_optional_text_or_empty(const char *text)
{
    return text != NULL ? text : "";
}

#endif
