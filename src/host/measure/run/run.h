/* Plays one run: restarts the app, opens the window, drives the app, and decides the
 * outcome. */
#ifndef DEJANK_MEASURE_RUN_RUN_H
#define DEJANK_MEASURE_RUN_RUN_H

#include "measure/run/work.h"

void dj_run_finish(struct dj_run *run);

/* Plays one run. run->before must be set. Returns 0 for each outcome, or DJ_E_NO_MEMORY.
 * Ends the app also after a stop. */
int dj_run_play(const struct dj_run_work *work, struct dj_run *run, struct dj_error *err);

/* Finds a layer of `package` in SurfaceFlinger's list (`dumpsys SurfaceFlinger --list`)
 * that is drawn without gfxinfo: a SurfaceView. Returns false if there is none. */
bool dj_layers_find(const char *list, const char *package, char *layer, size_t size);

#endif
