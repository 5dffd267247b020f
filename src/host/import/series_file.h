/* Stores a file with figures over time that another tool has written. */
#ifndef DEJANK_IMPORT_SERIES_FILE_H
#define DEJANK_IMPORT_SERIES_FILE_H

#include "base/messages.h"
#include "import/series.h"
#include "store/timeline.h"

/* The contents of a file, and the part that was stored. Finish it in every case. */
struct dj_imported_series {
    const char *project; /* The name that the caller gave, or else `derived`. */
    char derived[256];
    struct dj_series_file file;
    struct dj_store_series_counts stored;
    /* The error, or code 0 if the whole file was stored. After an error, nothing was
     * stored. */
    struct dj_error error;
};

/*
 * Reads a file, or standard input for "-", and stores either all of its series or none.
 * `project` is the name of the project, or NULL to derive it from the name of the file.
 * Sends messages about rows that were skipped or reordered, and about an error. Returns
 * result->error.code.
 */
int dj_import_series_file(struct dj_store *history, const char *path, const char *project,
                          const struct dj_series_defaults *defaults,
                          const struct dj_messages *messages,
                          struct dj_imported_series *result);

void dj_import_series_finish(struct dj_imported_series *result);

#endif
