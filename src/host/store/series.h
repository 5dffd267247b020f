/* Figures that other tools measured over time. A series has the points of one metric. The
 * readers of import/series.h fill a struct dj_series_file, and timeline.h writes
 * its series to a store. */
#ifndef DEJANK_STORE_SERIES_H
#define DEJANK_STORE_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memory/strings.h"

/* The value of at_unix_ms if the file has no times. */
enum { DJ_SERIES_NO_TIME = INT64_MIN };

/* The direction in which a figure improves. */
enum dj_series_sense {
    DJ_SERIES_UNKNOWN, /* The direction is unknown. */
    DJ_SERIES_LESS,    /* Smaller figures are better. */
    DJ_SERIES_MORE,    /* Larger figures are better. */
    DJ_SERIES_EITHER   /* Neither direction is better. */
};

/* A point of a series. struct dj_series_file owns all texts. Unknown texts are NULL. */
struct dj_series_point {
    int64_t at_unix_ms;
    int64_t ordinal; /* Position in a series without times, else 0. */
    const char *version, *commit;
    double value; /* Value of the point. Always finite. */
    /* Line of the text, or number of the point in JSON, counted from 1. */
    size_t line;
};

struct dj_series {
    const char *metric; /* Name of the measured quantity. */
    const char *unit;
    enum dj_series_sense sense;
    const char *project, *flow, *device, *release, *config;
    /* Sorted by time, or in the order of the file if there are no times. */
    struct dj_series_point *points;
    size_t point_count;
    size_t unit_line;
};

/* A file with series. Zero the struct before use. */
struct dj_series_file {
    struct dj_series *series;
    size_t count;
    size_t points; /* Number of points in all series. */
    /* Number of points that were dropped because another point is equal in every
     * member. */
    size_t duplicates;
    size_t empty;     /* Number of rows or points without a value. */
    size_t backwards; /* Number of rows with an earlier time than the row before. */
    /* True if all rows were sorted with the newest first. The reader has reversed
     * them. */
    bool newest_first;
    /* Line of the error that dj_import_read_series() returned, or 0 if the error concerns
     * the whole file. */
    size_t error_line;

    /* The following members are for the reader only. */
    /* Defaults for missing values. Valid only while the text is read. */
    const struct dj_series_defaults *defaults;
    struct dj_strings strings;
    size_t last;
};

void dj_store_series_finish(struct dj_series_file *file);

/* Returns the name in the store: "less", "more" or "neutral". DJ_SERIES_UNKNOWN is
 * "neutral", too. */
const char *dj_store_series_sense_name(enum dj_series_sense sense);

/* Returns the direction with this name. Returns DJ_SERIES_EITHER for any other name. */
enum dj_series_sense dj_store_series_sense_find(const char *name);

#endif
