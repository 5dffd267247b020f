/* Asks a device for its facts, and lists what prevents or degrades a measurement. */
#ifndef DEJANK_DEVICE_FACTS_H
#define DEJANK_DEVICE_FACTS_H

#include "device/device.h"
#include "facts/device.h"

/*
 * Asks the device, a dozen short commands on Android and two on Linux. What it does not
 * tell stays unknown and is no error; DJ_E_GONE, DJ_E_TIMEOUT (after some 10 s),
 * DJ_E_INTERRUPTED. *facts is whole also after an error: what was known until then.
 */
int dj_device_facts_read(struct dj_device *device, struct dj_device_facts *facts,
                         struct dj_error *err);

/* Something that stands in the way of measuring. */
struct dj_device_obstacle {
    char name[32]; /* stable, for scripts: "screen-off", "locked", "animation-scale"… */
    char says[200];    /* for a person */
    char command[400]; /* mends it, ready for a shell; "" where only hands can */
    bool blocks;       /* nothing can be measured so; else figures are worse for it */
};

enum { DJ_OBSTACLES_MAX = 20 };

/* Fills at most DJ_OBSTACLES_MAX, the blocking ones first; how many. `name` is the
 * device's, as adb takes it, or "local:". */
size_t dj_device_obstacles(const char *name, const struct dj_device_facts *facts,
                           struct dj_device_obstacle *obstacles);

#endif
