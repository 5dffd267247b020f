/* Matches slice names with the pattern of --frames. */
#ifndef DEJANK_TRIAGE_FRAMES_PATTERN_H
#define DEJANK_TRIAGE_FRAMES_PATTERN_H

#include <stdbool.h>

/* `*` matches any characters, `?` one character, everything else itself. The shell's
 * meaning of brackets and backslashes matches as well: "[ui] *" matches "[ui] 7", and
 * "frame [0-5]" six names. */
bool dj_triage_matches_pattern(const char *name, const char *pattern);

#endif
