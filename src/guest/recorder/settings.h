/* What `dejank record` tells the recorder, through the environment of the process it
 * starts. */
#ifndef DEJANK_RECORDER_SETTINGS_H
#define DEJANK_RECORDER_SETTINGS_H

#include "frame/dialect.h"
#include "frame/interval.h"
#include "segment/layout.h"

struct dj_settings {
    char name[DJ_SEGMENT_NAME];               /* "": none given */
    char program[DJ_SEGMENT_NAME];            /* base name of the running executable */
    char app_version[DJ_SEGMENT_APP_VERSION]; /* "": none given */
    int64_t root_pid;                         /* 0: none given */
    int64_t run_ns;                           /* 0: none given */
    const struct dj_dialect *dialect;         /* NULL: an unknown release was asked for */
    int64_t interval_ns;
    bool interval_assumed;
    uint32_t keep;
    uint32_t sections_keep;  /* slots per ring of sections; 0: no sections */
    char trace_marker[4096]; /* where sections are written too: a path, or "1" for where
                                tracefs usually is; "": nowhere */
    bool profile;
    enum dj_retention retention;
};

/* Reads environment and /proc/self/exe. Values out of range fall back to the defaults. */
void dj_settings_load(struct dj_settings *settings);

/* The calling process's name: the name given for the process it was given to,
 * NAME:PROGRAM for its children, the program's where none was given. */
void dj_settings_process_name(const struct dj_settings *settings, char *name,
                              size_t size);

#endif
