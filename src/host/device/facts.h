/* Reads the facts of a device, and lists what prevents or degrades a measurement. */
#ifndef DEJANK_DEVICE_FACTS_H
#define DEJANK_DEVICE_FACTS_H

#include "device/device.h"
#include "facts/device.h"

/* Runs about a dozen short commands on Android, two on Linux. Facts that the device does
 * not report stay unknown, which is no error. DJ_E_GONE, DJ_E_TIMEOUT (after about 10 s),
 * DJ_E_INTERRUPTED. After an error *facts contains what was read before. */
int dj_device_read_facts(struct dj_device *device, struct dj_device_facts *facts,
                         struct dj_error *err);

/* A condition that prevents or degrades a measurement. */
struct dj_device_obstacle {
    char name[32]; /* stable, for scripts: "screen-off", "locked", "animation-scale"… */
    char says[200];    /* the message for the user */
    char command[400]; /* a shell command that removes the obstacle; "": a person must do
                          it */
    bool blocks;       /* a measurement is impossible; false: its results are worse */
};

enum { DJ_OBSTACLES_MAX = 20 };

/* Fills at most DJ_OBSTACLES_MAX obstacles, the blocking ones first, and returns their
 * number. `name`: the name of the device, as adb takes it, or "local:". */
size_t dj_device_find_obstacles(const char *name, const struct dj_device_facts *facts,
                                struct dj_device_obstacle *obstacles);

#endif
