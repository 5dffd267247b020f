/* Which names a pattern of --frames means. Of this room only. */
#ifndef DEJANK_TRIAGE_PATTERN_H
#define DEJANK_TRIAGE_PATTERN_H

#include <stdbool.h>

/* `*` is any characters, `?` one, all else itself; what shells make of brackets and of a
 * backslash counts as well, so that "[ui] *" means "[ui] 7", and "frame [0-5]" six. */
bool dj_triage_is_meant(const char *name, const char *pattern);

#endif
