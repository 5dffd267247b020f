/* The outcome of a run, decided by rules from everything known about the run. */
#ifndef DEJANK_MEASURE_RUN_OUTCOME_H
#define DEJANK_MEASURE_RUN_OUTCOME_H

#include "measure/app/app.h"
#include "measure/collect.h"
#include "measure/run/conditions.h"

/* Everything that the outcome depends on. */
struct dj_run_facts {
    bool interrupted;        /* the user stopped it */
    struct dj_error start;   /* the app was not started or prepared; code 0: it was */
    bool preparing;          /* the driver's preparation failed, not the start */
    struct dj_error collect; /* even the first reading failed */
    const struct dj_collection *collection; /* NULL: there is none */
    const struct dj_drive_log *log;
    struct dj_error drive; /* the driver failed */
    const struct dj_app_end *end;
    const struct dj_conditions *before, *after; /* NULL: could not be read */
    const char *layer;                          /* layer that is drawn without gfxinfo;
                                                 * "": none */
    bool device_gone;                           /* the device does not answer after the
                                                 * run */
    bool aggregate_only;                        /* no rows are expected */
    bool app_may_end; /* the driver may end it: its tests run in the app's process */
    struct dj_condition_limits limits;
};

struct dj_run_verdict {
    enum dj_run_outcome outcome;
    char reason[DJ_REASON]; /* "" for DJ_RUN_OK */
};

/* Returns the outcome of the first rule that applies. Rules about what ended a run come
 * before rules about missing data. */
struct dj_run_verdict dj_outcome_decide(const struct dj_run_facts *facts);

/* Returns whether another attempt would have the same outcome. Such a run is not
 * repeated. */
bool dj_outcome_is_final(enum dj_run_outcome outcome);

/* Share of the counted frames that may lack rows, or this number in a short window. */
#define DJ_ROWS_LOST_SHARE 0.1
#define DJ_ROWS_LOST_FEW 3

#endif
