/* Asks many devices at once for their facts. */
#ifndef DEJANK_DEVICE_INQUIRY_H
#define DEJANK_DEVICE_INQUIRY_H

#include "device/facts.h"

struct dj_inquired_device {
    char name[512]; /* as the user or adb names it */
    struct dj_device_facts facts;
    struct dj_error error; /* code 0: it was asked all; else why not */
    struct dj_device_obstacle obstacles[DJ_OBSTACLES_MAX];
    size_t obstacle_count;
};

/*
 * Queries all devices with facts.state "" or "device", and fills everything but their
 * names; the state of the others is known already. Blocks until all have answered or
 * about 15 s are over. `record`: a folder in which each device gets a folder for its
 * recorded answers; NULL: none.
 */
void dj_device_inquire(struct dj_inquired_device *devices, size_t count,
                       const char *record);

/* Whether no obstacle prevents measurements on the device. */
bool dj_device_inquired_is_ready(const struct dj_inquired_device *device);

#endif
