/* What is set on a device so that measuring on it makes sense, and putting it back. */
#ifndef DEJANK_MEASURE_SETTINGS_H
#define DEJANK_MEASURE_SETTINGS_H

#include "device/facts.h"
#include "measure/batch.h"
#include "measure/journal.h"

/* Somebody who is told what is being done, a sentence each. */
struct dj_settings_talk {
    void (*say)(void *user, const char *sentence);
    void *user;
};

/* Tells it a sentence; does nothing if there is nobody (`talk` may be NULL). */
void dj_settings_say(const struct dj_settings_talk *talk, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Android: wakes and unlocks the screen and keeps it on, animations to 1×, the refresh
 * rate and the simple dump where the plan asks. Each setting is noted before it is
 * changed. What the device refuses is said, and is no error; DJ_E_GONE, DJ_E_IO (of the
 * journal).
 */
int dj_settings_prepare(struct dj_device *device, const struct dj_batch_plan *plan,
                        const struct dj_device_facts *facts, struct dj_journal *journal,
                        const struct dj_settings_talk *talk, struct dj_error *err);

/* Wakes and unlocks the screen where facts say that it needs it; nothing is noted: it
 * went off since the batch began. *woken: something was done. */
int dj_settings_wake(struct dj_device *device, const struct dj_device_facts *facts,
                     bool *woken, struct dj_error *err);

/* Notes what turning the screen changes, before a driver does it. */
int dj_settings_note_rotation(struct dj_device *device, struct dj_journal *journal,
                              struct dj_error *err);

/* Puts back all that the journal holds, newest first, and clears it. On an error it stays
 * as it is, to be tried again; DJ_E_UNSUPPORTED: the device refused one, and has all the
 * others back. */
int dj_settings_restore(struct dj_device *device, struct dj_journal *journal,
                        struct dj_error *err);

/*
 * Every journal that an ended dejank left behind: takes each device's lease, opens it,
 * restores it. What cannot be is said; *left counts the journals that stay, *done those
 * that are cleared. With `in_passing` nobody is waited for: devices that adb does not
 * have now are named together, and a journal that cannot be read stays where it is. Else
 * that is set aside, as a hidden file beside it.
 */
int dj_settings_restore_all(bool in_passing, const struct dj_settings_talk *talk,
                            size_t *done, size_t *left, struct dj_error *err);

#endif
