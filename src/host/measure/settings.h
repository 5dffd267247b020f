/* Applies the device settings that measuring needs, and restores the original
 * settings. */
#ifndef DEJANK_MEASURE_SETTINGS_H
#define DEJANK_MEASURE_SETTINGS_H

#include "device/facts.h"
#include "measure/batch.h"
#include "measure/journal.h"

/* Receives messages about the work, one sentence per call. */
struct dj_settings_listener {
    void (*report)(void *user, const char *sentence);
    void *user;
};

/* Sends a message. Does nothing if `listener` or its function is NULL. */
void dj_measure_settings_report(const struct dj_settings_listener *listener,
                                const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* On Android, wakes and unlocks the screen, keeps it on, and sets animations to 1×. Sets
 * the refresh rate and the simple dump if the plan contains them. Adds the original value
 * of each setting to the journal before it is changed. A setting that the device refuses
 * is reported and is no error. Returns DJ_E_GONE, or DJ_E_IO if the journal cannot be
 * written. */
int dj_measure_settings_apply(struct dj_device *device, const struct dj_batch_plan *plan,
                              const struct dj_device_facts *facts,
                              struct dj_journal *journal,
                              const struct dj_settings_listener *listener,
                              struct dj_error *err);

/* Wakes and unlocks the screen if the facts say that it is off or locked. Adds nothing to
 * the journal, because the screen went off after the batch began. Sets *woken to whether
 * something was done. */
int dj_measure_settings_wake_screen(struct dj_device *device,
                                    const struct dj_device_facts *facts, bool *woken,
                                    struct dj_error *err);

/* Adds the settings that a rotation of the screen changes to the journal. Call it before
 * a driver rotates the screen. */
int dj_measure_settings_note_rotation(struct dj_device *device,
                                      struct dj_journal *journal, struct dj_error *err);

/* Restores all settings in the journal, newest first, and clears the journal. After an
 * error the journal stays unchanged, so that the call can be repeated. Returns
 * DJ_E_UNSUPPORTED if the device refused a setting; all others are restored. */
int dj_measure_settings_restore(struct dj_device *device, struct dj_journal *journal,
                                struct dj_error *err);

/* Restores the settings in every journal that an ended dejank process left. Acquires the
 * lease of each device and opens it. Reports failures. Sets *done to the number of
 * cleared journals and *left to the number of remaining ones. If `in_passing` is true,
 * does not wait for devices: reports the names of devices that adb does not list, and
 * leaves unreadable journals in place. Otherwise renames unreadable journals to hidden
 * files in the same folder. */
int dj_measure_settings_restore_all(bool in_passing,
                                    const struct dj_settings_listener *listener,
                                    size_t *done, size_t *left, struct dj_error *err);

#endif
