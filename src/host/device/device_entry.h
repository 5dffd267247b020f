/* A device as the adb server lists it. */
#ifndef DEJANK_DEVICE_DEVICE_ENTRY_H
#define DEJANK_DEVICE_DEVICE_ENTRY_H

enum { DJ_DEVICES_MAX = 256 };

struct dj_device_entry {
    char serial[128];
    char state[64]; /* "device", "offline", "unauthorized", "no permissions", … */
    char model[64]; /* as adb reports it: "_" replaces all but letters and digits; "":
                       unknown */
};

#endif
