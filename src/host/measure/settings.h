/* Applies the device settings that measuring needs, and restores the original ones. */
#ifndef DEJANK_MEASURE_SETTINGS_H
#define DEJANK_MEASURE_SETTINGS_H

#include "device/facts.h"
#include "measure/batch.h"
#include "measure/journal.h"

/* Receives messages about the work, one sentence each. */
struct dj_settings_listener {
    void (*say)(void *user, const char *sentence);
    void *user;
};

/* Sends a message. Does nothing if `listener` or its function is NULL. */
void dj_measure_settings_report(const struct dj_settings_listener *listener,
                                const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Android: wakes and unlocks the screen and keeps it on, sets animations to 1×, and sets
 * the refresh rate and the simple dump if the plan asks for them. Notes each setting
 * before it is changed. A setting that the device refuses is reported and is no error.
 * Returns DJ_E_GONE, or DJ_E_IO if the journal cannot be written. */
int dj_measure_settings_apply(struct dj_device *device, const struct dj_batch_plan *plan,
                              const struct dj_device_facts *facts,
                              struct dj_journal *journal,
                              const struct dj_settings_listener *listener,
                              struct dj_error *err);

/* Wakes and unlocks the screen if the facts require it. Notes nothing, because the screen
 * went off after the batch began. *woken: something was done. */
int dj_measure_settings_wake_screen(struct dj_device *device,
                                    const struct dj_device_facts *facts, bool *woken,
                                    struct dj_error *err);

/* Notes the settings that a rotation of the screen changes, before a driver rotates it.
 */
int dj_measure_settings_note_rotation(struct dj_device *device,
                                      struct dj_journal *journal, struct dj_error *err);

/* Restores all settings in the journal, newest first, and clears it. After an error the
 * journal stays unchanged, so that the restore can be repeated. DJ_E_UNSUPPORTED: the
 * device refused one setting; all others are restored. */
int dj_measure_settings_restore(struct dj_device *device, struct dj_journal *journal,
                                struct dj_error *err);

/* Restores the settings in every journal that an ended dejank left. Takes the lease of
 * each device and opens it. Reports failures. *left counts the journals that remain,
 * *done those that are cleared. With `in_passing` it waits for no device: it lists the
 * devices that adb does not have now, and an unreadable journal stays in place. Otherwise
 * an unreadable journal is renamed to a hidden file in the same folder. */
int dj_measure_settings_restore_all(bool in_passing,
                                    const struct dj_settings_listener *listener,
                                    size_t *done, size_t *left, struct dj_error *err);

#endif
