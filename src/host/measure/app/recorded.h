/* Functions for programs that run under `dejank record`, on this machine or on a device
 * that is reached through adb. */
#ifndef DEJANK_MEASURE_APP_RECORDED_H
#define DEJANK_MEASURE_APP_RECORDED_H

#include "measure/app/app.h"

/* Builds the command that runs the app under `dejank record`. `option` is one more
 * option, or NULL. The caller calls free() on *argv. Returns DJ_E_USAGE if another
 * process with that name is being recorded on the device, because frames of the two could
 * not be distinguished. */
int dj_app_record_command(const struct dj_app *app, const char *option,
                          const char ***argv, struct dj_error *err);

/* Removes the ended recordings of this app that `dejank record --temporary` made. A
 * recording that cannot be removed stays until the next run, or until a limit of age or
 * number removes it. */
void dj_app_discard_recordings(struct dj_app *app);

/* Sets *end from a shell's exit code (128 + signal) and the last line of the app's
 * output, because that line usually names the cause. Skips lines of the recorder's own
 * summary. */
void dj_app_describe_exit(struct dj_app_end *end, int exit_code, const char *words);

#endif
