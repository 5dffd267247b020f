/* What the kinds of running commands share. */
#ifndef DEJANK_DEVICE_PROCESS_H
#define DEJANK_DEVICE_PROCESS_H

#include "device/device.h"

#define DJ_PROCESS_WRITE_NS (10 * DJ_SECOND_NS)

/* A program of this machine, in a process group of its own (process/process.h). */
int dj_local_start(struct dj_device *device, const char *const *argv,
                   struct dj_device_process **process, struct dj_error *err);

/* One that has ended already: what it wrote is taken over, and handed out by the next
 * reading. Its input goes nowhere. With a negative exit code it never ends by itself. */
int dj_device_process_ended(struct dj_device *device, struct dj_shell_result *result,
                            struct dj_device_process **process, struct dj_error *err);

#endif
