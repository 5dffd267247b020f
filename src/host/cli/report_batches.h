/* `dejank report BATCH…`: batches of the store in every format of a report. */
#ifndef DEJANK_CLI_REPORT_BATCHES_H
#define DEJANK_CLI_REPORT_BATCHES_H

#include <stdbool.h>

#include "report/terminal.h"

/* Whether all these operands are meant as batches: none of them is a file (nor "-"), and
 * the store has something of the first one's name. */
bool dj_are_batches(int count, char **words, const char *store);

/* Reports them to the file, by its suffix, or (NULL) to the terminal. What is wrong is on
 * stderr; an exit code: DJ_EXIT_DATA where one of them has no clean run. */
int dj_report_batches(int count, char **words, const char *store, const char *output,
                      const struct dj_terminal_style *style);

#endif
