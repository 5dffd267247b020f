/*
 * Regular expressions over texts of screens: those are UTF-8, and `.` is one character of
 * them, whatever the language of the person who runs dejank is.
 */
#ifndef DEJANK_DRIVE_CHARACTERS_H
#define DEJANK_DRIVE_CHARACTERS_H

#include <locale.h>

/* Until dj_characters_end(), the calling thread's regcomp() and regexec() read UTF-8.
 * What was so before is handed back, for the end. Where the C library has no such locale,
 * nothing changes, and bytes are compared. */
locale_t dj_characters_begin(void);
void dj_characters_end(locale_t before);

#endif
