/* A plan with one flow, made from the options of `dejank run` or `dejank compare --run`
 * instead of a file. */
#ifndef DEJANK_PLAN_QUICK_PLAN_H
#define DEJANK_PLAN_QUICK_PLAN_H

#include "drive/instrument.h"
#include "plan/plan.h"

/* Value of a numeric option that the user has set to 0. 0 itself means that the option is
 * missing. */
enum { DJ_QUICK_ZERO = -1 };

/* Options of these verbs. Members that are 0 or NULL were not given. */
struct dj_quick_options {
    struct dj_batch_plan batch; /* The batch plan. builds[1].apk is the APK of build B. */
    struct dj_plan_flow flow;
    /* Device selectors. If there are none, the device is "local:". */
    const char *const *devices;
    const char *const *arguments; /* Arguments of the form "NAME=VALUE". */
    size_t device_count, argument_count;
    /* The argument of the driver. At most one of the three is given. */
    const char *gesture, *instrument, *script;
    /* The words of build B's command, ended by NULL. NULL if there is only build A. */
    char *const *second_command;
    int64_t max_load; /* Maximum load in percent. */
};

/* A plan and the memory to which it refers. Zero the struct before use. Call
 * dj_plan_quick_plan_finish() in every case. */
struct dj_quick_plan {
    struct dj_plan plan;
    struct dj_plan_flow flow;
    struct dj_plan_device *devices;
    /* Names and values of the arguments: name, value, …, NULL. */
    char *arguments[2 * DJ_INSTRUMENT_ARGUMENTS + 1];
};

/* Makes a plan. `command` has the words of the program to run, ended by NULL, or is NULL
 * for an app. The plan refers to the options and the command. Returns DJ_E_USAGE if an
 * option is invalid or contradicts another. */
int dj_plan_quick_plan_init(const struct dj_quick_options *run, char **command,
                            struct dj_quick_plan *made, struct dj_error *err);

void dj_plan_quick_plan_finish(struct dj_quick_plan *made);

#endif
