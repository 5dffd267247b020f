#include "measure/exclusive_device.h"

int dj_measure_exclusive_open(struct dj_exclusive_device *exclusive, const char *selector,
                              const struct dj_settings_listener *listener,
                              struct dj_error *err)
{
    int code = dj_device_open(selector, &exclusive->device, err);
    if (code == 0) {
        code = dj_measure_lease_acquire(exclusive->device->name, &exclusive->lease, err);
        exclusive->leased = code == 0;
    }
    if (code == 0) {
        code = dj_measure_journal_open(exclusive->device->name, &exclusive->journal, err);
    }
    if (code == 0 && exclusive->journal.count > 0) {
        struct dj_error why = {0};
        code = dj_measure_settings_restore(exclusive->device, &exclusive->journal, &why);
        if (code == DJ_E_UNSUPPORTED) {
            dj_measure_settings_report(listener,
                                       "some settings that an earlier dejank left "
                                       "changed could not be restored: %.300s",
                                       why.message);
            code = 0;
        } else if (code != 0) {
            code = dj_error_set(err, code, "%s", why.message);
        }
    }
    return code;
}

void dj_measure_exclusive_close(struct dj_exclusive_device *exclusive,
                                const struct dj_settings_listener *listener)
{
    struct dj_error why = {0};
    if (exclusive->device != NULL && exclusive->leased && exclusive->journal.count > 0 &&
        dj_measure_settings_restore(exclusive->device, &exclusive->journal, &why) != 0) {
        dj_measure_settings_report(
            listener,
            "the settings of the device are not restored yet (%.300s). `dejank doctor "
            "--restore` or the next run or capture on this device restores them",
            why.message);
    }
    dj_measure_journal_finish(&exclusive->journal);
    if (exclusive->leased) {
        dj_measure_lease_release(&exclusive->lease);
    }
    dj_device_close(exclusive->device);
    *exclusive = (struct dj_exclusive_device){0};
}

static int note(void *journal, const char *space, const char *name, const char *value,
                struct dj_error *err)
{
    return dj_measure_journal_note(journal, space, name, value, err);
}

static void forget(void *journal, const char *space, const char *name)
{
    struct dj_error ignored = {0};
    dj_measure_journal_remove(journal, space, name, &ignored);
}

void dj_measure_note_capture(struct dj_journal *journal, struct dj_capture_plan *plan)
{
    plan->note = note;
    plan->forget = forget;
    plan->keeper = journal;
}
