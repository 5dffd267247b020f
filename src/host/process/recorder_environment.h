/* Sets the environment variables of a program that is started under the recorder. The
 * recorder reads them with segment/environment.h. */
#ifndef DEJANK_PROCESS_RECORDER_ENVIRONMENT_H
#define DEJANK_PROCESS_RECORDER_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "segment/layout.h"

/* A text is NULL if the recorder uses its default. */
struct dj_recorder_settings {
    const char *object; /* Path of the object to preload, or NULL to preload none. */
    const char *name;
    const char *release;     /* Release whose rules apply to the frames. */
    const char *app_version; /* Version code of the app: a whole number as text. */
    /* Number of section events to keep for each thread, or "off". */
    const char *sections;
    /* Absolute path to which section events are also written. Another text means the
     * trace_marker of tracefs. */
    const char *trace_marker;
    /* Refresh rate of the display, or 0 if the user did not set it. */
    double refresh_hz;
    int64_t keep;   /* Number of frames to keep for each window. */
    int64_t run_ns; /* Start of the recording, in ns of CLOCK_MONOTONIC. */
    enum dj_retention retention;
    bool profile; /* True if the simple per-stage dump is on from the start. */
};

/* Sets the variables in this process. Call this function only in a child process with one
 * thread, before it runs the program. */
void dj_process_set_recorder_environment(const struct dj_recorder_settings *settings);

#endif
