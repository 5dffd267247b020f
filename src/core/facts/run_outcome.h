/* Defines the outcomes of a run. */
#ifndef DEJANK_FACTS_RUN_OUTCOME_H
#define DEJANK_FACTS_RUN_OUTCOME_H

#include <stdbool.h>

/* The outcome of a run, determined from the driver, the app, the device and the recorded
 * frames. Only runs with DJ_RUN_OK are used for results. The names of the outcomes must
 * not change, because stores contain them. */
enum dj_run_outcome {
    DJ_RUN_OK,
    DJ_RUN_NO_FRAMES,
    DJ_RUN_APP_GONE,       /* The process ended, and no crash is known. */
    DJ_RUN_APP_CRASHED,    /* The device's log contains a crash of the app. */
    DJ_RUN_NOT_IN_GFXINFO, /* The app runs, but gfxinfo reports no frames of the app. */
    DJ_RUN_SCREEN_OFF,
    DJ_RUN_OVERHEATED,
    DJ_RUN_DEVICE_GONE,
    /* A test failed, or the output of the tests is incomplete. */
    DJ_RUN_INSTRUMENTATION_FAILED,
    DJ_RUN_DRIVE_FAILED, /* A gesture, a selector or a script failed. */
    /* The times of too many frames were lost, so that these frames are only counted. */
    DJ_RUN_ROWS_LOST,
    DJ_RUN_INTERRUPTED,
    DJ_RUN_OUTCOMES
};

/* Returns the name of an outcome in stores and JSON, such as "ok" or "no-frames". */
const char *dj_facts_outcome_name(enum dj_run_outcome outcome);
/* Finds an outcome by its name. Returns false if there is none. */
bool dj_facts_outcome_find(const char *name, enum dj_run_outcome *outcome);

#endif
