/* The part of `dejank record` that records running X clients from outside. */
#ifndef DEJANK_CLI_RECORD_OUTSIDE_H
#define DEJANK_CLI_RECORD_OUTSIDE_H

#include <stdbool.h>
#include <stdint.h>

struct dj_record_outside {
    const char *window; /* Value of --window, or NULL. */
    int64_t pid;        /* Value of --pid, or 0. */
    int64_t for_ns;     /* Value of --for, or 0. */
    bool all;
};

/* The options of a recording that it shares with the recording of a command. */
struct dj_record_shared {
    const char *name, *release, *report; /* Values of these options, or NULL. */
    double refresh_hz;                   /* Value of --refresh, or 0. */
    int64_t keep;
};

/* Returns whether the options ask for a recording from outside. */
bool dj_record_is_outside(const struct dj_record_outside *outside);

/* Records until it is stopped, and returns the exit code. */
int dj_record_run_outside(const struct dj_record_outside *outside,
                          const struct dj_record_shared *shared);

#endif
