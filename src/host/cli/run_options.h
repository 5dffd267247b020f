/* What the options of `dejank run` say, without a plan's file: a plan, like one. */
#ifndef DEJANK_CLI_RUN_OPTIONS_H
#define DEJANK_CLI_RUN_OPTIONS_H

#include "cli/run_plan.h"

/* As the table of verb_run.c fills it; zero and NULL: not said. */
struct dj_run_options {
    struct dj_batch_plan batch; /* builds[1].apk: of B */
    struct dj_plan_flow flow;
    struct dj_option_list devices, arguments;
    const char *gesture, *instrument, *script; /* what drives the flow: one of them */
    const char *ab_command;
    const char *trace; /* NULL: not given; "": all of the window */
    int64_t max_load;
    struct dj_plan_run play;
};

/* Makes a plan of them and plays it. What contradicts itself, or is not there, is said
 * on stderr before anything is begun. `command`: NULL-ended words behind "--", or NULL.
 * An exit code. */
int dj_run_options_play(const struct dj_run_options *run, char **command);

#endif
