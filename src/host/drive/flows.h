/*
 * Ready flows for the animations that matter: named lists of gestures with parameters.
 * Pure: what they do on a device is gesture_driver.h's.
 */
#ifndef DEJANK_DRIVE_FLOWS_H
#define DEJANK_DRIVE_FLOWS_H

#include "base/error.h"
#include "base/text.h"

enum { DJ_FLOW_PARAMETERS = 6 };

/* How a flow that launches the app does it. */
enum dj_flow_launch {
    DJ_LAUNCH_NONE,
    DJ_LAUNCH_COLD, /* its process is ended before */
    DJ_LAUNCH_WARM, /* its activity is closed before, its process stays */
    DJ_LAUNCH_HOT   /* it goes to the background before */
};

struct dj_flow_parameter {
    const char *name;
    const char *value; /* where nobody says another; "" : none, it must be said */
    const char *help;
};

struct dj_flow {
    const char *name;
    const char *summary;
    const char *stresses; /* what of the way to a frame it wears out */
    const char *gestures; /* with $NAME for parameters; "" where it only launches */
    enum dj_flow_launch launch;
    struct dj_flow_parameter parameters[DJ_FLOW_PARAMETERS]; /* ended by a NULL name */
};

/* The flow of that name (no NUL needed), or NULL. */
const struct dj_flow *dj_flow_named(const char *name, size_t length);

/*
 * A flow with its parameters, "scroll-down times=5 list='id=feed'", as gestures in
 * *gestures. Values may be quoted; in a quoted one \" is a quote. DJ_E_USAGE (with
 * column) for an unknown or missing parameter.
 */
int dj_flow_expand(const char *text, size_t length, const struct dj_flow **flow,
                   struct dj_text *gestures, struct dj_error *err);

/* A table of all flows for a person: names, what they stress, parameters. */
void dj_flow_describe(struct dj_text *text);

#endif
