/* Reads the data for a view of a whole store: its projects, and whether the store has
 * changed. The rules for callbacks in browse.h apply. */
#ifndef DEJANK_STORE_OVERVIEW_H
#define DEJANK_STORE_OVERVIEW_H

#include "store/store.h"

struct dj_project_row {
    const char *name;
    int64_t batches;        /* Number of batches that are not excluded. */
    const char *last_batch; /* Id of the newest batch that is not excluded, or NULL. */
    /* Start of this batch or time of the newest imported figure, or 0 if both are
     * unknown. */
    int64_t last_unix_ms;
};

/* Calls `callback` for each project, sorted by name. */
int dj_store_read_projects(struct dj_store *store,
                           int (*callback)(void *user,
                                           const struct dj_project_row *project),
                           void *user, struct dj_error *err);

enum dj_project_part {
    DJ_PROJECT_NAMES,
    DJ_PROJECT_FLOWS,
    DJ_PROJECT_DEVICES, /* Serial numbers of devices. */
    DJ_PROJECT_BUILDS,  /* Version, else label, else commit. */
    DJ_PROJECT_METRICS  /* Names of metrics of other tools. */
};

/* Calls `callback` for each name of a project, flow, device, build or metric that the
 * store has. All except names of projects are those of one project, or of all if it is
 * NULL. Builds are the newest 200, the newest first. Others are sorted. */
int dj_store_read_choices(struct dj_store *store, enum dj_project_part part,
                          const char *project,
                          int (*callback)(void *user, const char *name), void *user,
                          struct dj_error *err);

/* Sets *counter to a number that changes when another connection changes the data. Only
 * numbers that were read through the same struct dj_store can be compared. */
int dj_store_read_change_counter(struct dj_store *store, int64_t *counter,
                                 struct dj_error *err);

/* Stores the key of the batch of a run. Returns DJ_E_NO_DATA if there is no such run. */
int dj_store_find_batch_of_run(struct dj_store *store, int64_t run, int64_t *batch,
                               struct dj_error *err);

#endif
