/* Quotes words for the shell of a device. All words of all commands pass through these
 * functions. */
#ifndef DEJANK_DEVICE_QUOTE_H
#define DEJANK_DEVICE_QUOTE_H

#include "base/text.h"

/* Appends `word` with quotes, so that a POSIX shell (sh, mksh, toybox) reads exactly
 * these bytes as one word. */
void dj_device_quote_word(struct dj_text *text, const char *word);

/* Appends all words of a NULL-terminated argv, quoted and separated by spaces. */
void dj_device_quote_command(struct dj_text *text, const char *const *argv);

#endif
