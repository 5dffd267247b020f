/*
 * Makes regular expressions match UTF-8. Texts on screens are UTF-8, and `.` must match
 * one character whatever the locale of the user is.
 */
#ifndef DEJANK_DRIVE_SELECTOR_UTF8_LOCALE_H
#define DEJANK_DRIVE_SELECTOR_UTF8_LOCALE_H

#include <locale.h>

/* Until dj_utf8_locale_end(), regcomp() and regexec() of the calling thread read UTF-8.
 * Returns the previous locale, for dj_utf8_locale_end(). If the C library has no such
 * locale, nothing changes, and bytes are compared. */
locale_t dj_utf8_locale_begin(void);
void dj_utf8_locale_end(locale_t before);

#endif
