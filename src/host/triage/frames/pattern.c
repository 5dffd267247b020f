#include "triage/frames/pattern.h"

#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

#include "base/utf8.h"

/* Returns true if the name matches the pattern with the wildcards * and ?. The number of
 * steps is at most the length of the name times the length of the pattern. */
static bool matches_wildcards(const char *name, const char *pattern)
{
    /* The rest of the pattern after its last star, or NULL if there was no star yet. */
    const char *star = NULL;
    /* Position in `name` at which this rest was last compared. */
    const char *retry = name;
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
