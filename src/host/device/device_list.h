/* Lists the devices that the adb server knows. */
#ifndef DEJANK_DEVICE_DEVICE_LIST_H
#define DEJANK_DEVICE_DEVICE_LIST_H

#include "device/device.h"
#include "device/device_entry.h"

/* Lists all devices in the order of adb, at most `maximum`. Only those in state "device"
 * can be used. Starts the server if none runs. DJ_E_NOT_FOUND: adb is not installed. */
int dj_device_list(struct dj_device_entry *entries, size_t maximum, size_t *count,
                   struct dj_error *err);

/* Reports the list of devices whenever it changes. */
struct dj_device_watch {
    int fd;
};

int dj_device_watch_open(struct dj_device_watch *watch, struct dj_error *err);

/* Waits for a list, at most timeout_ns. The first one comes at once, then one for each
 * change. *count is SIZE_MAX if none came. DJ_E_GONE: the server ended. DJ_E_INTERRUPTED.
 */
int dj_device_watch_next(const struct dj_device_watch *watch, int64_t timeout_ns,
                         const struct dj_interrupt_request *interrupt,
                         struct dj_device_entry *entries, size_t maximum, size_t *count,
                         struct dj_error *err);
void dj_device_watch_close(const struct dj_device_watch *watch);

#endif
