/* Runs a command that lives no longer than the process that asked for it. */
#ifndef DEJANK_PROCESS_TIED_H
#define DEJANK_PROCESS_TIED_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

/*
 * Runs this program again with `argv` (NULL-ended, argv[0] first) under a guardian, and
 * ends it with all its descendants when the standard input ends, or on SIGHUP, SIGINT or
 * SIGTERM, which it handles from now on. Appends the output to *output. *ended: the
 * command has ended, with *status as of waitpid(). Blocks until then. Returns 0, or the
 * error that prevented the start.
 */
int dj_process_run_tied(char **argv, struct dj_text *output, bool *ended, int *status,
                        struct dj_error *err);

#endif
