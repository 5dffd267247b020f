/* Checks before any run whether an app can be measured. */
#ifndef DEJANK_MEASURE_CHECK_APP_H
#define DEJANK_MEASURE_CHECK_APP_H

#include "measure/batch.h"

/* Runs the check of a build with which `dejank run` begins on a device, and changes
 * nothing on the device. Returns DJ_E_NO_DATA if the app is not installed, or does not
 * run and no command starts it. */
int dj_measure_check_app(const struct dj_batch_plan *plan,
                         const struct dj_build_plan *build, struct dj_device *device,
                         bool is_android, struct dj_error *err);

#endif
