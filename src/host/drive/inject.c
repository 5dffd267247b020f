#include "drive/inject.h"

void dj_inject_add_jitter(struct dj_jitter *jitter, int64_t late_ns)
{
    int64_t off_ns = late_ns < 0 ? -late_ns : late_ns;
    jitter->count++;
    jitter->total_ns += off_ns;
    jitter->worst_ns = off_ns > jitter->worst_ns ? off_ns : jitter->worst_ns;
}

int dj_drive_injector_touch(struct dj_injector *injector,
                            const struct dj_touch_plan *plan, struct dj_error *err)
{
    if (plan->fingers > injector->fingers) {
        return dj_error_set(err, DJ_E_UNSUPPORTED,
                            "%s supports one finger, and this gesture needs %d",
                            injector->name, plan->fingers);
    }
    return injector->ops->touch(injector, plan, err);
}

int dj_drive_injector_key(struct dj_injector *injector, const char *name,
                          struct dj_error *err)
{
    return injector->ops->key(injector, name, err);
}

int dj_drive_injector_key_part(struct dj_injector *injector, const char *name, bool down,
                               struct dj_error *err)
{
    return injector->ops->key_part != NULL
               ? injector->ops->key_part(injector, name, down, err)
               : dj_error_set(
                     err, DJ_E_UNSUPPORTED,
                     "%s can press and release a key only in one step, not separately",
                     injector->name);
}

int dj_drive_injector_text(struct dj_injector *injector, const char *text,
                           struct dj_error *err)
{
    const char *ascii_only = injector->ops->ascii_only;
    for (const char *at = text; ascii_only != NULL && *at != '\0'; at++) {
        if (*at < ' ' || *at > '~') {
            return dj_error_set(err, DJ_E_UNSUPPORTED,
                                "%s; byte %zu of the text is 0x%02x", ascii_only,
                                (size_t)(at - text) + 1, (unsigned)(unsigned char)*at);
        }
    }
    return injector->ops->text(injector, text, err);
}

void dj_drive_injector_close(struct dj_injector *injector)
{
    if (injector != NULL && injector->ops->close != NULL) {
        injector->ops->close(injector);
    } else {
        free(injector);
    }
}

static bool is_number(const char *name)
{
    return name[0] != '\0' && strspn(name, "0123456789") == strlen(name);
}

/* Treats a name that is a number as a key code, as Android's command `input keyevent`
 * does. So "4" is KEYCODE_BACK, and not the key for the digit 4. */
bool dj_inject_android_key(const char *name, char *keycode, size_t capacity)
{
    static const struct {
        const char *name, *code;
    } others[] = {
        {"page_up", "PAGE_UP"},    {"page_down", "PAGE_DOWN"}, {"up", "DPAD_UP"},
        {"down", "DPAD_DOWN"},     {"left", "DPAD_LEFT"},      {"right", "DPAD_RIGHT"},
        {"escape", "ESCAPE"},      {"backspace", "DEL"},       {"delete", "FORWARD_DEL"},
        {"recents", "APP_SWITCH"}, {"return", "ENTER"}};
    const char *code = name;
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        code = strcasecmp(others[i].name, name) == 0 ? others[i].code : code;
    }
    bool plain = is_number(name) || strncasecmp(name, "KEYCODE_", 8) == 0;
    int length = snprintf(keycode, capacity, "%s%s", plain ? "" : "KEYCODE_", code);
    if (length < 0 || (size_t)length >= capacity) {
        return false;
    }
    for (char *at = keycode; *at != '\0'; at++) {
        *at = *at >= 'a' && *at <= 'z' ? (char)(*at - 'a' + 'A') : *at;
    }
    return true;
}

/* Tries the injectors in order of preference. The note of the opened injector contains
 * the errors of those that failed. */
int dj_drive_injector_open_android(struct dj_device *device, int fingers,
                                   struct dj_injector **injector, struct dj_error *err)
{
    static const struct {
        int (*open)(struct dj_device *, struct dj_injector **, struct dj_error *);
        int fingers;
    } kinds[] = {{dj_inject_open_monkey, 1},
                 {dj_inject_open_uinput, 2},
                 {dj_inject_open_input, 1}};
    struct dj_text why = {0};
    int code = DJ_E_UNSUPPORTED;
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        struct dj_error reason = {0};
        if (kinds[i].fingers < fingers) {
            continue;
        }
        code = kinds[i].open(device, injector, &reason);
        if (code == 0) {
            break;
        }
        if (code == DJ_E_GONE || code == DJ_E_INTERRUPTED) {
            dj_error_set(err, code, "%s", reason.message);
            break;
        }
        dj_text_format(&why, "%s%s", why.length > 0 ? "; " : "", reason.message);
        dj_error_set(err, code, "%s", dj_text_get(&why));
    }
    if (code == 0 && why.length > 0) {
        struct dj_injector *made = *injector;
        size_t used = strlen(made->note);
        snprintf(made->note + used, sizeof(made->note) - used, " (%s)",
                 dj_text_get(&why));
    }
    dj_text_finish(&why);
    return code;
}
