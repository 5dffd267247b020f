/*
 * Writes the manual pages and the shell completions from the tables of the verbs. Only
 * the program generate-reference uses these functions, while dejank is built.
 */
#ifndef DEJANK_REFERENCE_REFERENCE_H
#define DEJANK_REFERENCE_REFERENCE_H

#include "cli/options.h"

/* Appends the manual page of a verb in mdoc. `date` is the argument of its .Dd line. */
void dj_reference_append_page(struct dj_text *text, const struct dj_verb *verb,
                              struct dj_str date);

/* Appends the manual page of dejank: `source` with all verbs in place of the line
 * @VERBS@. Returns false if `source` has no such line. */
bool dj_reference_append_overview(struct dj_text *text, const char *source);

/* Returns the argument of the .Dd line of a manual page, or an empty string. */
struct dj_str dj_reference_find_date(const char *page);

/* Appends the script that completes command lines in bash. */
void dj_reference_append_bash(struct dj_text *text);

/* Appends the script that completes command lines in zsh. */
void dj_reference_append_zsh(struct dj_text *text);

/* Appends the script that completes command lines in fish. */
void dj_reference_append_fish(struct dj_text *text);

#endif
