/* A plan of one flow, made of the options of `dejank run` instead of a plan's file. */
#ifndef DEJANK_PLAN_QUICK_PLAN_H
#define DEJANK_PLAN_QUICK_PLAN_H

#include "drive/instrument.h"
#include "plan/plan.h"

enum { DJ_QUICK_ZERO = -1 }; /* the value of a number that was given as 0 */

/* Zero and NULL: not given. */
struct dj_quick_options {
    struct dj_batch_plan batch; /* builds[1].apk: of B */
    struct dj_plan_flow flow;
    const char *const *devices;   /* selectors; none: local: */
    const char *const *arguments; /* "NAME=VALUE" each */
    size_t device_count, argument_count;
    const char *gesture, *instrument, *script; /* the driver: one of them */
    const char *ab_command;                    /* of B, quoted as for a shell */
    int64_t max_load;                          /* percent */
};

/* A plan, and the memory that it points to. Zero it; finish it in every case. */
struct dj_quick_plan {
    struct dj_plan plan;
    struct dj_plan_flow flow;
    struct dj_plan_device *devices;
    char **ab_command;
    char *arguments[2 * DJ_INSTRUMENT_ARGUMENTS + 1]; /* name, value, …, NULL */
};

/* `command`: NULL-ended words of the program to run, or NULL for an app. The plan points
 * into the options and the command. DJ_E_USAGE: options contradict each other, or one is
 * wrong. */
int dj_plan_quick_plan_init(const struct dj_quick_options *run, char **command,
                            struct dj_quick_plan *made, struct dj_error *err);

void dj_plan_quick_plan_finish(struct dj_quick_plan *made);

#endif
