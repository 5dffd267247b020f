/* Decides the outcome of a run by rules. */
#ifndef DEJANK_MEASURE_RUN_OUTCOME_H
#define DEJANK_MEASURE_RUN_OUTCOME_H

#include "measure/app/app.h"
#include "measure/collect.h"
#include "measure/run/conditions.h"

/* The facts on which the outcome depends. */
struct dj_run_facts {
    bool interrupted; /* True if the user stopped the run. */
    /* Error of starting the app or of preparing the driver. The code is 0 if there was
     * none. */
    struct dj_error start;
    /* True if `start` is an error of the driver's preparation. */
    bool preparing;
    /* Error of the first reading. The code is 0 if there was none. */
    struct dj_error collect;
    /* Collected data, or NULL if nothing was collected. */
    const struct dj_collection *collection;
    const struct dj_drive_log *log;
    struct dj_error drive; /* Error of the driver. The code is 0 if there was none. */
    const struct dj_app_end *end;
    /* Conditions before and after the run. A pointer is NULL if they could not be read.
     */
    const struct dj_conditions *before, *after;
    /* Name of a layer of the app whose frames gfxinfo does not contain, or "". */
    const char *layer;
    bool device_gone; /* True if the device does not answer after the run. */
    /* True if the plan requests no rows, so missing rows are no error. */
    bool aggregate_only;
    /* True if the driver may end the app, because its tests run in the app's process. */
    bool app_may_end;
    struct dj_condition_limits limits;
};

struct dj_run_verdict {
    enum dj_run_outcome outcome;
    char reason[DJ_REASON]; /* Reason for the outcome, or "" for DJ_RUN_OK. */
};

/* Returns the outcome of the first rule that holds. Rules about the end of a run come
 * before rules about missing data. */
struct dj_run_verdict dj_outcome_decide(const struct dj_run_facts *facts);

/* Returns true if every further attempt would have the same outcome. Such a run is not
 * repeated. */
bool dj_outcome_is_final(enum dj_run_outcome outcome);

/* Maximum number of frames that may be counted but have no row: a fraction of all counted
 * frames, or a fixed number in a short window. */
#define DJ_ROWS_LOST_SHARE 0.1
#define DJ_ROWS_LOST_FEW 3

#endif
