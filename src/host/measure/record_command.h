/* Builds the command line of a `dejank record` that another command starts. */
#ifndef DEJANK_MEASURE_RECORD_COMMAND_H
#define DEJANK_MEASURE_RECORD_COMMAND_H

#include <stdbool.h>

struct dj_measure_record_command {
    const char *option; /* One more option, as on the command line, or NULL. */
    /* Name of the recording, or NULL to let `dejank record` choose one. */
    const char *name;
    bool temporary, profile;
    double refresh_hz;    /* 0 if unknown. */
    char *const *command; /* Program and arguments. Ends with NULL. */
};

/* Returns an argv that ends with NULL, or NULL if memory runs out. The caller calls
 * free() on the array. Its strings belong to `record`, which must outlive the array. */
const char **dj_measure_record_command(const struct dj_measure_record_command *record);

#endif
