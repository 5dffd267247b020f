/* Quotes words for a device's shell. Commands contain words in no other way. */
#ifndef DEJANK_DEVICE_QUOTE_H
#define DEJANK_DEVICE_QUOTE_H

#include "base/text.h"

/* Appends `word` so that a POSIX shell (sh, mksh, toybox) reads exactly these bytes as
 * one word. */
void dj_device_quote_word(struct dj_text *text, const char *word);

/* Appends all words of a NULL-terminated argv, separated by spaces. */
void dj_device_quote_command(struct dj_text *text, const char *const *argv);

#endif
