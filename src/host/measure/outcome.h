/* How a run came out, decided by rules from all that is known of it. */
#ifndef DEJANK_MEASURE_OUTCOME_H
#define DEJANK_MEASURE_OUTCOME_H

#include "measure/app.h"
#include "measure/collect.h"
#include "measure/conditions.h"

/* All that a run left to judge by. */
struct dj_run_facts {
    bool interrupted;      /* a person ended it */
    struct dj_error start; /* the app was not started, or not prepared; code 0: it was */
    bool preparing;        /* of the two it was the driver's preparing */
    struct dj_error collect;                /* not even one reading */
    const struct dj_collection *collection; /* NULL: there is none */
    const struct dj_drive_log *log;
    struct dj_error drive; /* the driver gave up */
    const struct dj_app_end *end;
    const struct dj_conditions *before, *after; /* NULL: could not be asked */
    const char *layer;                          /* draws past gfxinfo; "": none seen */
    bool device_gone;                           /* does not answer after the run */
    bool aggregate_only;                        /* no rows are expected */
    bool app_may_end; /* with the driver: tests that run in its process */
    struct dj_condition_limits limits;
};

struct dj_run_verdict {
    enum dj_run_outcome outcome;
    char reason[DJ_REASON]; /* "" for DJ_RUN_OK */
};

/* The first rule that holds decides: what ended a run comes before what it lacks then. */
struct dj_run_verdict dj_run_judge(const struct dj_run_facts *facts);

/* Would another attempt come out the same? Such a run is not repeated. */
bool dj_run_is_final(enum dj_run_outcome outcome);

/* Counted frames that may be without rows: this share, or these few of a short window. */
#define DJ_ROWS_LOST_SHARE 0.1
#define DJ_ROWS_LOST_FEW 3

#endif
