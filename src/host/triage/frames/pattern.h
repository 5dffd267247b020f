/* Matches slice names with the pattern of the --frames option. */
#ifndef DEJANK_TRIAGE_FRAMES_PATTERN_H
#define DEJANK_TRIAGE_FRAMES_PATTERN_H

#include <stdbool.h>

/* Returns true if the name matches the pattern. `*` matches any characters, `?` matches
 * one character, and every other character matches itself. Also returns true if the name
 * matches by the rules of a shell, in which brackets and backslashes have a meaning. So
 * "[ui] *" matches "[ui] 7", and "frame [0-5]" matches "frame 4". */
bool dj_triage_matches_pattern(const char *name, const char *pattern);

#endif
