/* How a run ended, and the names of that. */
#ifndef DEJANK_FACTS_RUN_OUTCOME_H
#define DEJANK_FACTS_RUN_OUTCOME_H

#include <stdbool.h>

/* How a run came out, of all that took part: driver, app, device, collection. Only
 * DJ_RUN_OK counts. The store keeps the names: they
 * never change. */
enum dj_run_outcome {
    DJ_RUN_OK,
    DJ_RUN_NO_FRAMES,
    DJ_RUN_APP_GONE,       /* its process is not there any more, without a crash seen */
    DJ_RUN_APP_CRASHED,    /* the device's log says so */
    DJ_RUN_NOT_IN_GFXINFO, /* it runs, and something else draws its pictures */
    DJ_RUN_SCREEN_OFF,
    DJ_RUN_OVERHEATED,
    DJ_RUN_DEVICE_GONE,
    DJ_RUN_INSTRUMENTATION_FAILED, /* a test failed, or the stream of tests broke off */
    DJ_RUN_DRIVE_FAILED,           /* a gesture, selector or script failed */
    DJ_RUN_ROWS_LOST,              /* too many frames are known by their count only */
    DJ_RUN_INTERRUPTED,
    DJ_RUN_OUTCOMES
};

/* "ok", "no-frames", …: as the store and JSON name outcomes. */
const char *dj_run_outcome_name(enum dj_run_outcome outcome);
/* False: no outcome has that name. */
bool dj_run_outcome_find(const char *name, enum dj_run_outcome *outcome);

#endif
