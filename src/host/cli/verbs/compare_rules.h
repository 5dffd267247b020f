/* The options of `dejank compare` that set its rules. */
#ifndef DEJANK_CLI_VERBS_COMPARE_RULES_H
#define DEJANK_CLI_VERBS_COMPARE_RULES_H

#include "cli/parser.h"
#include "compare/compare.h"

enum { DJ_COMPARE_GATES_MOST = 32 };

/* Values of the options. Members that were not given are NULL or empty. */
struct dj_compare_rule_options {
    const char *margin, *alpha;
    struct dj_option_list metrics; /* Each is NAME[=MARGIN], separated by commas. */
};

/* Reads the values into *rules. `gates` is the storage of rules->gates. Prints errors and
 * returns an exit code. */
int dj_cli_read_compare_rules(const struct dj_compare_rule_options *values,
                              struct dj_compare_gate gates[DJ_COMPARE_GATES_MOST],
                              struct dj_compare_rules *rules);

/* Prints a note for each margin that is a number without a unit and could be misread,
 * such as 5 (5 %) or 0.5 (50 %). `margin` is the option --margin, or NULL. */
void dj_cli_note_margins(const struct dj_option_list *metrics, const char *margin);

/* Returns the exit code for a verdict. */
int dj_cli_choose_exit(enum dj_compare_verdict verdict);

#endif
