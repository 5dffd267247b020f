/* The libraries that a build may be made without; whether this one was, and whether those
 * that are loaded when they are first used are on this machine. */
#ifndef DEJANK_CLI_LIBRARIES_H
#define DEJANK_CLI_LIBRARIES_H

#include <stddef.h>

/* Fills `text` with what is off ("without lua (scripts), libpq (stores on a server of
 * PostgreSQL; not installed)"), or with "all". The command that mends it; NULL where it
 * is all. Loads those of the second kind. */
const char *dj_libraries_tell(char *text, size_t capacity);

#endif
