#include "measure/held.h"

int dj_held_open(struct dj_held *held, const char *selector,
                 const struct dj_settings_talk *talk, struct dj_error *err)
{
    int code = dj_device_open(selector, &held->device, err);
    if (code == 0) {
        code = dj_lease_take(held->device->name, &held->lease, err);
        held->leased = code == 0;
    }
    if (code == 0) {
        code = dj_journal_open(held->device->name, &held->journal, err);
    }
    if (code == 0 && held->journal.count > 0) {
        struct dj_error why = {0};
        code = dj_settings_restore(held->device, &held->journal, &why);
        if (code == DJ_E_UNSUPPORTED) {
            dj_settings_say(
                talk, "not all that an earlier dejank had set could be put back: %.300s",
                why.message);
            code = 0;
        } else if (code != 0) {
            code = dj_error_set(err, code, "%s", why.message);
        }
    }
    return code;
}

void dj_held_give_back(struct dj_held *held, const struct dj_settings_talk *talk)
{
    struct dj_error why = {0};
    if (held->device != NULL && held->leased && held->journal.count > 0 &&
        dj_settings_restore(held->device, &held->journal, &why) != 0) {
        dj_settings_say(talk,
                        "the device is not as it was yet (%.300s): the next start puts "
                        "it back, or `dejank doctor --restore`",
                        why.message);
    }
    dj_journal_finish(&held->journal);
    if (held->leased) {
        dj_lease_give_back(&held->lease);
    }
    dj_device_close(held->device);
    *held = (struct dj_held){0};
}

static int note(void *keeper, const char *space, const char *name, const char *value,
                struct dj_error *err)
{
    return dj_journal_note(keeper, space, name, value, err);
}

static void forget(void *keeper, const char *space, const char *name)
{
    struct dj_error ignored = {0};
    dj_journal_forget(keeper, space, name, &ignored);
}

void dj_held_note_capture(struct dj_journal *journal, struct dj_capture_plan *plan)
{
    plan->note = note;
    plan->forget = forget;
    plan->keeper = journal;
}
