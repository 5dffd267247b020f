/* Who measures on a device: two dejank processes never share one. */
#ifndef DEJANK_MEASURE_LEASE_H
#define DEJANK_MEASURE_LEASE_H

#include "base/error.h"

struct dj_lease {
    int fd;
};

/*
 * Takes the device for this process, until dj_lease_give_back() or its end, whichever
 * way it ends. DJ_E_GONE where another process has it: the message says which. `lease`
 * may be given back also after an error.
 */
int dj_lease_take(const char *device, struct dj_lease *lease, struct dj_error *err);

void dj_lease_give_back(struct dj_lease *lease);

#endif
