/* A command in one string, quoted as for a shell, as the words it stands for. */
#ifndef DEJANK_PROCESS_SHELL_WORDS_H
#define DEJANK_PROCESS_SHELL_WORDS_H

#include "base/error.h"

/*
 * Splits as a POSIX shell splits words: blanks, '…', "…" (in which \ takes ", \, $ and `
 * as they are) and \. Nothing is expanded: $, *, ; and the like stand for themselves.
 * *words is NULL-ended; dj_shell_words_free() frees it. DJ_E_USAGE with the place of a
 * quote that does not end, or where there is no word at all.
 */
int dj_shell_words(const char *command, char ***words, struct dj_error *err);

void dj_shell_words_free(char **words);

#endif
