/* Runs a command that ends when the process that requested it ends. */
#ifndef DEJANK_PROCESS_TIED_H
#define DEJANK_PROCESS_TIED_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

/*
 * Runs this executable again with `argv`, which ends with NULL, under a guardian. Ends
 * the command and all its descendants when the standard input ends, or on SIGHUP, SIGINT
 * or SIGTERM. Installs handlers for these signals, which remain installed. Blocks until
 * the command has ended, and appends its output to *output. Sets *ended if the command
 * has ended, and *status as waitpid() does. Returns 0, or an error if the command could
 * not be started.
 */
int dj_process_run_tied(char **argv, struct dj_text *output, bool *ended, int *status,
                        struct dj_error *err);

#endif
