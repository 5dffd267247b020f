/* A lease is a lock of a device. It prevents two dejank processes from measuring on the
 * same device at the same time. */
#ifndef DEJANK_MEASURE_LEASE_H
#define DEJANK_MEASURE_LEASE_H

#include "base/error.h"

struct dj_lease {
    int fd;
};

/* Locks the device until dj_measure_lease_release() or until this process ends. Returns
 * DJ_E_GONE if another process has the lock. The message names this process.
 * dj_measure_lease_release() may be called even after an error. */
int dj_measure_lease_acquire(const char *device, struct dj_lease *lease,
                             struct dj_error *err);

void dj_measure_lease_release(struct dj_lease *lease);

#endif
