/* What a dejank that was killed left changed, on any device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/adb_list.h"
#include "measure/lease.h"
#include "measure/settings.h"

struct restoring {
    bool in_passing;
    bool listed; /* what adb has is known */
    struct dj_device_entry *here;
    size_t here_count;
    struct dj_text absent; /* names */
    const struct dj_settings_talk *talk;
    size_t done, left;
};

/* Whether opening the device would not have to wait for it. */
static bool is_here(struct restoring *restoring, const char *name)
{
    if (strcmp(name, "local:") == 0 || strncmp(name, "replay:", 7) == 0) {
        return true;
    }
    if (!restoring->listed) {
        restoring->listed = true;
        restoring->here = calloc(DJ_DEVICES_MAX, sizeof(*restoring->here));
        if (restoring->here == NULL ||
            dj_device_list(restoring->here, DJ_DEVICES_MAX, &restoring->here_count,
                           NULL) != 0) {
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

/* "…/NAME" → "…/.damaged-NAME", which no start looks at. */
static void set_aside(const struct restoring *restoring, const char *path,
                      const struct dj_error *why)
{
    struct dj_text aside = {0};
    struct dj_text sentence = {0};
    const char *name = strrchr(path, '/') + 1;
    dj_text_format(&aside, "%.*s.damaged-%s", (int)(name - path), path, name);
    dj_text_string(&sentence, why->message);
    if (restoring->in_passing) {
        dj_text_string(&sentence, "; dejank doctor --restore sets it aside");
    } else if (!aside.failed && rename(path, dj_text_get(&aside)) == 0) {
        dj_text_format(&sentence,
                       "; what it noted is not put back: it is set aside as %s",
                       dj_text_get(&aside));
    }
    dj_settings_say(restoring->talk, dj_text_get(&sentence));
    dj_text_finish(&sentence);
    dj_text_finish(&aside);
}

static int restore_device(struct dj_journal *journal, struct dj_error *err)
{
    struct dj_device *device;
    int code = dj_device_open(journal->selector, &device, err);
    if (code == 0) {
        code = dj_settings_restore(device, journal, err);
        dj_device_close(device);
    }
    return code;
}

static int restore_one(void *user, const char *path)
{
    struct restoring *restoring = user;
    struct dj_journal journal = {0};
    struct dj_error err = {0};
    struct dj_lease lease = {.fd = -1};
    char sentence[600];
    int code = dj_journal_read(path, &journal, &err);
    const char *name = journal.selector != NULL ? journal.selector : path;
    if (code == DJ_E_INVALID) {
        restoring->left++;
        set_aside(restoring, path, &err);
        dj_journal_finish(&journal);
        return 0;
    }
    if (code == 0 && restoring->in_passing && !is_here(restoring, name)) {
        restoring->left++;
        dj_text_string(&restoring->absent, restoring->absent.length > 0 ? ", " : "");
        dj_text_escaped_name(&restoring->absent, name);
        dj_journal_finish(&journal);
        return 0;
    }
    if (code == 0 && journal.selector != NULL) {
        code = dj_lease_take(journal.selector, &lease, &err);
    }
    if (code == 0) {
        code = journal.selector != NULL ? restore_device(&journal, &err)
                                        : dj_journal_clear(&journal, &err);
    }
    *(code == 0 ? &restoring->done : &restoring->left) += 1;
    snprintf(sentence, sizeof(sentence),
             code == 0 ? "put the settings of %s back%s"
                       : "the settings of %s are not put back yet: %s",
             name, code == 0 ? "" : err.message);
    dj_settings_say(restoring->talk, sentence);
    dj_lease_give_back(&lease);
    dj_journal_finish(&journal);
    return 0;
}

static void say_absent(const struct restoring *restoring)
{
    struct dj_text sentence = {0};
    if (restoring->absent.length > 0) {
        dj_text_format(&sentence,
                       "settings are still to be put back on what is not there now: %s "
                       "(dejank doctor --restore)",
                       dj_text_get(&restoring->absent));
        dj_settings_say(restoring->talk, dj_text_get(&sentence));
    }
    dj_text_finish(&sentence);
}

int dj_settings_restore_all(bool in_passing, const struct dj_settings_talk *talk,
                            size_t *done, size_t *left, struct dj_error *err)
{
    struct restoring restoring = {.in_passing = in_passing, .talk = talk};
    int code = dj_journal_each(restore_one, &restoring, err);
    say_absent(&restoring);
    dj_text_finish(&restoring.absent);
    free(restoring.here);
    *done = restoring.done;
    *left = restoring.left;
    return code;
}
