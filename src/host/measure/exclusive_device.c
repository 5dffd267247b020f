#include "measure/exclusive_device.h"

int dj_measure_exclusive_open(struct dj_exclusive_device *held, const char *selector,
                              const struct dj_settings_listener *listener,
                              struct dj_error *err)
{
    int code = dj_device_open(selector, &held->device, err);
    if (code == 0) {
        code = dj_measure_lease_acquire(held->device->name, &held->lease, err);
        held->leased = code == 0;
    }
    if (code == 0) {
        code = dj_measure_journal_open(held->device->name, &held->journal, err);
    }
    if (code == 0 && held->journal.count > 0) {
        struct dj_error why = {0};
        code = dj_measure_settings_restore(held->device, &held->journal, &why);
        if (code == DJ_E_UNSUPPORTED) {
            dj_measure_settings_report(
                listener,
                "not all that an earlier dejank had set could be put back: %.300s",
                why.message);
            code = 0;
        } else if (code != 0) {
            code = dj_error_set(err, code, "%s", why.message);
        }
    }
    return code;
}

void dj_measure_exclusive_close(struct dj_exclusive_device *held,
                                const struct dj_settings_listener *listener)
{
    struct dj_error why = {0};
    if (held->device != NULL && held->leased && held->journal.count > 0 &&
        dj_measure_settings_restore(held->device, &held->journal, &why) != 0) {
        dj_measure_settings_report(
            listener,
            "the device is not as it was yet (%.300s): the next start puts "
            "it back, or `dejank doctor --restore`",
            why.message);
    }
    dj_measure_journal_finish(&held->journal);
    if (held->leased) {
        dj_measure_lease_release(&held->lease);
    }
    dj_device_close(held->device);
    *held = (struct dj_exclusive_device){0};
}

static int note(void *keeper, const char *space, const char *name, const char *value,
                struct dj_error *err)
{
    return dj_measure_journal_note(keeper, space, name, value, err);
}

static void forget(void *keeper, const char *space, const char *name)
{
    struct dj_error ignored = {0};
    dj_measure_journal_remove(keeper, space, name, &ignored);
}

void dj_measure_note_capture(struct dj_journal *journal, struct dj_capture_plan *plan)
{
    plan->note = note;
    plan->forget = forget;
    plan->keeper = journal;
}
