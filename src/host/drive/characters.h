/*
 * Makes regular expressions match UTF-8. Texts on screens are UTF-8, and `.` must match
 * one character whatever the locale of the user is.
 */
#ifndef DEJANK_DRIVE_CHARACTERS_H
#define DEJANK_DRIVE_CHARACTERS_H

#include <locale.h>

/* Until dj_characters_end(), regcomp() and regexec() of the calling thread read UTF-8.
 * Returns the previous locale, for dj_characters_end(). If the C library has no such
 * locale, nothing changes, and bytes are compared. */
locale_t dj_characters_begin(void);
void dj_characters_end(locale_t before);

#endif
