/*
 * Built-in flows for important animations: named lists of gestures with parameters. Pure.
 * gesture_driver.h plays them.
 */
#ifndef DEJANK_DRIVE_FLOWS_H
#define DEJANK_DRIVE_FLOWS_H

#include "base/error.h"
#include "base/text.h"

enum { DJ_FLOW_PARAMETERS = 6 };

/* How a flow launches the app. */
enum dj_flow_launch {
    DJ_LAUNCH_NONE,
    DJ_LAUNCH_COLD, /* its process is ended first */
    DJ_LAUNCH_WARM, /* its activity is closed first, and its process remains */
    DJ_LAUNCH_HOT   /* it goes to the background first */
};

struct dj_flow_parameter {
    const char *name;
    const char *value; /* the default; "": none, a value is required */
    const char *help;
};

struct dj_flow {
    const char *name;
    const char *summary;
    const char *stresses; /* the part of rendering that it stresses */
    const char *gestures; /* with $NAME for parameters; "": it only launches the app */
    enum dj_flow_launch launch;
    struct dj_flow_parameter
        parameters[DJ_FLOW_PARAMETERS]; /* terminated by a NULL name */
};

/* Returns the flow with that name (without a NUL), or NULL. */
const struct dj_flow *dj_flows_find(const char *name, size_t length);

/*
 * Expands a flow with parameters ("scroll-down times=5 list='id=feed'") to gestures in
 * *gestures. Values may be quoted, with \" as a quote inside. DJ_E_USAGE: unknown or
 * missing parameter; the message has the column.
 */
int dj_flows_expand(const char *text, size_t length, const struct dj_flow **flow,
                    struct dj_text *gestures, struct dj_error *err);

/* Appends a table of all flows: names, what they stress, parameters. */
void dj_drive_describe_flows(struct dj_text *text);

#endif
