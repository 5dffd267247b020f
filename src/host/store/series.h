/*
 * Figures of other tools over time, as the store keeps them: series of points. The
 * readers of import/series_reader.h fill a struct dj_series_file.
 */
#ifndef DEJANK_STORE_SERIES_H
#define DEJANK_STORE_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memory/strings.h"

enum { DJ_SERIES_NO_TIME = INT64_MIN /* at_unix_ms: the file has no time */ };

/* The direction in which a figure improves. */
enum dj_series_sense {
    DJ_SERIES_UNKNOWN,
    DJ_SERIES_LESS,
    DJ_SERIES_MORE,
    DJ_SERIES_EITHER
};

/* The file owns all texts. NULL: unknown. */
struct dj_series_point {
    int64_t at_unix_ms;
    int64_t ordinal; /* position in a series without times; else 0 */
    const char *version, *commit;
    double value; /* finite */
    size_t line;  /* line of the text, or number of the JSON point; from 1 */
};

struct dj_series {
    const char *metric; /* the measured quantity */
    const char *unit;
    enum dj_series_sense sense;
    const char *project, *flow, *device, *release, *config;
    struct dj_series_point *points; /* by time, or in the order of the file */
    size_t point_count;
    size_t unit_line;
};

/* Initialise it with zeros. */
struct dj_series_file {
    struct dj_series *series;
    size_t count;
    size_t points;     /* of all series */
    size_t duplicates; /* points equal to another in every field; dropped */
    size_t empty;      /* rows or points without a value */
    size_t backwards;  /* rows with an earlier time than the row before */
    bool newest_first; /* all rows were in falling order; the reader reversed the file */
    size_t error_line; /* line of the error that dj_import_read_series() returned; 0: the
                          whole file */

    /* Used by the reader only. */
    const struct dj_series_defaults *defaults; /* valid while the text is being read */
    struct dj_strings strings;
    size_t last;
};

void dj_store_series_finish(struct dj_series_file *file);

/* Returns the name in the store: "less", "more" or "neutral" (also for
 * DJ_SERIES_UNKNOWN). */
const char *dj_store_series_sense_name(enum dj_series_sense sense);

/* Returns the sense with this name, or DJ_SERIES_EITHER for any other name. */
enum dj_series_sense dj_store_series_sense_find(const char *name);

#endif
