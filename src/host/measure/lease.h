/* The lock of a device. It prevents two dejank processes from measuring on the same
 * device. */
#ifndef DEJANK_MEASURE_LEASE_H
#define DEJANK_MEASURE_LEASE_H

#include "base/error.h"

struct dj_lease {
    int fd;
};

/* Locks the device until dj_measure_lease_release() or the end of the process. Returns
 * DJ_E_GONE with a message that names the other process if another process has the lock.
 * dj_measure_lease_release() may be called after an error. */
int dj_measure_lease_acquire(const char *device, struct dj_lease *lease,
                             struct dj_error *err);

void dj_measure_lease_release(struct dj_lease *lease);

#endif
