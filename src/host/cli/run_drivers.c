#include "cli/run_drivers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct dj_driver_choice *choice_of(const void *user)
{
    return user;
}

/* ---- gestures ---- */

static const char *gesture_word(const struct dj_driver_words *words)
{
    return words->gesture;
}

static int make_gesture(const void *user, struct dj_device *device,
                        struct dj_driver *driver, struct dj_error *err)
{
    const struct dj_driver_words *words = &choice_of(user)->words;
    (void)device;
    int code = dj_gesture_driver(words->gesture, strlen(words->gesture), driver, err);
    if (code == 0 &&
        !dj_gesture_driver_set_app(driver, words->package, words->activity)) {
        dj_gesture_driver_destroy(driver);
        code = dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
    }
    driver->starts_app = code == 0 && dj_gesture_driver_launches(driver);
    return code;
}

/* What cannot be read is said before a device is touched. */
static int check_gesture(struct dj_driver_choice *choice, struct dj_error *err)
{
    struct dj_driver driver = {.kind = "gesture"};
    int code = make_gesture(choice, NULL, &driver, err);
    if (code == 0) {
        choice->maker.rotates = dj_gesture_driver_rotates(&driver);
        dj_gesture_driver_destroy(&driver);
    }
    return code;
}

/* ---- instrumentation ---- */

static const char *instrument_word(const struct dj_driver_words *words)
{
    return words->instrument;
}

static int make_instrument(const void *user, struct dj_device *device,
                           struct dj_driver *driver, struct dj_error *err)
{
    return dj_instrument_make(&choice_of(user)->instrument, device, driver, err);
}

static int check_instrument(struct dj_driver_choice *choice, struct dj_error *err)
{
    (void)err;
    choice->instrument =
        (struct dj_instrument_request){.instrumentation = choice->words.instrument,
                                       .test = choice->words.test,
                                       .arguments = choice->words.arguments};
    size_t count = 0;
    if (choice->words.test != NULL) {
        choice->more[count++] = choice->words.test;
    }
    for (const char *const *word = choice->words.arguments;
         word != NULL && *word != NULL && count < 2 * DJ_INSTRUMENT_ARGUMENTS + 1;
         word++) {
        choice->more[count++] = *word;
    }
    choice->maker.more = choice->more;
    return 0;
}

int dj_driver_arguments(const char *const *given, size_t count, char ***arguments,
                        struct dj_error *err)
{
    if (count > DJ_INSTRUMENT_ARGUMENTS) {
        return dj_error_set(err, DJ_E_USAGE, "--argument: %d at most",
                            DJ_INSTRUMENT_ARGUMENTS);
    }
    char **words = calloc(2 * count + 1, sizeof(*words));
    for (size_t i = 0; i < count && words != NULL; i++) {
        const char *equals = strchr(given[i], '=');
        if (equals == NULL || equals == given[i]) {
            dj_driver_arguments_free(words);
            return dj_error_set(err, DJ_E_USAGE,
                                "--argument: expected NAME=VALUE, got '%.80s'", given[i]);
        }
        words[2 * i] = strndup(given[i], (size_t)(equals - given[i]));
        words[2 * i + 1] = strdup(equals + 1);
        if (words[2 * i] == NULL || words[2 * i + 1] == NULL) {
            free(words[2 * i]);
            free(words[2 * i + 1]);
            words[2 * i] = words[2 * i + 1] = NULL;
            dj_driver_arguments_free(words);
            words = NULL;
        }
    }
    *arguments = words;
    return words != NULL ? 0 : dj_error_set(err, DJ_E_NO_MEMORY, "out of memory");
}

void dj_driver_arguments_free(char **arguments)
{
    for (char **word = arguments; word != NULL && *word != NULL; word++) {
        free(*word);
    }
    free(arguments);
}

/* ---- scripts ---- */

static const char *script_word(const struct dj_driver_words *words)
{
    return words->script;
}

static int make_script(const void *user, struct dj_device *device,
                       struct dj_driver *driver, struct dj_error *err)
{
    const struct dj_script_options options = {.file = choice_of(user)->words.script,
                                              .device = device->name,
                                              .interrupt = device->interrupt};
    return dj_script_driver(&options, driver, err);
}

static int check_script(struct dj_driver_choice *choice, struct dj_error *err)
{
    const struct dj_script_options options = {.file = choice->words.script};
    struct dj_driver driver = {.kind = "script"};
    int code = dj_script_driver(&options, &driver, err);
    if (code == 0) {
        dj_script_driver_finish(&driver);
    }
    return code;
}

/* ---- a row for each kind ---- */

static const char *idle_word(const struct dj_driver_words *words)
{
    return words->idle ? "" : NULL;
}

static const struct kind {
    const char *option;
    const char *(*word)(const struct dj_driver_words *words);
    int (*check)(struct dj_driver_choice *choice, struct dj_error *err);
    int (*make)(const void *user, struct dj_device *device, struct dj_driver *driver,
                struct dj_error *err);
    void (*unmake)(struct dj_driver *driver);
    bool ends_window;
} kinds[] = {
    {"gesture", gesture_word, check_gesture, make_gesture, dj_gesture_driver_destroy,
     true},
    {"instrument", instrument_word, check_instrument, make_instrument,
     dj_instrument_unmake, true},
    {"script", script_word, check_script, make_script, dj_script_driver_finish, true},
    {"idle", idle_word, NULL, NULL, NULL, false},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* The first word of a gesture, the last part of a path or a package: short, and fit for a
 * name. */
static void name_flow(struct dj_driver_choice *choice, const char *kind, const char *word)
{
    const char *slash = strrchr(word, '/');
    const char *from = slash != NULL && slash[1] != '\0' ? slash + 1 : word;
    snprintf(choice->name, sizeof(choice->name), "%.*s",
             from[0] != '\0' ? (int)strcspn(from, " \t\n") : 63,
             from[0] != '\0' ? from : kind);
}

int dj_driver_choose(const struct dj_driver_words *words, struct dj_driver_choice *choice,
                     struct dj_error *err)
{
    const struct kind *chosen = NULL;
    *choice = (struct dj_driver_choice){.maker = dj_driver_idle, .words = *words};
    for (size_t i = 0; i < KINDS; i++) {
        if (kinds[i].word(words) != NULL && chosen != NULL) {
            return dj_error_set(err, DJ_E_USAGE, "--%s and --%s: a run is driven by one",
                                chosen->option, kinds[i].option);
        }
        chosen = kinds[i].word(words) != NULL ? &kinds[i] : chosen;
    }
    const char *word = chosen != NULL ? chosen->word(words) : "";
    name_flow(choice, chosen != NULL ? chosen->option : "idle", word);
    if (chosen == NULL || chosen->make == NULL) {
        return 0;
    }
    choice->maker = (struct dj_driver_maker){.kind = chosen->option,
                                             .arguments = word,
                                             .make = chosen->make,
                                             .unmake = chosen->unmake,
                                             .user = choice};
    choice->ends_window = chosen->ends_window;
    int code = chosen->check(choice, err);
    if (code != 0) {
        dj_error_prepend(err, "--%s", chosen->option);
    }
    return code;
}
