#include "cli/run_drivers.h"

#include <stdio.h>
#include <string.h>

/* ---- a row for each kind ---- */

static const char *no_word(const struct dj_driver_words *words)
{
    return words->idle ? "" : NULL;
}

static const struct kind {
    const char *option;
    const char *(*word)(const struct dj_driver_words *words);
    int (*make)(const void *user, struct dj_device *device, struct dj_driver *driver,
                struct dj_error *err);
    void (*unmake)(struct dj_driver *driver);
    bool ends_window;
} kinds[] = {
    {"idle", no_word, NULL, NULL, false},
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
                                             .user = &choice->words};
    choice->ends_window = chosen->ends_window;
    return 0;
}
