/* The words of a `dejank record` that another command starts. */
#ifndef DEJANK_MEASURE_RECORD_COMMAND_H
#define DEJANK_MEASURE_RECORD_COMMAND_H

#include <stdbool.h>

struct dj_record_command {
    const char *option; /* another option, as it is written; NULL: none */
    const char *name;   /* of the recording; NULL: `dejank record` finds one */
    bool temporary, profile;
    double refresh_hz;    /* 0: unknown */
    char *const *command; /* NULL-ended */
};

/* NULL-ended; free() frees it. It points to words of `record`, which outlive it. NULL:
 * out of memory. */
const char **dj_record_command(const struct dj_record_command *record);

#endif
