/* Restores the settings that a killed dejank left changed, on any device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/adb_list.h"
#include "measure/lease.h"
#include "measure/settings.h"

struct restoring {
    bool in_passing;
    bool listed; /* adb was asked for its devices */
    struct dj_device_entry *here;
    size_t here_count;
    struct dj_text absent; /* their names */
    const struct dj_settings_talk *talk;
    size_t done, left;
};

/* Returns whether the device can be opened without waiting for it. */
static bool is_here(struct restoring *restoring, const char *name)
{
    if (strcmp(name, "local:") == 0 || strncmp(name, "replay:", 7) == 0) {
        return true;
    }
    if (!restoring->listed) {
        struct dj_error ignored = {0};
        restoring->listed = true;
        restoring->here = calloc(DJ_DEVICES_MAX, sizeof(*restoring->here));
        if (restoring->here == NULL ||
            dj_device_list(restoring->here, DJ_DEVICES_MAX, &restoring->here_count,
                           &ignored) != 0) {
            restoring->here_count = 0;
        }
    }
    for (size_t i = 0; i < restoring->here_count; i++) {
        if (strcmp(restoring->here[i].serial, name) == 0) {
            return strcmp(restoring->here[i].state, "device") == 0;
        }
    }
    return false;
}

/* Renames "…/NAME" to "…/.damaged-NAME", which dejank ignores. */
static void set_aside(const struct restoring *restoring, const char *path,
                      const struct dj_error *why)
{
    struct dj_text damaged = {0};
    const char *name = strrchr(path, '/') + 1;
    dj_text_format(&damaged, "%.*s.damaged-%s", (int)(name - path), path, name);
    if (restoring->in_passing) {
        dj_settings_say(restoring->talk, "%s; dejank doctor --restore sets it aside",
                        why->message);
    } else if (!damaged.failed && rename(path, dj_text_get(&damaged)) == 0) {
        dj_settings_say(restoring->talk,
                        "%s; what it noted is not put back: it is set aside as %s",
                        why->message, dj_text_get(&damaged));
    } else {
        dj_settings_say(restoring->talk, "%s", why->message);
    }
    dj_text_finish(&damaged);
}

static int restore_device(struct dj_journal *journal, struct dj_error *err)
{
    struct dj_device *device = NULL;
    struct dj_lease lease;
    if (journal->selector == NULL) {
        return dj_journal_clear(journal, err);
    }
    int code = dj_lease_take(journal->selector, &lease, err);
    if (code == 0) {
        code = dj_device_open(journal->selector, &device, err);
    }
    if (code == 0) {
        code = dj_settings_restore(device, journal, err);
        dj_device_close(device);
    }
    dj_lease_give_back(&lease);
    return code;
}

static int restore_one(void *user, const char *path)
{
    struct restoring *restoring = user;
    struct dj_journal journal = {0};
    struct dj_error err = {0};
    int code = dj_journal_read(path, &journal, &err);
    const char *name = journal.selector != NULL ? journal.selector : path;
    bool is_absent = code == 0 && restoring->in_passing && !is_here(restoring, name);
    if (code == DJ_E_INVALID) {
        set_aside(restoring, path, &err);
    } else if (is_absent) {
        dj_text_string(&restoring->absent, restoring->absent.length > 0 ? ", " : "");
        dj_text_escaped_name(&restoring->absent, name);
    } else {
        code = code == 0 ? restore_device(&journal, &err) : code;
        dj_settings_say(restoring->talk,
                        code == 0 ? "put the settings of %s back%s"
                                  : "the settings of %s are not put back yet: %s",
                        name, code == 0 ? "" : err.message);
    }
    *(code == 0 && !is_absent ? &restoring->done : &restoring->left) += 1;
    dj_journal_finish(&journal);
    return 0;
}

int dj_settings_restore_all(bool in_passing, const struct dj_settings_talk *talk,
                            size_t *done, size_t *left, struct dj_error *err)
{
    struct restoring restoring = {.in_passing = in_passing, .talk = talk};
    int code = dj_journal_each(restore_one, &restoring, err);
    if (restoring.absent.length > 0) {
        dj_settings_say(talk,
                        "settings are still to be put back on what is not there now: %s "
                        "(dejank doctor --restore)",
                        dj_text_get(&restoring.absent));
    }
    dj_text_finish(&restoring.absent);
    free(restoring.here);
    *done = restoring.done;
    *left = restoring.left;
    return code;
}
