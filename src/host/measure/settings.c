#include "measure/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHELL_NS (20 * DJ_SECOND_NS)
#define SCREEN_OFF_MS 1800000

struct setting {
    const char *space, *name, *value;
};

static int shell(struct dj_device *device, const char *const *argv,
                 struct dj_shell_result *result, struct dj_error *err)
{
    return dj_device_shell(device, argv, SHELL_NS, result, err);
}

/* A command that must do what it is told; its refusal is DJ_E_UNSUPPORTED. */
static int order(struct dj_device *device, const char *const *argv, struct dj_error *err)
{
    struct dj_shell_result result = {0};
    int code = shell(device, argv, &result, err);
    if (code == 0 && result.exit_code != 0) {
        const char *says = dj_text_get(result.err.length > 0 ? &result.err : &result.out);
        code = dj_error_set(err, DJ_E_UNSUPPORTED, "`%s %s` failed: %.*s", argv[0],
                            argv[1], (int)strcspn(says, "\r\n"), says);
    }
    dj_shell_result_finish(&result);
    return code;
}

/* ---- one setting, by its space ---- */

static int get_setting(struct dj_device *device, const char *space, const char *name,
                       struct dj_shell_result *result, struct dj_error *err)
{
    const char *argv[] = {"settings", "get", space, name, NULL};
    return shell(device, argv, result, err);
}

static int put_setting(struct dj_device *device, const char *space, const char *name,
                       const char *value, struct dj_error *err)
{
    const char *put[] = {"settings", "put", space, name, value, NULL};
    const char *drop[] = {"settings", "delete", space, name, NULL};
    return order(device, value != NULL ? put : drop, err);
}

static int get_property(struct dj_device *device, const char *space, const char *name,
                        struct dj_shell_result *result, struct dj_error *err)
{
    const char *argv[] = {"getprop", name, NULL};
    (void)space;
    return shell(device, argv, result, err);
}

/* A property cannot be removed: empty is what one without a value reads as. */
static int put_property(struct dj_device *device, const char *space, const char *name,
                        const char *value, struct dj_error *err)
{
    const char *argv[] = {"setprop", name, value != NULL ? value : "", NULL};
    (void)space;
    return order(device, argv, err);
}

static int put_screen(struct dj_device *device, const char *space, const char *name,
                      const char *value, struct dj_error *err)
{
    const char *argv[] = {"input", "keyevent", "KEYCODE_SLEEP", NULL};
    (void)space;
    (void)name;
    return value != NULL && strcmp(value, "off") == 0 ? order(device, argv, err) : 0;
}

static int drop_file(struct dj_device *device, const char *space, const char *name,
                     const char *value, struct dj_error *err)
{
    const char *argv[] = {"rm", "-f", name, NULL};
    (void)space;
    (void)value;
    return order(device, argv, err);
}

/* A process that was left running, by a pattern of its command line. None is fine, and so
 * is a device without pkill: it has lost it at its last boot, or it ends by itself. */
static int end_process(struct dj_device *device, const char *space, const char *name,
                       const char *value, struct dj_error *err)
{
    const char *argv[] = {"sh", "-c", "pkill -KILL -f \"$0\"; true", name, NULL};
    (void)space;
    (void)value;
    return order(device, argv, err);
}

/* atrace prints what it recorded when it is stopped: the rings are cleared first. */
static int end_tracing(struct dj_device *device, const char *space, const char *name,
                       const char *value, struct dj_error *err)
{
    static const char script[] =
        "for d in /sys/kernel/tracing /sys/kernel/debug/tracing; do "
        "[ -w $d/trace ] && echo > $d/trace && break; done 2>/dev/null; "
        "atrace --async_stop >/dev/null 2>&1; true";
    const char *argv[] = {"sh", "-c", script, NULL};
    (void)space;
    (void)name;
    (void)value;
    return order(device, argv, err);
}

static const struct {
    const char *space;
    int (*get)(struct dj_device *device, const char *space, const char *name,
               struct dj_shell_result *result, struct dj_error *err);
    int (*put)(struct dj_device *device, const char *space, const char *name,
               const char *value, struct dj_error *err);
} spaces[] = {
    {"global", get_setting, put_setting}, {"system", get_setting, put_setting},
    {"secure", get_setting, put_setting}, {"property", get_property, put_property},
    {"screen", NULL, put_screen},         {"file", NULL, drop_file},
    {"process", NULL, end_process},       {"tracing", NULL, end_tracing},
};
enum { SPACES = COUNT_OF(spaces) };

static size_t find_space(const char *name)
{
    size_t i = 0;
    while (i < SPACES && strcmp(spaces[i].space, name) != 0) {
        i++;
    }
    return i;
}

/* ---- changing ---- */

static void say(const struct dj_settings_talk *talk, const char *sentence)
{
    if (talk != NULL && talk->say != NULL) {
        talk->say(talk->user, sentence);
    }
}

/* The value as text; "" and false where it has none. */
static int read_value(struct dj_device *device, const struct setting *setting,
                      char *value, size_t size, bool *has, struct dj_error *err)
{
    struct dj_shell_result result = {0};
    size_t space = find_space(setting->space);
    int code = spaces[space].get(device, setting->space, setting->name, &result, err);
    const char *text = dj_text_get(&result.out);
    snprintf(value, size, "%.*s", (int)strcspn(text, "\r\n"), text);
    *has = result.exit_code == 0 && value[0] != '\0' && strcmp(value, "null") != 0;
    dj_shell_result_finish(&result);
    return code;
}

/* "1" and "1.0" are the same. */
static bool same_value(const char *a, const char *b)
{
    char *end_a, *end_b;
    double number_a = strtod(a, &end_a), number_b = strtod(b, &end_b);
    bool numbers = end_a != a && *end_a == '\0' && end_b != b && *end_b == '\0';
    return numbers ? number_a == number_b : strcmp(a, b) == 0;
}

static int change(struct dj_device *device, const struct setting *setting,
                  struct dj_journal *journal, const struct dj_settings_talk *talk,
                  struct dj_error *err)
{
    char before[256], after[256], sentence[700];
    bool has;
    int code = read_value(device, setting, before, sizeof(before), &has, err);
    if (code != 0 || (has && same_value(before, setting->value))) {
        return code;
    }
    code =
        dj_journal_note(journal, setting->space, setting->name, has ? before : NULL, err);
    if (code == 0) {
        code = spaces[find_space(setting->space)].put(device, setting->space,
                                                      setting->name, setting->value, err);
    }
    bool taken = code == 0;
    if (code == 0) {
        code = read_value(device, setting, after, sizeof(after), &has, err);
        taken = has && same_value(after, setting->value);
    }
    code = code == DJ_E_UNSUPPORTED ? 0 : code;
    if (code == 0 && !taken) {
        snprintf(sentence, sizeof(sentence), "the device does not take %s %s = %s",
                 setting->space, setting->name, setting->value);
        say(talk, sentence);
    }
    return code;
}

int dj_settings_wake(struct dj_device *device, const struct dj_device_facts *facts,
                     bool *woken, struct dj_error *err)
{
    const char *wake_up[] = {"input", "keyevent", "KEYCODE_WAKEUP", NULL};
    const char *unlock[] = {"wm", "dismiss-keyguard", NULL};
    bool off = facts->screen_on == DJ_KNOWN_NO;
    int code = 0;
    *woken =
        strcmp(facts->platform, "android") == 0 && (off || facts->locked == DJ_KNOWN_YES);
    if (*woken && off) {
        code = order(device, wake_up, err);
    }
    if (code == 0 && *woken) {
        code = order(device, unlock, err);
    }
    return code == DJ_E_UNSUPPORTED ? 0 : code; /* the run's outcome will tell */
}

static int wake(struct dj_device *device, const struct dj_device_facts *facts,
                struct dj_journal *journal, struct dj_error *err)
{
    bool woken;
    int code = facts->screen_on == DJ_KNOWN_NO
                   ? dj_journal_note(journal, "screen", "power", "off", err)
                   : 0;
    return code == 0 ? dj_settings_wake(device, facts, &woken, err) : code;
}

/* It stays on while the window is open, plugged in or not. */
static int keep_on(struct dj_device *device, struct dj_journal *journal,
                   const struct dj_settings_talk *talk, struct dj_error *err)
{
    static const struct setting plugged = {"global", "stay_on_while_plugged_in", "7"};
    char text[32], before[64];
    bool has;
    snprintf(text, sizeof(text), "%d", SCREEN_OFF_MS);
    const struct setting timeout = {"system", "screen_off_timeout", text};
    int code = change(device, &plugged, journal, talk, err);
    if (code == 0) {
        code = read_value(device, &timeout, before, sizeof(before), &has, err);
    }
    return code == 0 && has && strtol(before, NULL, 10) < SCREEN_OFF_MS
               ? change(device, &timeout, journal, talk, err)
               : code;
}

static int scale_animations(struct dj_device *device, struct dj_journal *journal,
                            const struct dj_settings_talk *talk, struct dj_error *err)
{
    static const char *const names[] = {"window_animation_scale",
                                        "transition_animation_scale",
                                        "animator_duration_scale"};
    char before[64];
    bool has;
    int code = 0;
    for (size_t i = 0; code == 0 && i < 3; i++) {
        const struct setting scale = {"global", names[i], "1"};
        code = read_value(device, &scale, before, sizeof(before), &has, err);
        if (code == 0 && has) { /* without one it is 1 */
            code = change(device, &scale, journal, talk, err);
        }
    }
    return code;
}

static int hold_refresh(struct dj_device *device, double refresh_hz,
                        struct dj_journal *journal, const struct dj_settings_talk *talk,
                        struct dj_error *err)
{
    static const char *const names[] = {"peak_refresh_rate", "min_refresh_rate"};
    char rate[32];
    int code = 0;
    snprintf(rate, sizeof(rate), "%.6g", refresh_hz);
    for (size_t i = 0; code == 0 && i < 2; i++) {
        const struct setting setting = {"system", names[i], rate};
        code = change(device, &setting, journal, talk, err);
    }
    return code;
}

static int switch_profile(struct dj_device *device, const char *package,
                          struct dj_journal *journal, struct dj_error *err)
{
    static const struct setting profile = {"property", "debug.hwui.profile", "true"};
    struct dj_profile_switch done;
    char before[256];
    bool has;
    int code = read_value(device, &profile, before, sizeof(before), &has, err);
    if (code == 0) {
        code = dj_journal_note(journal, profile.space, profile.name, has ? before : NULL,
                               err);
    }
    return code == 0 ? dj_device_profile(device, package, true, &done, err) : code;
}

int dj_settings_prepare(struct dj_device *device, const struct dj_batch_plan *plan,
                        const struct dj_device_facts *facts, struct dj_journal *journal,
                        const struct dj_settings_talk *talk, struct dj_error *err)
{
    if (strcmp(facts->platform, "android") != 0) {
        return 0;
    }
    int code = wake(device, facts, journal, err);
    if (code == 0) {
        code = keep_on(device, journal, talk, err);
    }
    if (code == 0) {
        code = scale_animations(device, journal, talk, err);
    }
    if (code == 0 && plan->refresh_hz > 0) {
        code = hold_refresh(device, plan->refresh_hz, journal, talk, err);
    }
    if (code == 0 && plan->profile) {
        code = switch_profile(device, plan->package, journal, err);
    }
    return code;
}

int dj_settings_note_rotation(struct dj_device *device, struct dj_journal *journal,
                              struct dj_error *err)
{
    static const char *const names[] = {"accelerometer_rotation", "user_rotation"};
    char before[64];
    bool has;
    int code = 0;
    for (size_t i = 0; code == 0 && i < 2; i++) {
        const struct setting setting = {"system", names[i], ""};
        code = read_value(device, &setting, before, sizeof(before), &has, err);
        if (code == 0) {
            code = dj_journal_note(journal, "system", names[i], has ? before : NULL, err);
        }
    }
    return code;
}

/* ---- putting back ---- */

/* A device that refused to take a setting refuses to take it back, and has the old value
 * all along. */
static bool is_as_before(struct dj_device *device, size_t space,
                         const struct dj_journal_entry *entry)
{
    const struct setting setting = {entry->space, entry->name, NULL};
    char now[256];
    bool has;
    if (spaces[space].get == NULL ||
        read_value(device, &setting, now, sizeof(now), &has, NULL) != 0) {
        return false;
    }
    return entry->value != NULL ? has && same_value(now, entry->value) : !has;
}

static int put_back(struct dj_device *device, const struct dj_journal_entry *entry,
                    struct dj_error *err)
{
    size_t space = find_space(entry->space);
    if (space == SPACES) {
        return 0; /* of a later version: nobody here knows it */
    }
    int code = spaces[space].put(device, entry->space, entry->name, entry->value, err);
    return code == DJ_E_UNSUPPORTED && is_as_before(device, space, entry) ? 0 : code;
}

int dj_settings_restore(struct dj_device *device, struct dj_journal *journal,
                        struct dj_error *err)
{
    struct dj_error refused = {0};
    for (size_t i = journal->count; i > 0; i--) {
        int code = put_back(device, &journal->entries[i - 1], err);
        if (code == DJ_E_UNSUPPORTED) { /* the others are put back all the same */
            refused = *err;
        } else if (code != 0) {
            return code;
        }
    }
    if (refused.code != 0) {
        return dj_error_set(err, DJ_E_UNSUPPORTED, "%s", refused.message);
    }
    return journal->count > 0 ? dj_journal_clear(journal, err) : 0;
}
