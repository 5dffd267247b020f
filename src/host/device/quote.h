/* The one way words get into a device's shell command. */
#ifndef DEJANK_DEVICE_QUOTE_H
#define DEJANK_DEVICE_QUOTE_H

#include "base/text.h"

/* Appends `word` so that a POSIX shell (sh, mksh, toybox) reads exactly these bytes as
 * one word. */
void dj_quote_word(struct dj_text *text, const char *word);

/* Appends all words of a NULL-ended argv, separated by blanks. */
void dj_quote_command(struct dj_text *text, const char *const *argv);

#endif
