#include "triage/frames/pattern.h"

#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

#include "base/utf8.h"

/* Needs at most (length of name × length of pattern) steps. */
static bool matches_wildcards(const char *name, const char *pattern)
{
    const char *star = NULL;  /* The pattern after its last star. */
    const char *retry = name; /* The position in `name` where that text was last tried. */
    while (*name != '\0') {
        if (*pattern == '*') {
            star = ++pattern;
            retry = name;
        } else if (*pattern == '?') {
            pattern++;
            name += dj_utf8_at(name, strnlen(name, 4)).bytes;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star != NULL) {
            pattern = star;
            name = ++retry;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

bool dj_triage_matches_pattern(const char *name, const char *pattern)
{
    return matches_wildcards(name, pattern) ||
           (strpbrk(pattern, "[\\") != NULL && fnmatch(pattern, name, 0) == 0);
}
