/* Parses command lines by the tables of cli/options.h. */
#ifndef DEJANK_CLI_PARSER_H
#define DEJANK_CLI_PARSER_H

#include "cli/options.h"

/* Parses argv, where argv[0] is the verb, and runs the verb. Returns an exit code. */
int dj_cli_run_verb(const struct dj_verb *verb, int argc, char **argv);

/*
 * Fills `values`, a struct of the verb with its defaults, from argv. Reorders argv[1…] so
 * that the operands come first, and sets *operands to their number. All words after "--"
 * are operands, and with `stop_at_operand` all words after the first operand. Returns
 * DJ_EXIT_OK. Prints an error with a hint and returns DJ_EXIT_USAGE, also for an option
 * of an earlier release. Prints the help for --help or -h and returns −1: the verb then
 * ends with DJ_EXIT_OK.
 */
int dj_options_parse(const struct dj_verb *verb, int argc, char **argv, void *values,
                     bool stop_at_operand, int *operands);

/* Returns whether an option was given, which is known only if its default is 0: then its
 * field in `values` is not 0. */
bool dj_option_is_set(const struct dj_option *option, const void *values);

#endif
