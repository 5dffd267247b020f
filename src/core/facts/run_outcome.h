/* How a run ended, and the names of the outcomes. */
#ifndef DEJANK_FACTS_RUN_OUTCOME_H
#define DEJANK_FACTS_RUN_OUTCOME_H

#include <stdbool.h>

/* The outcome of a run, from driver, app, device and collection. Only runs with DJ_RUN_OK
 * count. Stores contain the names, so they never change. */
enum dj_run_outcome {
    DJ_RUN_OK,
    DJ_RUN_NO_FRAMES,
    DJ_RUN_APP_GONE,       /* its process ended, without a known crash */
    DJ_RUN_APP_CRASHED,    /* the log of the device contains a crash */
    DJ_RUN_NOT_IN_GFXINFO, /* it runs, but gfxinfo has no frames of it */
    DJ_RUN_SCREEN_OFF,
    DJ_RUN_OVERHEATED,
    DJ_RUN_DEVICE_GONE,
    DJ_RUN_INSTRUMENTATION_FAILED, /* a test failed, or the output of the tests is
                                      incomplete */
    DJ_RUN_DRIVE_FAILED,           /* a gesture, selector or script failed */
    DJ_RUN_ROWS_LOST, /* too many frames are only counted, without their times */
    DJ_RUN_INTERRUPTED,
    DJ_RUN_OUTCOMES
};

/* Returns the name in stores and JSON: "ok", "no-frames", … */
const char *dj_facts_outcome_name(enum dj_run_outcome outcome);
/* Finds an outcome by its name. Returns false if there is none. */
bool dj_facts_outcome_find(const char *name, enum dj_run_outcome *outcome);

#endif
