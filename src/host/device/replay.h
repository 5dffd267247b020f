/* Devices that answer what was recorded, and recording it. */
#ifndef DEJANK_DEVICE_REPLAY_H
#define DEJANK_DEVICE_REPLAY_H

#include "device/device.h"

/* Opens `replay:FOLDER`. DJ_E_NOT_FOUND where there is no such folder or nothing recorded
 * in it, DJ_E_INVALID with file and line. Answers are read from their files as they are
 * asked for. */
int dj_replay_open(const char *selector, struct dj_device **device, struct dj_error *err);

#endif
