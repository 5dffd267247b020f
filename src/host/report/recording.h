/* The result of `dejank record`: a summary, and a report file. */
#ifndef DEJANK_REPORT_RECORDING_H
#define DEJANK_REPORT_RECORDING_H

#include <stdbool.h>

#include "base/messages.h"
#include "segment/directory.h"

/* A finished recording, and the options of its report. */
struct dj_recording {
    const struct dj_segment_directory *place;
    const char *program; /* The program as the user typed its name. */
    const char *path;    /* File of the program. */
    const char *name;    /* The name that `dumpsys` uses. */
    int64_t run_ns;      /* The run's number, which identifies the run in its segments. */
    /* The report to write, with the suffix of a drawn format, or NULL. */
    const char *report;
    /* Whether a summary with janky frames ends with a hint to `dejank trace capture`. */
    bool hints;
    const struct dj_messages *messages;
};

/*
 * Sends one message with frames, janky frames and the stage with the most time. If no
 * frame was recorded, the message says whether sections were, or contains the likely
 * cause and a remedy. Then writes the report, unless there are no frames, and removes old
 * recordings. Returns false if there is a report to write and it was not written.
 */
bool dj_report_recording(const struct dj_recording *recording);

/* Writes the report of a recording that has been summed up already. Only `place`,
 * `program`, `run_ns`, `report` and `messages` are used. Sends a message, and returns
 * false if the report could not be written or the recording has no frames. */
bool dj_report_write_recording(const struct dj_recording *recording);

#endif
