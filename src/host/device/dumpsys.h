/* Reads gfxinfo and switches "Profile GPU rendering" with the shell commands `dumpsys`,
 * `getprop` and `setprop`. */
#ifndef DEJANK_DEVICE_DUMPSYS_H
#define DEJANK_DEVICE_DUMPSYS_H

#include "device/device.h"

/* Implement dj_device_read_gfxinfo() and dj_device_set_profile() for devices with a
 * shell. */
int dj_dumpsys_gfxinfo(struct dj_device *device, const struct dj_gfxinfo_request *request,
                       struct dj_device_gfxinfo *reading, struct dj_error *err);
int dj_dumpsys_profile(struct dj_device *device, const char *package, bool on,
                       struct dj_profile_switch *done, struct dj_error *err);

#endif
