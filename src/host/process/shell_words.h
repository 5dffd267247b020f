/* Splits a shell-quoted command into words. */
#ifndef DEJANK_PROCESS_SHELL_WORDS_H
#define DEJANK_PROCESS_SHELL_WORDS_H

#include "base/error.h"

/*
 * Splits a command like a POSIX shell: at blanks, with '…', "…" (where \ escapes ", \, $
 * and `) and \. Expands nothing: $, *, ; and similar characters have no special meaning.
 * *words ends with NULL, and dj_process_free_words() frees it. Returns DJ_E_USAGE if
 * there is no word, or with the offset of a quote that is not closed.
 */
int dj_process_split_command(const char *command, char ***words, struct dj_error *err);

void dj_process_free_words(char **words);

#endif
