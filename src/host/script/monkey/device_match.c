#include "script/monkey/device_match.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "device/device_list.h"
#include "memory/memory.h"

enum { DEVICES_MAX = 256 };

/* Appends the pattern with \d and \D replaced. Java's patterns use \d for digits, and
 * serials contain many digits. */
static void translate_digits(struct dj_text *text, const char *pattern)
{
    for (const char *at = pattern; *at != '\0'; at++) {
        if (at[0] == '\\' && (at[1] == 'd' || at[1] == 'D')) {
            dj_text_add(text, at[1] == 'd' ? "[0-9]" : "[^0-9]");
            at++;
        } else if (at[0] == '\\' && at[1] != '\0') {
            dj_text_append(text, at, 2);
            at++;
        } else {
            dj_text_append(text, at, 1);
        }
    }
}

/* Compiles the pattern with the texts `before` and `after` around it. On success the
 * caller frees *regex. */
static int compile_pattern(const char *pattern, const char *before, const char *after,
                           regex_t *regex, struct dj_error *err)
{
    struct dj_text text = {0};
    dj_text_add(&text, before);
    translate_digits(&text, pattern);
    dj_text_add(&text, after);
    int refused = regcomp(regex, dj_xtext(&text), REG_EXTENDED | REG_NOSUB);
    dj_text_finish(&text);
    if (refused != 0) {
        char why[100];
        regerror(refused, regex, why, sizeof(why));
        return dj_error_set(err, DJ_E_USAGE, "'%s' is not a regular expression: %s",
                            pattern, why);
    }
    return 0;
}

/* Compiles the pattern without parentheses around it, because "(a)(b)" is valid although
 * "a)(b" is not. */
int dj_monkey_device_check_pattern(const char *pattern, struct dj_error *err)
{
    regex_t regex;
    int code = compile_pattern(pattern, "", "", &regex, err);
    if (code == 0) {
        regfree(&regex);
    }
    return code;
}

int dj_monkey_device_match(const char *pattern, const char *name, struct dj_error *err)
{
    regex_t regex;
    int code = dj_monkey_device_check_pattern(pattern, err);
    code = code == 0 ? compile_pattern(pattern, "^(", ")$", &regex, err) : code;
    if (code != 0) {
        return code;
    }
    code = regexec(&regex, name, 0, NULL, 0) == 0
               ? 0
               : dj_error_set(err, DJ_E_NOT_FOUND, "'%s' does not match '%s'", name,
                              pattern);
    regfree(&regex);
    return code;
}

/* Finds the serial of the first device that matches. `serial` is "" if there is none. */
static int find_serial(const char *pattern, char serial[128], struct dj_error *err)
{
    size_t count = 0;
    struct dj_device_entry *entries = dj_xcalloc(DEVICES_MAX, sizeof(*entries));
    int code = dj_device_list(entries, DEVICES_MAX, &count, err);
    serial[0] = '\0';
    for (size_t i = 0; i < count && code == 0; i++) {
        if (strcmp(entries[i].state, "device") != 0) {
            continue;
        }
        code = dj_monkey_device_match(pattern, entries[i].serial, err);
        if (code == 0) {
            snprintf(serial, 128, "%s", entries[i].serial);
            break;
        }
        code = code == DJ_E_NOT_FOUND ? 0 : code;
    }
    free(entries);
    return code;
}

/* Returns whether the name is neither an adb serial nor a pattern. */
static bool is_other_kind(const char *wanted)
{
    return strcmp(wanted, "local:") == 0 || strncmp(wanted, "replay:", 7) == 0;
}

/* Returns whether the name has the form HOST:PORT. adb may still have to connect to such
 * a device. */
static bool is_address(const char *wanted)
{
    const char *colon = strrchr(wanted, ':');
    return strpbrk(wanted, "\\*+?()[]{}|^$") == NULL && colon != NULL &&
           colon != wanted && colon[1] != '\0' &&
           strspn(colon + 1, "0123456789") == strlen(colon + 1);
}

int dj_monkey_device_open_match(const char *wanted, bool is_pattern,
                                struct dj_device **device, struct dj_error *err)
{
    char serial[128];
    if (wanted != NULL && (!is_pattern || is_other_kind(wanted))) {
        return dj_device_open(wanted, device, err);
    }
    int code = find_serial(wanted != NULL ? wanted : ".*", serial, err);
    if (code != 0) {
        return code;
    }
    if (serial[0] != '\0') {
        return dj_device_open(serial, device, err);
    }
    if (wanted != NULL && is_address(wanted)) {
        return dj_device_open(wanted, device, err);
    }
    return wanted != NULL
               ? dj_error_set(err, DJ_E_NOT_FOUND, "no device whose serial matches '%s'",
                              wanted)
               : dj_error_set(err, DJ_E_NOT_FOUND,
                              "adb lists no device (the name of this machine is local:)");
}
