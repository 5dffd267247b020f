/* Splits a shell-quoted command into words. */
#ifndef DEJANK_PROCESS_SHELL_WORDS_H
#define DEJANK_PROCESS_SHELL_WORDS_H

#include "base/error.h"

/*
 * Splits as a POSIX shell does: at blanks, with '…', "…" (where \ quotes ", \, $ and `)
 * and \. Expands nothing: $, *, ; and the like are ordinary characters. *words is
 * NULL-ended; dj_process_free_words() frees it. DJ_E_USAGE with the position of a quote
 * without an end, or if there is no word.
 */
int dj_process_split_command(const char *command, char ***words, struct dj_error *err);

void dj_process_free_words(char **words);

#endif
