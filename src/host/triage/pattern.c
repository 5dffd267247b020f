#include "triage/pattern.h"

#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

#include "base/utf8.h"

/* In steps of no more than the one length times the other. */
static bool is_like(const char *name, const char *pattern)
{
    const char *star = NULL; /* the last one of the pattern that was passed */
    const char *held = name; /* … and where what follows it was looked for */
    while (*name != '\0') {
        if (*pattern == '*') {
            star = ++pattern;
            held = name;
        } else if (*pattern == '?') {
            pattern++;
            name += dj_utf8_at(name, strnlen(name, 4)).bytes;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star != NULL) {
            pattern = star;
            name = ++held;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

bool dj_triage_is_meant(const char *name, const char *pattern)
{
    return is_like(name, pattern) ||
           (strpbrk(pattern, "[\\") != NULL && fnmatch(pattern, name, 0) == 0);
}
