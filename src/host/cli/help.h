/* Writes the texts of --help, at most DJ_LAYOUT_COLUMNS wide. */
#ifndef DEJANK_CLI_HELP_H
#define DEJANK_CLI_HELP_H

#include "cli/options.h"

/* Appends the help of a verb: usage, summary, options, description, examples and exit
 * codes. If `operand` is a command of the verb, such as "query" of "fleet", the help is
 * limited to this command. NULL: the help of all commands. */
void dj_help_append_verb(struct dj_text *text, const struct dj_verb *verb,
                         const char *operand);

/* Appends an option's names and value: "-o, --output FILE". */
void dj_cli_append_option_name(struct dj_text *text, const struct dj_option *option);

/* Returns the heading before an option, or NULL if none starts there. */
const char *dj_cli_find_help_heading(const struct dj_verb *verb,
                                     const struct dj_option *option);

/* Appends the help of dejank: all verbs by group, with an example for each group. */
void dj_help_append_overview(struct dj_text *text);

/* Appends the help of verbs that have the same first word, such as "trace". */
void dj_help_append_topic(struct dj_text *text, const char *first_word);

#endif
