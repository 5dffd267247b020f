/* Which option of `dejank run` makes which driver. */
#ifndef DEJANK_CLI_RUN_DRIVERS_H
#define DEJANK_CLI_RUN_DRIVERS_H

#include "drive/gesture_driver.h"
#include "drive/instrument.h"
#include "measure/batch.h"
#include "script/script.h"

/* What a user may ask for; NULL: did not. At most one of the first three, or idle. */
struct dj_driver_words {
    const char *gesture, *instrument, *script;
    bool idle;
    const char *test;               /* --class, of an instrumentation */
    const char *const *arguments;   /* of it: name, value, …, NULL; NULL: none */
    const char *package, *activity; /* of the app, for flows that launch it */
};

/* A maker and what it points to. It stays where it is while it is used; its words
 * outlive it. */
struct dj_driver_choice {
    struct dj_driver_maker maker;
    struct dj_driver_words words;
    struct dj_instrument_request instrument;           /* of --instrument */
    const char *more[2 * DJ_INSTRUMENT_ARGUMENTS + 2]; /* maker.more */
    char name[64];    /* of the flow: "scroll-down", "idle" */
    bool ends_window; /* the run lasts as long as the driving */
};

/* Chooses, and looks whether what was asked for can be made at all. DJ_E_USAGE, also for
 * a gesture that cannot be read; DJ_E_UNSUPPORTED where the build lacks its library. */
int dj_driver_choose(const struct dj_driver_words *words, struct dj_driver_choice *choice,
                     struct dj_error *err);

/* "NAME=VALUE" each → name, value, …, NULL. Free them with dj_driver_arguments_free();
 * DJ_E_USAGE, DJ_E_NO_MEMORY. */
int dj_driver_arguments(const char *const *given, size_t count, char ***arguments,
                        struct dj_error *err);
void dj_driver_arguments_free(char **arguments);

#endif
