/* The libraries that a build may be made without, and whether this one was. */
#ifndef DEJANK_CLI_LIBRARIES_H
#define DEJANK_CLI_LIBRARIES_H

#include <stdbool.h>
#include <stddef.h>

/* Fills `text` with what is off ("lua (scripts), libyaml (plans)"), or with "all"; true
 * where it is all. */
bool dj_libraries_tell(char *text, size_t capacity);

#endif
