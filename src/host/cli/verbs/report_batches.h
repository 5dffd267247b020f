/* Writes reports of stored batches, in every format. */
#ifndef DEJANK_CLI_VERBS_REPORT_BATCHES_H
#define DEJANK_CLI_VERBS_REPORT_BATCHES_H

#include "compare/side.h"
#include "report/batches.h"
#include "report/document.h"

enum dj_report_operands {
    DJ_REPORT_OPERANDS_FILES,
    DJ_REPORT_OPERANDS_BATCHES,
    DJ_REPORT_OPERANDS_BOTH
};

/* Returns whether the operands are files or batches (operand.h). If some words are
 * unknown, the known words decide. If all words are unknown, they are files. Prints an
 * error if files and batches are mixed. */
enum dj_report_operands dj_report_operands(int count, char **words, const char *store);

/* Writes the report to the file `output` in the format of its suffix, or to the terminal
 * if `output` is NULL. If a build has several batches, `filter` selects
 * among them, as for dejank compare. Prints errors on stderr. Returns an exit code, which
 * is DJ_EXIT_DATA if a batch has no clean run. */
int dj_report_batches(int count, char **words, const char *store,
                      const struct dj_side_filter *filter, const char *output,
                      const struct dj_terminal_style *style, bool with_details);

#endif
