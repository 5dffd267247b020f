/* Reports of batches in the store, in every format, and of tests as JUnit XML. */
#ifndef DEJANK_CLI_REPORT_BATCHES_H
#define DEJANK_CLI_REPORT_BATCHES_H

#include "compare/side.h"
#include "report/batches.h"
#include "report/terminal.h"

enum dj_report_of { DJ_REPORT_OF_FILES, DJ_REPORT_OF_BATCHES, DJ_REPORT_OF_BOTH };

/* What these operands are (operand.h); words that are neither go with the others, and
 * alone they are files. That some are this and some that is said on stderr. */
enum dj_report_of dj_report_of(int count, char **words, const char *store);

/* Reports them to the file, by its suffix, or (NULL) to the terminal. `filter` narrows
 * what the name of a build means, as of dejank compare. What is wrong is on
 * stderr; an exit code: DJ_EXIT_DATA where one of them has no clean run. */
int dj_report_batches(int count, char **words, const char *store,
                      const struct dj_side_filter *filter, const char *output,
                      const struct dj_terminal_style *style);

#endif
