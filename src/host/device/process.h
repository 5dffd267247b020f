/* What the kinds of running commands share. */
#ifndef DEJANK_DEVICE_PROCESS_H
#define DEJANK_DEVICE_PROCESS_H

#include "device/device.h"

#define DJ_PROCESS_WRITE_NS (10 * DJ_SECOND_NS)

/* Waits until one of the descriptors is ready, at most timeout_ns: how many are, 0 for
 * none in time, or an error (DJ_E_INTERRUPTED, DJ_E_IO). A negative one is passed over.
 */
int dj_process_wait(struct dj_device *device, struct pollfd *fds, nfds_t count,
                    int64_t timeout_ns, struct dj_error *err);

/* One of this machine's, see guard.h. */
int dj_local_start(struct dj_device *device, const char *const *argv,
                   struct dj_device_process **process, struct dj_error *err);

/* One that has ended already: what it wrote is taken over, and handed out by the next
 * reading. Its input goes nowhere. With a negative exit code it never ends by itself. */
int dj_process_ended(struct dj_device *device, struct dj_shell_result *result,
                     struct dj_device_process **process, struct dj_error *err);

#endif
