/* An entry of the list of devices that the adb server reports. */
#ifndef DEJANK_DEVICE_DEVICE_ENTRY_H
#define DEJANK_DEVICE_DEVICE_ENTRY_H

enum { DJ_DEVICES_MAX = 256 };

struct dj_device_entry {
    char serial[128];
    /* State in the words of adb: "device", "offline", "unauthorized", "no permissions",
     * … */
    char state[64];
    /* The model as adb reports it, or "" if unknown. adb replaces all characters but
     * letters and digits by "_". */
    char model[64];
};

#endif
