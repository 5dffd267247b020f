/* Plays one run: starts the app, collects its frames while a driver operates the app, and
 * decides the outcome. */
#ifndef DEJANK_MEASURE_RUN_RUN_H
#define DEJANK_MEASURE_RUN_RUN_H

#include "measure/run/work.h"

void dj_run_finish(struct dj_run *run);

/* Plays one run. Set run->before first. Stops the app at the end, even if the run was
 * stopped. Returns 0 for every outcome, or DJ_E_NO_MEMORY. */
int dj_run_play(const struct dj_run_work *work, struct dj_run *run, struct dj_error *err);

/* Finds a SurfaceView of `package` in the output of `dumpsys SurfaceFlinger --list`.
 * gfxinfo does not contain the frames of a SurfaceView. Copies the name of the layer to
 * `layer`. Returns false if there is no such layer. */
bool dj_layers_find(const char *list, const char *package, char *layer, size_t size);

/* Finds the layer with most presents in the window, in a reading of a struct
 * dj_surface_reader. Copies its name to `layer`. Returns false if no layer was presented
 * in the window. */
bool dj_layers_find_shown(const struct dj_dump *presents, const struct dj_span *window,
                          char *layer, size_t size);

#endif
