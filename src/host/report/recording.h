/* The result of `dejank record`: a summary, and a report file. */
#ifndef DEJANK_REPORT_RECORDING_H
#define DEJANK_REPORT_RECORDING_H

#include <stdbool.h>

#include "base/messages.h"
#include "segment/directory.h"

/* A finished recording, and what to report about it. */
struct dj_recording {
    const struct dj_segment_directory *place;
    const char *program; /* As the user typed it. */
    const char *path;    /* File of the program. */
    const char *name;    /* As dumpsys knows it. */
    int64_t run_ns;      /* Identifies the run in its segments. */
    /* The report to write, with the suffix of a drawn format, or NULL. */
    const char *report;
    const struct dj_messages *messages;
};

/*
 * Sends one message with frames, janky frames and the stage with the most time, or with
 * the likely cause and a remedy if nothing was recorded. Then writes the report and
 * prunes old recordings. Returns false if the report could not be written, after a
 * message.
 */
bool dj_report_recording(const struct dj_recording *recording);

#endif
