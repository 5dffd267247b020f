/* Reads the facts of all connected devices. */
#ifndef DEJANK_SERVE_DEVICE_STATE_H
#define DEJANK_SERVE_DEVICE_STATE_H

#include "device/inquiry.h"

/* Zero the struct before use. */
struct dj_device_state {
    /* The devices that adb lists, and then this machine. */
    struct dj_inquired_device *devices;
    size_t count;
    /* Reason why the devices of adb are missing. Its code is 0 if they are not. */
    struct dj_error error;
};

/* Asks all devices in parallel. Blocks for up to some seconds. */
void dj_serve_inquire_devices(struct dj_device_state *state);
void dj_serve_finish_devices(struct dj_device_state *state);

#endif
