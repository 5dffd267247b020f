/* What programs under `dejank record` share, on this machine and on a device behind adb.
 * Private to the app_*.c files. */
#ifndef DEJANK_MEASURE_APP_RECORDED_H
#define DEJANK_MEASURE_APP_RECORDED_H

#include "measure/app.h"

/* The app's command under `dejank record`, with `option` (NULL: none) among the options.
 * free() frees it. DJ_E_USAGE where somebody else's process of that name records on the
 * device: its frames would be taken for ours. */
int dj_app_record_command(const struct dj_app *app, const char *option,
                          const char ***argv, struct dj_error *err);

/* Removes the recordings that `dejank record --temporary` made for this app and that have
 * ended. What cannot be removed is removed after the next run, or when its age or number
 * demands it. */
void dj_app_discard_recordings(struct dj_app *app);

/* How it ended, by the exit code of a shell (128 + signal) and its last line of words,
 * which tells most of why; the recorder's own summary behind it does not. */
void dj_app_end_like(struct dj_app_end *end, int exit_code, const char *words);

#endif
