#include "measure/settings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHELL_NS (20 * DJ_SECOND_NS)
#define SCREEN_OFF_MS 1800000

enum { COMMAND_WORDS = 6, VALUE_BYTES = 256 };

struct setting {
    const char *space, *name, *value; /* `value` is NULL if the setting has no value. */
};

/* Runs a command. Returns DJ_E_UNSUPPORTED if the command fails. */
static int run_command(struct dj_device *device, const char *const *argv,
                       struct dj_error *err)
{
    return dj_device_run_or_fail(device, argv, SHELL_NS, DJ_E_UNSUPPORTED, NULL, err);
}

/* These words in the commands below are replaced by the parts of a setting. */
static const char SPACE[] = "space", NAME[] = "name", VALUE[] = "value";

#define SETTINGS_COMMANDS                                                                \
    {"settings", "get", SPACE, NAME}, {"settings", "put", SPACE, NAME, VALUE},           \
    {                                                                                    \
        "settings", "delete", SPACE, NAME                                                \
    }

static const struct space {
    const char *name;
    /* Command that prints the value. Empty if there is no such command. */
    const char *get[COMMAND_WORDS];
    const char *put[COMMAND_WORDS]; /* Command that sets the value. */
    /* Command that removes the value. If it is empty, `put` restores settings without a
     * value. */
    const char *remove[COMMAND_WORDS];
    /* The only value that is ever set, or NULL if any value may be set. */
    const char *only;
} spaces[] = {
    {"global", SETTINGS_COMMANDS, NULL},
    {"system", SETTINGS_COMMANDS, NULL},
    {"secure", SETTINGS_COMMANDS, NULL},
    /* A property cannot be removed. It is set to "" instead, because a missing property
     * also reads as "". */
    {"property",
     {"getprop", NAME},
     {"setprop", NAME, VALUE},
     {"setprop", NAME, ""},
     NULL},
    {"screen", {NULL}, {"input", "keyevent", "KEYCODE_SLEEP"}, {NULL}, "off"},
    {"file", {NULL}, {"rm", "-f", NAME}, {NULL}, NULL},
    /* A process that an earlier dejank has left running. NAME is a pattern that matches
     * its command line. The command always succeeds, even if no process matches or the
     * device has no pkill. The process then ends by itself or at the next boot. */
    {"process", {NULL}, {"sh", "-c", "pkill -KILL -f \"$0\"; true", NAME}, {NULL}, NULL},
    /* The ring buffers are cleared first, because atrace would print their contents when
     * it stops. */
    {"tracing",
     {NULL},
     {"sh", "-c",
      "for d in /sys/kernel/tracing /sys/kernel/debug/tracing; do "
      "[ -w $d/trace ] && echo > $d/trace && break; done 2>/dev/null; "
      "atrace --async_stop >/dev/null 2>&1; true"},
     {NULL},
     NULL},
    /* timestats was off before, and SurfaceFlinger keeps no counters while it is off. So
     * clearing it loses no data of the user. */
    {"timestats",
     {NULL},
     {"dumpsys", NAME, "--timestats", "-disable", "-clear"},
     {NULL},
     NULL},
};

/* Returns the space (kind of setting) with this name, or NULL if this version of dejank
 * does not know it. */
static const struct space *find_space(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(spaces); i++) {
        if (strcmp(spaces[i].name, name) == 0) {
            return &spaces[i];
        }
    }
    return NULL;
}

static void fill_command(const char *const words[COMMAND_WORDS],
                         const struct setting *setting,
                         const char *argv[COMMAND_WORDS + 1])
{
    for (size_t i = 0; i < COMMAND_WORDS; i++) {
        argv[i] = words[i] == SPACE   ? setting->space
                  : words[i] == NAME  ? setting->name
                  : words[i] == VALUE ? setting->value
                                      : words[i];
    }
    argv[COMMAND_WORDS] = NULL;
}

/* Reads the value of a setting as text. If the setting has no value, sets *has to false
 * and `value` to "". */
static int read_value(struct dj_device *device, const struct setting *setting,
                      char value[VALUE_BYTES], bool *has, struct dj_error *err)
{
    const char *argv[COMMAND_WORDS + 1];
    struct dj_device_result result = {0};
    fill_command(find_space(setting->space)->get, setting, argv);
    int code = dj_device_run(device, argv, SHELL_NS, &result, err);
    const char *text = dj_text_get(&result.out);
    snprintf(value, VALUE_BYTES, "%.*s", (int)strcspn(text, "\r\n"), text);
    *has = result.exit_code == 0 && value[0] != '\0' && strcmp(value, "null") != 0;
    dj_device_result_finish(&result);
    return code;
}

static int write_value(struct dj_device *device, const struct setting *setting,
                       struct dj_error *err)
{
    const char *argv[COMMAND_WORDS + 1];
    const struct space *space = find_space(setting->space);
    bool removes = setting->value == NULL && space->remove[0] != NULL;
    if (space->only != NULL &&
        (setting->value == NULL || strcmp(setting->value, space->only) != 0)) {
        return 0;
    }
    fill_command(removes ? space->remove : space->put, setting, argv);
    return run_command(device, argv, err);
}

/* The device whose settings are applied. */
struct target {
    struct dj_device *device;
    struct dj_journal *journal;
    const struct dj_settings_listener *listener;
};

void dj_measure_settings_report(const struct dj_settings_listener *listener,
                                const char *format, ...)
{
    char *sentence;
    va_list arguments;
    if (listener == NULL || listener->report == NULL) {
        return;
    }
    va_start(arguments, format);
    if (vasprintf(&sentence, format, arguments) >= 0) {
        listener->report(listener->user, sentence);
        free(sentence);
    }
    va_end(arguments);
}

/* Adds the current value of a setting to the journal. */
static int note_value(struct dj_device *device, struct dj_journal *journal,
                      const struct setting *setting, struct dj_error *err)
{
    char before[VALUE_BYTES];
    bool has;
    int code = read_value(device, setting, before, &has, err);
    return code == 0 ? dj_measure_journal_note(journal, setting->space, setting->name,
                                               has ? before : NULL, err)
                     : code;
}

/* Compares two values. Numbers are compared as numbers, so "1" equals "1.0". */
static bool is_same_value(const char *a, const char *b)
{
    char *end_a, *end_b;
    double number_a = strtod(a, &end_a), number_b = strtod(b, &end_b);
    bool numbers = end_a != a && *end_a == '\0' && end_b != b && *end_b == '\0';
    return numbers ? number_a == number_b : strcmp(a, b) == 0;
}

static int change_value(const struct target *target, const struct setting *setting,
                        struct dj_error *err)
{
    char before[VALUE_BYTES], after[VALUE_BYTES];
    bool has;
    int code = read_value(target->device, setting, before, &has, err);
    if (code != 0 || (has && is_same_value(before, setting->value))) {
        return code;
    }
    code = dj_measure_journal_note(target->journal, setting->space, setting->name,
                                   has ? before : NULL, err);
    if (code == 0) {
        code = write_value(target->device, setting, err);
    }
    bool accepted = code == 0;
    if (code == 0) {
        code = read_value(target->device, setting, after, &has, err);
        accepted = has && is_same_value(after, setting->value);
    }
    code = code == DJ_E_UNSUPPORTED ? 0 : code;
    if (code == 0 && !accepted) {
        dj_measure_settings_report(target->listener,
                                   "the device does not accept %s %s = %s",
                                   setting->space, setting->name, setting->value);
    }
    return code;
}

int dj_measure_settings_wake_screen(struct dj_device *device,
                                    const struct dj_device_facts *facts, bool *woken,
                                    struct dj_error *err)
{
    const char *wake_up[] = {"input", "keyevent", "KEYCODE_WAKEUP", NULL};
    const char *unlock[] = {"wm", "dismiss-keyguard", NULL};
    bool off = facts->screen_on == DJ_KNOWN_NO;
    int code = 0;
    *woken =
        strcmp(facts->platform, "android") == 0 && (off || facts->locked == DJ_KNOWN_YES);
    if (*woken && off) {
        code = run_command(device, wake_up, err);
    }
    if (code == 0 && *woken) {
        code = run_command(device, unlock, err);
    }
    /* If the device refused the command, this is not an error here, because the outcome
     * of the run shows the consequence. */
    return code == DJ_E_UNSUPPORTED ? 0 : code;
}

static int wake_and_note(struct dj_device *device, const struct dj_device_facts *facts,
                         struct dj_journal *journal, struct dj_error *err)
{
    bool woken;
    int code = facts->screen_on == DJ_KNOWN_NO
                   ? dj_measure_journal_note(journal, "screen", "power", "off", err)
                   : 0;
    return code == 0 ? dj_measure_settings_wake_screen(device, facts, &woken, err) : code;
}

/* Keeps the screen on, both while the device is plugged in and while it is not. */
static int keep_screen_on(const struct target *target, struct dj_error *err)
{
    static const struct setting plugged = {"global", "stay_on_while_plugged_in", "7"};
    char text[32], before[VALUE_BYTES];
    bool has;
    snprintf(text, sizeof(text), "%d", SCREEN_OFF_MS);
    const struct setting timeout = {"system", "screen_off_timeout", text};
    int code = change_value(target, &plugged, err);
    if (code == 0) {
        code = read_value(target->device, &timeout, before, &has, err);
    }
    return code == 0 && has && strtol(before, NULL, 10) < SCREEN_OFF_MS
               ? change_value(target, &timeout, err)
               : code;
}

static int scale_animations(const struct target *target, struct dj_error *err)
{
    static const struct setting scales[] = {{"global", "window_animation_scale", "1"},
                                            {"global", "transition_animation_scale", "1"},
                                            {"global", "animator_duration_scale", "1"}};
    char before[VALUE_BYTES];
    bool has;
    int code = 0;
    for (size_t i = 0; code == 0 && i < COUNT_OF(scales); i++) {
        code = read_value(target->device, &scales[i], before, &has, err);
        /* A scale without a value means 1, so it need not be changed. */
        if (code == 0 && has) {
            code = change_value(target, &scales[i], err);
        }
    }
    return code;
}

static int set_refresh_rate(const struct target *target, double refresh_hz,
                            struct dj_error *err)
{
    char rate[32];
    snprintf(rate, sizeof(rate), "%.6g", refresh_hz);
    int code =
        change_value(target, &(struct setting){"system", "peak_refresh_rate", rate}, err);
    return code == 0
               ? change_value(target,
                              &(struct setting){"system", "min_refresh_rate", rate}, err)
               : code;
}

static int switch_profile(const struct target *target, const char *package,
                          struct dj_error *err)
{
    static const struct setting profile = {"property", "debug.hwui.profile", "true"};
    struct dj_profile_switch done;
    int code = note_value(target->device, target->journal, &profile, err);
    return code == 0 ? dj_device_set_profile(target->device, package, true, &done, err)
                     : code;
}

int dj_measure_settings_apply(struct dj_device *device, const struct dj_batch_plan *plan,
                              const struct dj_device_facts *facts,
                              struct dj_journal *journal,
                              const struct dj_settings_listener *listener,
                              struct dj_error *err)
{
    const struct target target = {device, journal, listener};
    if (strcmp(facts->platform, "android") != 0) {
        return 0;
    }
    int code = wake_and_note(device, facts, journal, err);
    code = code == 0 ? keep_screen_on(&target, err) : code;
    code = code == 0 ? scale_animations(&target, err) : code;
    if (code == 0 && plan->refresh_hz > 0) {
        code = set_refresh_rate(&target, plan->refresh_hz, err);
    }
    if (code == 0 && plan->profile) {
        code = switch_profile(&target, plan->package, err);
    }
    return code;
}

int dj_measure_settings_note_rotation(struct dj_device *device,
                                      struct dj_journal *journal, struct dj_error *err)
{
    static const struct setting turning = {"system", "accelerometer_rotation", NULL};
    static const struct setting turned = {"system", "user_rotation", NULL};
    int code = note_value(device, journal, &turning, err);
    return code == 0 ? note_value(device, journal, &turned, err) : code;
}

/* Returns true if the setting already has its original value. Some devices refuse every
 * change of a setting. Such a setting never changed, so it need not be restored. */
static bool is_as_before(struct dj_device *device, const struct setting *setting)
{
    char now[VALUE_BYTES];
    bool has;
    if (find_space(setting->space)->get[0] == NULL ||
        read_value(device, setting, now, &has, NULL) != 0) {
        return false;
    }
    return setting->value != NULL ? has && is_same_value(now, setting->value) : !has;
}

static int restore_value(struct dj_device *device, const struct dj_journal_entry *entry,
                         struct dj_error *err)
{
    const struct setting setting = {entry->space, entry->name, entry->value};
    if (find_space(entry->space) == NULL) {
        /* A later version of dejank wrote this entry, so this version cannot restore it.
         */
        return 0;
    }
    int code = write_value(device, &setting, err);
    return code == DJ_E_UNSUPPORTED && is_as_before(device, &setting) ? 0 : code;
}

int dj_measure_settings_restore(struct dj_device *device, struct dj_journal *journal,
                                struct dj_error *err)
{
    struct dj_error refused = {0};
    for (size_t i = journal->count; i > 0; i--) {
        int code = restore_value(device, &journal->entries[i - 1], err);
        /* If the device refuses a setting, the other settings are still restored. */
        if (code == DJ_E_UNSUPPORTED) {
            refused = *err;
        } else if (code != 0) {
            return code;
        }
    }
    if (refused.code != 0) {
        return dj_error_set(err, DJ_E_UNSUPPORTED, "%s", refused.message);
    }
    return journal->count > 0 ? dj_measure_journal_clear(journal, err) : 0;
}
