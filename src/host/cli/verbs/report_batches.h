/* Writes reports of stored batches, in every format. */
#ifndef DEJANK_CLI_VERBS_REPORT_BATCHES_H
#define DEJANK_CLI_VERBS_REPORT_BATCHES_H

#include "compare/side.h"
#include "report/batches.h"

enum dj_report_operands {
    DJ_REPORT_OPERANDS_FILES,
    DJ_REPORT_OPERANDS_BATCHES,
    DJ_REPORT_OPERANDS_BOTH
};

/* Returns whether the operands are files or batches (operand.h). If some words are
 * unknown, the known words decide. If all words are unknown, they are files. Prints an
 * error if files and batches are mixed. */
enum dj_report_operands dj_report_operands(int count, char **words, const char *store);

/* A report of batches to write. */
struct dj_batches_command {
    const char *store;     /* The option --store, or NULL. */
    const char *output;    /* A file with a known suffix, or NULL for the terminal. */
    const char *jank_rule; /* Jank rule of the report, as in struct dj_batches. */
    /* Selects among the batches of a build, as for dejank compare. */
    const struct dj_side_filter *filter;
    bool with_details;
};

/* Writes the report of the batches that `words` name. Prints errors on stderr. Returns an
 * exit code, which is DJ_EXIT_DATA if a batch has no clean run. */
int dj_report_batches(int count, char **words, const struct dj_batches_command *command);

#endif
