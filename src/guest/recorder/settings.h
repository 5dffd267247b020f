/* What `dejank record` tells the recorder, through the environment of the process it
 * starts. */
#ifndef DEJANK_RECORDER_SETTINGS_H
#define DEJANK_RECORDER_SETTINGS_H

#include "frame/dialect.h"
#include "segment/layout.h"

/* The variables, written by `dejank record` and read here. All optional: without them the
 * defaults hold. */
#define DJ_ENV_NAME "DEJANK_NAME" /* process name for dumpsys; default: the program's */
#define DJ_ENV_ROOT_PID                                                                  \
    "DEJANK_ROOT_PID" /* the process that bears the name; others are NAME:PROGRAM */
#define DJ_ENV_RELEASE "DEJANK_RELEASE" /* dialect; default dj_dialect_default() */
#define DJ_ENV_INTERVAL_NS                                                               \
    "DEJANK_INTERVAL_NS"                /* frame interval; default 60 Hz, assumed */
#define DJ_ENV_KEEP "DEJANK_KEEP"       /* rows per window */
#define DJ_ENV_PROFILE "DEJANK_PROFILE" /* "1": the simple dump is on from the start */

enum { DJ_ASSUMED_INTERVAL_NS = 16666666 };

struct dj_settings {
    char name[DJ_SEGMENT_NAME];       /* "" : none given */
    char program[DJ_SEGMENT_NAME];    /* base name of the running executable */
    int64_t root_pid;                 /* 0: none given */
    const struct dj_dialect *dialect; /* NULL: an unknown release was asked for */
    int64_t interval_ns;
    bool interval_assumed;
    uint32_t keep;
    bool profile;
};

/* Reads environment and /proc/self/exe. Values out of range fall back to the defaults. */
void dj_settings_load(struct dj_settings *settings);

/* The calling process's name: the name given for the process it was given to,
 * NAME:PROGRAM for its children, the program's where none was given. */
void dj_settings_process_name(const struct dj_settings *settings, char *name,
                              size_t size);

#endif
