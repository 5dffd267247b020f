/* Functions for programs that run under `dejank record`, on this machine or on a device
 * behind adb. */
#ifndef DEJANK_MEASURE_APP_RECORDED_H
#define DEJANK_MEASURE_APP_RECORDED_H

#include "measure/app/app.h"

/* Builds the command that runs the app under `dejank record`, with `option` (NULL: none)
 * among the options. The caller calls free() on *argv. Returns DJ_E_USAGE if another
 * process with that name is being recorded on the device, because its frames could not be
 * distinguished. */
int dj_app_record_command(const struct dj_app *app, const char *option,
                          const char ***argv, struct dj_error *err);

/* Removes the recordings of this app that `dejank record --temporary` made and that have
 * ended. Recordings that cannot be removed stay until the next run, or until a limit of
 * age or number removes them. */
void dj_app_discard_recordings(struct dj_app *app);

/* Fills in *end from a shell's exit code (128 + signal) and the last line of the app's
 * output. That line usually names the cause. Lines of the recorder's own summary are
 * skipped. */
void dj_app_describe_exit(struct dj_app_end *end, int exit_code, const char *words);

#endif
