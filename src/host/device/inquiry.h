/* Reads the facts of many devices at once. */
#ifndef DEJANK_DEVICE_INQUIRY_H
#define DEJANK_DEVICE_INQUIRY_H

#include "device/facts.h"

struct dj_inquired_device {
    char name[512]; /* The name that dj_device_open() accepts. Set by the caller. */
    struct dj_device_facts facts;
    /* Reason why the facts could not be read. Its code is 0 if they were read. */
    struct dj_error error;
    struct dj_device_obstacle obstacles[DJ_OBSTACLES_MAX];
    size_t obstacle_count;
};

/*
 * Reads facts and obstacles of all devices for which the caller has set facts.state to ""
 * or "device". Devices in another state are not contacted, because adb would refuse the
 * request. Blocks until all devices have answered, but at most about 15 s. If `record` is
 * not NULL, it is a folder in which each device gets a sub-folder with its recorded
 * answers.
 */
void dj_device_inquire(struct dj_inquired_device *devices, size_t count,
                       const char *record);

/* Returns whether no obstacle prevents measurements on the device. */
bool dj_device_inquired_is_ready(const struct dj_inquired_device *device);

#endif
