/* A device that one process has to itself, and leaves as it was. */
#ifndef DEJANK_MEASURE_HELD_H
#define DEJANK_MEASURE_HELD_H

#include "capture/capture.h"
#include "measure/journal.h"
#include "measure/lease.h"
#include "measure/settings.h"

/* Zero it; it must not move while it is held. */
struct dj_held {
    struct dj_device *device;
    struct dj_lease lease;
    struct dj_journal journal;
    bool leased;
};

/* Opens the device, takes its lease, and puts back what an earlier process left changed
 * on it; what it refuses to take back is said. As dj_device_open(), dj_lease_take() and
 * dj_journal_open(). Give it back also after an error. */
int dj_held_open(struct dj_held *held, const char *selector,
                 const struct dj_settings_talk *talk, struct dj_error *err);

/* Puts back what is still noted, and says what cannot be. */
void dj_held_give_back(struct dj_held *held, const struct dj_settings_talk *talk);

/* What a capture changes on the device is noted in the journal, which outlives it. */
void dj_held_note_capture(struct dj_journal *journal, struct dj_capture_plan *plan);

#endif
