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

/* Plays plans one after the other; an exit code of run's. */
int dj_run_batch(const struct dj_batch_plan *plans, size_t count,
                 const struct dj_run_show *show);

/*
 * Makes the selectors that a user gave those of a plan: "adb:" becomes all devices that
 * can be used; one given twice is taken once. The names are owned by *names
 * (dj_run_devices_free). DJ_E_NOT_FOUND where there is none.
 */
int dj_run_devices(const char *const *selectors, size_t count, char ***names,
                   size_t *name_count, struct dj_error *err);
void dj_run_devices_free(char **names, size_t count);

#endif
