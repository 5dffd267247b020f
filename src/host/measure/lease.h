/* The lock of a device: two dejank processes never measure on the same device. */
#ifndef DEJANK_MEASURE_LEASE_H
#define DEJANK_MEASURE_LEASE_H

#include "base/error.h"

struct dj_lease {
    int fd;
};

/* Locks the device until dj_measure_lease_release() or the end of the process. Returns
 * DJ_E_GONE if another process has it; the message names that process.
 * dj_measure_lease_release() is allowed also after an error. */
int dj_measure_lease_acquire(const char *device, struct dj_lease *lease,
                             struct dj_error *err);

void dj_measure_lease_release(struct dj_lease *lease);

#endif
