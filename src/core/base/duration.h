/* Parses durations that a user writes. */
#ifndef DEJANK_BASE_DURATION_H
#define DEJANK_BASE_DURATION_H

#include <stdbool.h>
#include <stdint.h>

/* Parses "10s", "1.5 s", "200ms", "3us", "2m", "1h" or "7d". A number without a unit is
 * in seconds. Returns false if the text is not a duration or is negative. */
bool dj_duration_parse(const char *text, int64_t *ns);

#endif
