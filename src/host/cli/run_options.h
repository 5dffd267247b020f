/* What the options of `dejank run` say, without a plan's file: a plan, like one. */
#ifndef DEJANK_CLI_RUN_OPTIONS_H
#define DEJANK_CLI_RUN_OPTIONS_H

#include "cli/run_plan.h"

/* As the table of verb_run.c fills it; zero and NULL: not said. */
struct dj_run_options {
    struct dj_option_list devices, arguments;
    const char *package, *activity, *apk, *name;
    const char *version, *commit, *label;
    bool attach;
    const char *gesture, *instrument, *script; /* what drives the flow: one of them */
    const char *test;                          /* --class, of the instrumentation */
    int64_t duration_ns, runs, warmups, retries, seed, max_load;
    int64_t settle_ns, cool_down_ns;
    const char *ab_apk, *ab_command;
    const char *record;
    const char *trace; /* NULL: not given; "": all of the window */
    bool aggregate_only, profile;
    double refresh_hz;
    struct dj_plan_run play;
};

/* Makes a plan of them and plays it. What contradicts itself, or is not there, is said
 * on stderr before anything is begun. `command`: NULL-ended words behind "--", or NULL.
 * An exit code. */
int dj_run_options_play(const struct dj_run_options *run, char **command);

#endif
