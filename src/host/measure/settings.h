/* Changes the settings of a device so that measurements are comparable, and restores the
 * original settings. */
#ifndef DEJANK_MEASURE_SETTINGS_H
#define DEJANK_MEASURE_SETTINGS_H

#include "device/facts.h"
#include "measure/batch.h"
#include "measure/journal.h"

/* Receives messages for the user, one sentence per call. */
struct dj_settings_listener {
    void (*report)(void *user, const char *sentence);
    void *user;
};

/* Sends a message to the listener. Does nothing if `listener` or its function is NULL. */
void dj_measure_settings_report(const struct dj_settings_listener *listener,
                                const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* On Android, switches the screen on, unlocks it, keeps it on, and sets the speed of
 * animations to 1×. Also sets the refresh rate and enables the simple dump if the plan
 * requests them. Adds the original value of each setting to the journal before changing
 * the setting. If the device refuses a setting, reports this and continues. Returns 0,
 * DJ_E_GONE, or DJ_E_IO if the journal cannot be written. */
int dj_measure_settings_apply(struct dj_device *device, const struct dj_batch_plan *plan,
                              const struct dj_device_facts *facts,
                              struct dj_journal *journal,
                              const struct dj_settings_listener *listener,
                              struct dj_error *err);

/* Switches the screen on and unlocks it, if the facts say that it is off or locked. Sets
 * *woken to true if something was done. Adds nothing to the journal, because the screen
 * was on when the batch began. */
int dj_measure_settings_wake_screen(struct dj_device *device,
                                    const struct dj_device_facts *facts, bool *woken,
                                    struct dj_error *err);

/* Adds the current values of the settings that a rotation of the screen changes to the
 * journal. Call this function before a driver rotates the screen. */
int dj_measure_settings_note_rotation(struct dj_device *device,
                                      struct dj_journal *journal, struct dj_error *err);

/* Restores all settings in the journal, the newest first, and then clears the journal. If
 * the device refuses a setting, restores the others and returns DJ_E_UNSUPPORTED. After
 * an error the journal is unchanged, so the call can be repeated. */
int dj_measure_settings_restore(struct dj_device *device, struct dj_journal *journal,
                                struct dj_error *err);

/* Restores the settings in the journals of all ended dejank processes. Acquires the lease
 * of each device and opens the device. Reports failures. Sets *done to the number of
 * journals that were cleared, and *left to the number of journals that remain.
 *
 * If `in_passing` is true, does not wait for devices that are not connected, reports
 * their names, and does not change journals that cannot be read. If it is false, renames
 * these journals to hidden files in the same folder. */
int dj_measure_settings_restore_all(bool in_passing,
                                    const struct dj_settings_listener *listener,
                                    size_t *done, size_t *left, struct dj_error *err);

#endif
