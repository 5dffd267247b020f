/* Restores the settings of devices that a killed dejank process left changed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device_list.h"
#include "measure/lease.h"
#include "measure/settings.h"

struct restoring {
    bool in_passing;
    bool listed; /* True if adb was already asked for its devices. */
    struct dj_device_entry *connected;
    size_t connected_count;
    /* Names of the devices that are not connected, for a message. */
    struct dj_text absent;
    const struct dj_settings_listener *listener;
    size_t done, left;
};

/* Returns true if the device is connected, so that opening it does not block. */
static bool is_connected(struct restoring *restoring, const char *name)
{
    if (strcmp(name, "local:") == 0 || strncmp(name, "replay:", 7) == 0) {
        return true;
    }
    if (!restoring->listed) {
        struct dj_error ignored = {0};
        restoring->listed = true;
        restoring->connected = calloc(DJ_DEVICES_MAX, sizeof(*restoring->connected));
        if (restoring->connected == NULL ||
            dj_device_list(restoring->connected, DJ_DEVICES_MAX,
                           &restoring->connected_count, &ignored) != 0) {
            restoring->connected_count = 0;
        }
    }
    for (size_t i = 0; i < restoring->connected_count; i++) {
        if (strcmp(restoring->connected[i].serial, name) == 0) {
            return strcmp(restoring->connected[i].state, "device") == 0;
        }
    }
    return false;
}

/* Renames the file "…/NAME" to "…/.damaged-NAME". dejank ignores names that start with a
 * dot. */
static void rename_damaged(const struct restoring *restoring, const char *path,
                           const struct dj_error *why)
{
    struct dj_text damaged = {0};
    const char *name = strrchr(path, '/') + 1;
    dj_text_format(&damaged, "%.*s.damaged-%s", (int)(name - path), path, name);
    if (restoring->in_passing) {
        dj_measure_settings_report(restoring->listener,
                                   "%s; `dejank doctor --restore` renames this file",
                                   why->message);
    } else if (!damaged.failed && rename(path, dj_text_get(&damaged)) == 0) {
        dj_measure_settings_report(restoring->listener,
                                   "%s; the settings in this file are not restored, and "
                                   "the file is now named %s",
                                   why->message, dj_text_get(&damaged));
    } else {
        dj_measure_settings_report(restoring->listener, "%s", why->message);
    }
    dj_text_finish(&damaged);
}

static int restore_device(struct dj_journal *journal, struct dj_error *err)
{
    struct dj_device *device = NULL;
    struct dj_lease lease;
    if (journal->selector == NULL) {
        return dj_measure_journal_clear(journal, err);
    }
    int code = dj_measure_lease_acquire(journal->selector, &lease, err);
    if (code == 0) {
        code = dj_device_open(journal->selector, &device, err);
    }
    if (code == 0) {
        code = dj_measure_settings_restore(device, journal, err);
        dj_device_close(device);
    }
    dj_measure_lease_release(&lease);
    return code;
}

static int restore_one(void *user, const char *path)
{
    struct restoring *restoring = user;
    struct dj_journal journal = {0};
    struct dj_error err = {0};
    int code = dj_measure_journal_read(path, &journal, &err);
    const char *name = journal.selector != NULL ? journal.selector : path;
    bool is_absent = code == 0 && restoring->in_passing && !is_connected(restoring, name);
    if (code == DJ_E_INVALID) {
        rename_damaged(restoring, path, &err);
    } else if (is_absent) {
        dj_text_add(&restoring->absent, restoring->absent.length > 0 ? ", " : "");
        dj_text_append_escaped_name(&restoring->absent, name);
    } else {
        code = code == 0 ? restore_device(&journal, &err) : code;
        dj_measure_settings_report(restoring->listener,
                                   code == 0
                                       ? "restored the settings of %s%s"
                                       : "the settings of %s are not restored yet: %s",
                                   name, code == 0 ? "" : err.message);
    }
    *(code == 0 && !is_absent ? &restoring->done : &restoring->left) += 1;
    dj_measure_journal_finish(&journal);
    return 0;
}

int dj_measure_settings_restore_all(bool in_passing,
                                    const struct dj_settings_listener *listener,
                                    size_t *done, size_t *left, struct dj_error *err)
{
    struct restoring restoring = {.in_passing = in_passing, .listener = listener};
    int code = dj_measure_journal_for_each(restore_one, &restoring, err);
    if (restoring.absent.length > 0) {
        dj_measure_settings_report(
            listener,
            "settings of devices that are not connected are not restored yet: %s "
            "(connect them, then run `dejank doctor --restore`)",
            dj_text_get(&restoring.absent));
    }
    dj_text_finish(&restoring.absent);
    free(restoring.connected);
    *done = restoring.done;
    *left = restoring.left;
    return code;
}
