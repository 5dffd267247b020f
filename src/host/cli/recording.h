/* What `dejank record` has to say and show when the program has ended: read from the
 * segments of its run. */
#ifndef DEJANK_CLI_RECORDING_H
#define DEJANK_CLI_RECORDING_H

#include "segment/directory.h"

/* Which run, and what to make of it. */
struct dj_recording {
    const struct dj_segment_place *place;
    const char *program; /* as it was typed */
    const char *name;    /* as dumpsys knows it */
    int64_t run_ns;      /* stands in its segments */
    const char *report;  /* file to write, of a suffix that is drawn; NULL: none */
};

/*
 * Prints one line on stderr: frames, janky ones, and the stage that took most; or why
 * nothing, or not all, was recorded. Then writes the report. False where the report could
 * not be written, which was told.
 */
bool dj_recording_conclude(const struct dj_recording *recording);

#endif
