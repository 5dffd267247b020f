/* Opens a device so that no other dejank process can use it. Closing the device restores
 * its settings. */
#ifndef DEJANK_MEASURE_EXCLUSIVE_DEVICE_H
#define DEJANK_MEASURE_EXCLUSIVE_DEVICE_H

#include "capture/capture.h"
#include "measure/journal.h"
#include "measure/lease.h"
#include "measure/settings.h"

/* An opened device. Initialize it with zero. Do not move it in memory before
 * dj_measure_exclusive_close(). */
struct dj_exclusive_device {
    struct dj_device *device;
    struct dj_lease lease;
    struct dj_journal journal;
    bool leased;
};

/* Opens the device, acquires its lease, and restores the settings that an earlier dejank
 * process has left changed. Reports settings that the device refuses. Returns the errors
 * of dj_device_open(), dj_measure_lease_acquire() and dj_measure_journal_open(). Call
 * dj_measure_exclusive_close() even after an error. */
int dj_measure_exclusive_open(struct dj_exclusive_device *exclusive, const char *selector,
                              const struct dj_settings_listener *listener,
                              struct dj_error *err);

/* Restores the settings that are in the journal, and reports settings that cannot be
 * restored. Closes the device and releases its lease. */
void dj_measure_exclusive_close(struct dj_exclusive_device *exclusive,
                                const struct dj_settings_listener *listener);

/* Sets the plan's functions so that a capture records its changes of the device in the
 * journal. The journal must outlive the capture. */
void dj_measure_note_capture(struct dj_journal *journal, struct dj_capture_plan *plan);

#endif
