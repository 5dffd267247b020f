/* The options of `dejank import`, and its two ways. */
#ifndef DEJANK_CLI_IMPORT_OPTIONS_H
#define DEJANK_CLI_IMPORT_OPTIONS_H

#include <stdbool.h>

/* NULL: not given. With --history, `package` is the project and `device_name` the device;
 * they, and the figures' own, hold where a file does not say. */
struct dj_import_options {
    const char *label, *build, *commit, *device_name, *name, *package, *store;
    const char *metric, *unit, *better, *flow;
    bool json, again, history;
};

/* `dejank import --history`: figures of other tools over time, into the store. Each file
 * is taken whole or not at all, and told of. An exit code. */
int dj_import_history(int count, char **files, const struct dj_import_options *options);

#endif
