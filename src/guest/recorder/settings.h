/* The settings that `dejank record` passes to the recorder, as environment variables
 * of the process that it starts. */
#ifndef DEJANK_RECORDER_SETTINGS_H
#define DEJANK_RECORDER_SETTINGS_H

#include "frame/dialect.h"
#include "frame/interval.h"
#include "segment/layout.h"

struct dj_settings {
    char name[DJ_SEGMENT_NAME];               /* Name given by the user, or "" if none
                                               * was given. */
    char program[DJ_SEGMENT_NAME];            /* Base name of the running executable. */
    char app_version[DJ_SEGMENT_APP_VERSION]; /* Version given by the user, or "" if
                                               * none was given. */
    int64_t root_pid;                         /* Process id of the started program, or
                                               * 0 if unknown. */
    int64_t run_ns;                           /* Start time of the run, which
                                               * identifies the run, or 0 if unknown. */
    const struct dj_dialect *dialect;         /* Release of Android to imitate, or NULL
                                               * if an unknown release was requested. */
    int64_t interval_ns;
    bool interval_assumed;
    uint32_t keep;
    uint32_t sections_keep; /* Number of slots of each ring of sections, or 0 if
                             * sections are not requested. */
    /* Second destination of section events: a path, or "1" for trace_marker at the
     * usual mount point of tracefs. "" if there is none. */
    char trace_marker[4096];
    bool profile;
    enum dj_retention retention;
};

/* Reads the environment and /proc/self/exe. Uses the default for each value that is
 * missing or out of range. */
void dj_settings_load(struct dj_settings *settings);

/* Writes the name of the calling process. The name is the name that the user gave, or
 * NAME:PROGRAM in a child of the started program, or the program's name if the user
 * gave no name. */
void dj_settings_format_process_name(const struct dj_settings *settings, char *name,
                                     size_t size);

#endif
