/* Durations as people write them. */
#ifndef DEJANK_BASE_DURATION_H
#define DEJANK_BASE_DURATION_H

#include <stdbool.h>
#include <stdint.h>

/* "10s", "1.5 s", "200ms", "3us", "2m", "1h"; a number without a unit is in seconds.
 * False: it is none of these, or negative. */
bool dj_duration_parse(const char *text, int64_t *ns);

#endif
