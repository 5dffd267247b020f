/* Lists the devices that the adb server knows. */
#ifndef DEJANK_DEVICE_DEVICE_LIST_H
#define DEJANK_DEVICE_DEVICE_LIST_H

#include "device/device.h"
#include "device/device_entry.h"

/* Lists the first `maximum` devices in the order of adb. Only devices in state "device"
 * can be used. Starts the adb server if none runs. Returns DJ_E_NOT_FOUND if adb is not
 * installed. */
int dj_device_list(struct dj_device_entry *entries, size_t maximum, size_t *count,
                   struct dj_error *err);

/* A connection on which the adb server sends the list of devices whenever the list
 * changes. */
struct dj_device_watch {
    int fd;
};

int dj_device_watch_open(struct dj_device_watch *watch, struct dj_error *err);

/* Waits at most timeout_ns for the next list. The server sends the first list at once,
 * and then one after each change. *count is SIZE_MAX if no list came in time. Returns
 * DJ_E_GONE if the server ended, or DJ_E_INTERRUPTED. */
int dj_device_watch_next(const struct dj_device_watch *watch, int64_t timeout_ns,
                         const struct dj_interrupt_request *interrupt,
                         struct dj_device_entry *entries, size_t maximum, size_t *count,
                         struct dj_error *err);
void dj_device_watch_close(const struct dj_device_watch *watch);

#endif
