/* Playing a plan in front of a person or a script: the store, signals, progress, what
 * came of it, and the exit code. For `dejank run` of both forms. */
#ifndef DEJANK_CLI_RUN_BATCH_H
#define DEJANK_CLI_RUN_BATCH_H

#include "cli/options.h"
#include "measure/batch.h"

struct dj_run_show {
    const char *store; /* NULL: the default */
    bool json_lines;   /* events on stdout (docs/format/run-events.md), nothing else */
    bool silent;       /* nothing on stdout */
};

/* Plays it; an exit code of run's. */
int dj_run_batch(const struct dj_batch_plan *plan, const struct dj_run_show *show);

#endif
