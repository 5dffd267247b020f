/* A device that one process uses exclusively and restores at the end. */
#ifndef DEJANK_MEASURE_HELD_H
#define DEJANK_MEASURE_HELD_H

#include "capture/capture.h"
#include "measure/journal.h"
#include "measure/lease.h"
#include "measure/settings.h"

/* Initialize it with zero. It must not move until dj_held_give_back(). */
struct dj_held {
    struct dj_device *device;
    struct dj_lease lease;
    struct dj_journal journal;
    bool leased;
};

/* Opens the device, takes its lease, and restores the settings that an earlier process
 * left changed. Reports settings that the device refuses. Returns the errors of
 * dj_device_open(), dj_lease_take() and dj_journal_open(). Call dj_held_give_back() also
 * after an error. */
int dj_held_open(struct dj_held *held, const char *selector,
                 const struct dj_settings_talk *talk, struct dj_error *err);

/* Restores the settings that are still noted, and reports those that cannot be restored.
 * Closes the device and its lease. */
void dj_held_give_back(struct dj_held *held, const struct dj_settings_talk *talk);

/* Makes a capture note its changes of the device in the journal. The journal must outlive
 * the capture. */
void dj_held_note_capture(struct dj_journal *journal, struct dj_capture_plan *plan);

#endif
