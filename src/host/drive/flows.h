/*
 * Built-in flows: named lists of gestures with parameters that cause important
 * animations, such as scrolling a list. Pure. gesture_driver.h plays them.
 */
#ifndef DEJANK_DRIVE_FLOWS_H
#define DEJANK_DRIVE_FLOWS_H

#include "base/error.h"
#include "base/text.h"

enum { DJ_FLOW_PARAMETERS = 6 };

/* How a flow launches the app. */
enum dj_flow_launch {
    DJ_LAUNCH_NONE,
    DJ_LAUNCH_COLD, /* The process of the app is ended before the launch. */
    /* The activity is closed before the launch, but the process keeps running. */
    DJ_LAUNCH_WARM,
    DJ_LAUNCH_HOT /* The app is sent to the background before the launch. */
};

struct dj_flow_parameter {
    const char *name;
    const char *value; /* The default, or "" if the user must give a value. */
    const char *help;
};

struct dj_flow {
    const char *name;
    const char *summary;
    const char *stresses; /* The part of rendering that the flow stresses. */
    /* The gestures, with $NAME for parameters. "" if the flow only launches the app. */
    const char *gestures;
    enum dj_flow_launch launch;
    /* The parameters. If there are fewer than DJ_FLOW_PARAMETERS, the name NULL ends the
     * list. */
    struct dj_flow_parameter parameters[DJ_FLOW_PARAMETERS];
};

/* Returns the flow with this name, or NULL. `name` needs no NUL at its end. */
const struct dj_flow *dj_flows_find(const char *name, size_t length);

/*
 * Parses the name of a flow with parameters ("scroll-down times=5 list='id=feed'") and
 * appends its gestures to *gestures. Values may be quoted, with \" for a quotation mark
 * in them. Returns DJ_E_USAGE for an unknown or missing parameter. The message has the
 * column.
 */
int dj_flows_expand(const char *text, size_t length, const struct dj_flow **flow,
                    struct dj_text *gestures, struct dj_error *err);

/* Appends a table of all flows: their names, what they stress, and their parameters. */
void dj_drive_describe_flows(struct dj_text *text);

#endif
