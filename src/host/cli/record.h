/* The parts of `dejank record`. */
#ifndef DEJANK_CLI_RECORD_H
#define DEJANK_CLI_RECORD_H

#include <stdbool.h>

#include "segment/directory.h"

/* ---- when the program has ended ---- */

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

/* ---- --tied: CMD lives no longer than who asked for it ---- */

/*
 * Runs this program again with `argv` (NULL-ended, argv[0] first) under a guardian, and
 * ends all of it when the standard input ends, or this process. What it said is written
 * to stdout at its end. Ends this process as that program ended, or returns an exit code.
 */
int dj_record_tied(char **argv);

/* ---- the environment of the program ---- */

/* Puts a word before or after those that the variable holds, with a colon between. */
void dj_environment_add(const char *variable, const char *word, bool in_front);

/* Puts our Vulkan layer before the layers that the environment names, and its manifest
 * among those the Vulkan loader reads; nothing where no manifest lies beside the object.
 */
void dj_vulkan_layer_show(const char *object);

#endif
