/* The settings that `dejank record` passes to the recorder, in the environment of the
 * process that it starts. */
#ifndef DEJANK_RECORDER_SETTINGS_H
#define DEJANK_RECORDER_SETTINGS_H

#include "frame/dialect.h"
#include "frame/interval.h"
#include "segment/layout.h"

struct dj_settings {
    char name[DJ_SEGMENT_NAME];               /* "": not given */
    char program[DJ_SEGMENT_NAME];            /* base name of the running executable */
    char app_version[DJ_SEGMENT_APP_VERSION]; /* "": not given */
    int64_t root_pid;                         /* 0: not given */
    int64_t run_ns;                           /* 0: not given */
    const struct dj_dialect *dialect;         /* NULL: an unknown release was requested */
    int64_t interval_ns;
    bool interval_assumed;
    uint32_t keep;
    uint32_t sections_keep;  /* slots per ring of sections; 0: no sections */
    char trace_marker[4096]; /* second destination of sections: a path, or "1" for the
                              * usual place of tracefs; "": none */
    bool profile;
    enum dj_retention retention;
};

/* Reads the environment and /proc/self/exe. Uses the default for values out of range. */
void dj_settings_load(struct dj_settings *settings);

/* Writes the calling process's name: the given name for the process that it was given
 * to, NAME:PROGRAM for its children, the program's name if none was given. */
void dj_settings_format_process_name(const struct dj_settings *settings, char *name,
                                     size_t size);

#endif
