/* The outcome of a run, decided by rules from all known facts. */
#ifndef DEJANK_MEASURE_RUN_OUTCOME_H
#define DEJANK_MEASURE_RUN_OUTCOME_H

#include "measure/app/app.h"
#include "measure/collect.h"
#include "measure/run/conditions.h"

/* Everything that the outcome depends on. */
struct dj_run_facts {
    bool interrupted; /* The user stopped the run. */
    /* Error of starting or preparing the app. Its code is 0 if there was none. */
    struct dj_error start;
    /* `start` comes from the driver's preparation, not from starting the app. */
    bool preparing;
    struct dj_error collect;                /* Error of the first reading. */
    const struct dj_collection *collection; /* NULL if nothing was collected. */
    const struct dj_drive_log *log;
    struct dj_error drive; /* Error of the driver. */
    const struct dj_app_end *end;
    const struct dj_conditions *before, *after; /* NULL if they could not be read. */
    const char *layer;   /* Layer that is drawn without gfxinfo, or "". */
    bool device_gone;    /* The device does not answer after the run. */
    bool aggregate_only; /* No rows are expected. */
    /* The driver may end the app, because its tests run in the app's process. */
    bool app_may_end;
    struct dj_condition_limits limits;
};

struct dj_run_verdict {
    enum dj_run_outcome outcome;
    char reason[DJ_REASON]; /* "" for DJ_RUN_OK. */
};

/* Returns the outcome of the first rule that applies. Rules about what ended the run come
 * before rules about missing data. */
struct dj_run_verdict dj_outcome_decide(const struct dj_run_facts *facts);

/* Returns whether another attempt would have the same outcome, so that the run is not
 * repeated. */
bool dj_outcome_is_final(enum dj_run_outcome outcome);

/* Maximum of counted frames without rows: this fraction, or this number in a short
 * window. */
#define DJ_ROWS_LOST_SHARE 0.1
#define DJ_ROWS_LOST_FEW 3

#endif
