/* Builds a command line for `dejank record`. Other commands of dejank use it to start an
 * app under the recorder. */
#ifndef DEJANK_MEASURE_RECORD_COMMAND_H
#define DEJANK_MEASURE_RECORD_COMMAND_H

#include <stdbool.h>

struct dj_measure_record_command {
    const char *option; /* An additional option of `dejank record`, or NULL. */
    /* Name of the recording, or NULL to let `dejank record` choose one. */
    const char *name;
    bool temporary, profile;
    double refresh_hz; /* Refresh rate of the display, or 0 if unknown. */
    /* Program to record and its arguments, as an array that ends with NULL. */
    char *const *command;
};

/* Returns an argv that ends with NULL, or NULL if memory runs out. The caller calls
 * free() on the array. The strings of the array belong to `record`, which must outlive
 * the array. */
const char **dj_measure_record_command(const struct dj_measure_record_command *record);

#endif
