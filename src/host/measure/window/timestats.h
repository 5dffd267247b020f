/* Counts the frames of a window with SurfaceFlinger's timestats, and leaves timestats as
 * they were. */
#ifndef DEJANK_MEASURE_WINDOW_TIMESTATS_H
#define DEJANK_MEASURE_WINDOW_TIMESTATS_H

#include "device/device.h"
#include "measure/journal.h"
#include "measure/lease.h"

/* Initialize it with zero. Do not move it in memory between start and stop. */
struct dj_timestats {
    struct dj_device *device;
    /* The journal of the device. If the caller has none, it is `own`, and the device's
     * lease is held until the stop. */
    struct dj_journal *journal;
    struct dj_journal own;
    struct dj_lease lease;
    bool is_leased;
    bool is_counting; /* True if timestats count. */
    bool is_ours;     /* True if dejank has enabled timestats. */
    bool is_cleared;  /* True if another program has cleared them in the window. */
    bool is_read;     /* True if `frames` has the frames of the window. */
    struct dj_surfaces before, frames;
};

/* Restores what an earlier dejank process has left changed, and reads the counters. If
 * the dump is empty, timestats are off, and this function enables them and adds that to
 * the journal first. If they cannot be enabled, they do not count, which is no error.
 * `journal` may be NULL. Returns the errors of dj_device_run(). */
int dj_timestats_start(struct dj_timestats *timestats, struct dj_device *device,
                       struct dj_journal *journal, struct dj_error *err);

/* Reads the counters again, and sets `frames` to the difference. */
int dj_timestats_read(struct dj_timestats *timestats, struct dj_error *err);

/* Disables and clears timestats if dejank has enabled them, even if the device's requests
 * are interrupted. If that fails, the journal keeps the entry, and a later dejank
 * process does it. */
void dj_timestats_stop(struct dj_timestats *timestats);

#endif
