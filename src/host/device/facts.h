/* Reads the facts of a device, and lists what prevents or degrades a measurement. */
#ifndef DEJANK_DEVICE_FACTS_H
#define DEJANK_DEVICE_FACTS_H

#include "device/device.h"
#include "facts/device.h"

/* Reads the facts of a device into *facts. Runs about a dozen short commands on Android,
 * or two on Linux. Facts that the device does not report remain unknown, which is no
 * error. Returns DJ_E_GONE, DJ_E_TIMEOUT after about 10 s, or DJ_E_INTERRUPTED. After an
 * error, *facts contains the facts that were read before. */
int dj_device_read_facts(struct dj_device *device, struct dj_device_facts *facts,
                         struct dj_error *err);

/* A condition of a device that prevents or degrades a measurement. */
struct dj_device_obstacle {
    /* A stable name for scripts, such as "screen-off" or "animation-scale". */
    char name[32];
    char says[200]; /* The message for the user. */
    /* A shell command that removes the obstacle, or "" if only a person can remove it. */
    char command[400];
    /* True if a measurement is impossible, false if its results are less reliable. */
    bool blocks;
};

enum { DJ_OBSTACLES_MAX = 20 };

/* Writes at most DJ_OBSTACLES_MAX obstacles and returns their number. Obstacles that
 * block come first. `name` is an adb serial or "local:". */
size_t dj_device_find_obstacles(const char *name, const struct dj_device_facts *facts,
                                struct dj_device_obstacle *obstacles);

#endif
