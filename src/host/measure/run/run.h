/* Plays one run: restarts the app, opens the window, drives the app, and decides the
 * outcome. */
#ifndef DEJANK_MEASURE_RUN_RUN_H
#define DEJANK_MEASURE_RUN_RUN_H

#include "measure/run/work.h"

void dj_run_finish(struct dj_run *run);

/* Plays one run. run->before must be set. Returns 0 for each outcome, or DJ_E_NO_MEMORY.
 * Stops the app even if the run was stopped. */
int dj_run_play(const struct dj_run_work *work, struct dj_run *run, struct dj_error *err);

/* Finds a layer of `package` that is drawn without gfxinfo, which is a SurfaceView, in
 * the output of `dumpsys SurfaceFlinger --list`. Returns false if there is none. */
bool dj_layers_find(const char *list, const char *package, char *layer, size_t size);

#endif
