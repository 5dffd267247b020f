/*
 * Makes regular expressions match characters of UTF-8, whatever the locale of the user
 * is. Texts on screens are UTF-8, and "." must match one character.
 */
#ifndef DEJANK_DRIVE_SELECTOR_UTF8_LOCALE_H
#define DEJANK_DRIVE_SELECTOR_UTF8_LOCALE_H

#include <locale.h>

/* Makes regcomp() and regexec() of this thread read UTF-8 until dj_utf8_locale_end() is
 * called. Returns the previous locale for dj_utf8_locale_end(). If the C library has no
 * UTF-8 locale, nothing changes, and regular expressions match bytes. */
locale_t dj_utf8_locale_begin(void);
void dj_utf8_locale_end(locale_t before);

#endif
