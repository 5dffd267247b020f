/* The connected devices and their facts. */
#ifndef DEJANK_SERVE_DEVICE_STATE_H
#define DEJANK_SERVE_DEVICE_STATE_H

#include "device/inquiry.h"

/* Initialise it with zeros. */
struct dj_device_state {
    struct dj_inquired_device *devices; /* Those of adb, then this machine. */
    size_t count;
    struct dj_error error; /* Why adb's devices are missing, or code 0. */
};

/* Asks all devices in parallel. Takes up to some seconds. */
void dj_serve_inquire_devices(struct dj_device_state *state);
void dj_serve_finish_devices(struct dj_device_state *state);

#endif
