/* The devices that the adb server knows. */
#ifndef DEJANK_DEVICE_ADB_LIST_H
#define DEJANK_DEVICE_ADB_LIST_H

#include "device/device.h"
#include "device/device_entry.h"

/* All of them, in adb's order, at most `maximum`; those in state "device" can be used.
 * Starts the server where none runs. DJ_E_NOT_FOUND where there is no adb. */
int dj_device_list(struct dj_device_entry *entries, size_t maximum, size_t *count,
                   struct dj_error *err);

/* The list as it changes. */
struct dj_device_watch {
    int fd;
};

int dj_device_watch_open(struct dj_device_watch *watch, struct dj_error *err);

/* Waits for a list (the first comes at once, then one for each change), at most
 * timeout_ns; *count is SIZE_MAX where none came. DJ_E_GONE where the server went away,
 * DJ_E_INTERRUPTED. */
int dj_device_watch_next(const struct dj_device_watch *watch, int64_t timeout_ns,
                         const struct dj_interrupt *interrupt,
                         struct dj_device_entry *entries, size_t maximum, size_t *count,
                         struct dj_error *err);
void dj_device_watch_close(const struct dj_device_watch *watch);

#endif
