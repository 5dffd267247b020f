/* Imports a file of another tool's figures over time into the store. */
#ifndef DEJANK_IMPORT_SERIES_FILE_H
#define DEJANK_IMPORT_SERIES_FILE_H

#include "base/messages.h"
#include "import/series.h"
#include "store/timeline.h"

/* What a file contained, and what was stored. Finish it in every case. */
struct dj_imported_series {
    const char *project; /* `derived`, or as the caller gave it */
    char derived[256];
    struct dj_series_file file;
    struct dj_store_series_counts stored;
    struct dj_error error; /* code 0: all of the file is stored; else nothing of it */
};

/*
 * Reads a file, or "-" for the standard input, and stores all its series or none.
 * `project` NULL: the project is named after the file. Sends a message for each change of
 * the rows, and for an error. Returns result->error.code.
 */
int dj_import_series_file(struct dj_store *history, const char *path, const char *project,
                          const struct dj_series_defaults *defaults,
                          const struct dj_messages *messages,
                          struct dj_imported_series *result);

void dj_import_series_finish(struct dj_imported_series *result);

#endif
