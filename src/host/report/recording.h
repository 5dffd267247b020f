/* The result of `dejank record`: a summary, and a report file. */
#ifndef DEJANK_REPORT_RECORDING_H
#define DEJANK_REPORT_RECORDING_H

#include <stdbool.h>

#include "base/messages.h"
#include "segment/directory.h"

/* A finished recording, and what to report about it. */
struct dj_recording {
    const struct dj_segment_directory *place;
    const char *program; /* as the user typed it */
    const char *path;    /* of the program's file */
    const char *name;    /* as dumpsys knows it */
    int64_t run_ns;      /* identifies the run in its segments */
    const char *report; /* file to write, with the suffix of a drawn format; NULL: none */
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
