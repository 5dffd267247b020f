/* The command line of a `dejank record` that another command starts. */
#ifndef DEJANK_MEASURE_RECORD_COMMAND_H
#define DEJANK_MEASURE_RECORD_COMMAND_H

#include <stdbool.h>

struct dj_measure_record_command {
    const char *option; /* one more option, as on the command line; NULL: none */
    const char *name;   /* name of the recording; NULL: `dejank record` chooses one */
    bool temporary, profile;
    double refresh_hz;    /* 0: unknown */
    char *const *command; /* ends with NULL */
};

/* Returns argv, which ends with NULL, or NULL if memory runs out. The caller calls free()
 * on it. The strings belong to `record` and must outlive argv. */
const char **dj_measure_record_command(const struct dj_measure_record_command *record);

#endif
