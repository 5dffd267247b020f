/* Functions for programs that run under `dejank record`, on this machine or on a device
 * that is reached through adb. */
#ifndef DEJANK_MEASURE_APP_RECORDED_H
#define DEJANK_MEASURE_APP_RECORDED_H

#include "measure/app/app.h"

/* Builds the command that runs the app under `dejank record`. `option` is an additional
 * option, or NULL. The caller calls free() on *argv. Returns DJ_E_USAGE if the device
 * already records another process with the same name, because the frames of the two
 * processes could not be distinguished. */
int dj_app_record_command(const struct dj_app *app, const char *option,
                          const char ***argv, struct dj_error *err);

/* Removes ended recordings of this app that `dejank record --temporary` has made. If a
 * recording cannot be removed, the next run tries again. Limits for the age and the
 * number of recordings also apply. */
void dj_app_discard_recordings(struct dj_app *app);

/* Fills *end. The state follows from a shell's exit code (128 + signal). The cause is the
 * last line of the app's output, because programs usually print the cause of their end
 * there. Lines of the recorder's own summary are skipped. */
void dj_app_describe_exit(struct dj_app_end *end, int exit_code, const char *words);

#endif
