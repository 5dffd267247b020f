/* `dejank import --history`: figures of other tools over time, into the store. */
#ifndef DEJANK_CLI_IMPORT_HISTORY_H
#define DEJANK_CLI_IMPORT_HISTORY_H

#include <stdbool.h>

/* What holds where a file does not say; NULL: nothing. */
struct dj_import_history {
    const char *store, *project; /* project NULL: the file's name without its ending */
    const char *metric, *unit, *better, *flow, *device;
    const char *version, *commit; /* of points that have neither */
    bool json;
};

/* Each file is taken whole or not at all, and told of. An exit code. */
int dj_import_history(int count, char **files, const struct dj_import_history *options);

#endif
