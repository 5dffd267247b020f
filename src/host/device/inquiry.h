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
 * Fills everything but the names, of those whose facts.state is "" or "device"; others
 * are known by their state alone. Returns once all have answered or their time, some 15
 * s, is over. `record` NULL: no recording; else a folder, in which each device has one of
 * its own.
 */
void dj_device_inquire(struct dj_inquired_device *devices, size_t count,
                       const char *record);

/* Nothing stands in the way of measuring on it. */
bool dj_inquired_is_ready(const struct dj_inquired_device *device);

#endif
