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

enum { DJ_SERIES_NO_TIME = INT64_MIN /* at_unix_ms: the file does not say */ };

/* Which way a figure is better. */
enum dj_series_sense {
    DJ_SERIES_UNSAID,
    DJ_SERIES_LESS,
    DJ_SERIES_MORE,
    DJ_SERIES_EITHER
};

/* Texts are the file's; NULL: unknown. */
struct dj_series_point {
    int64_t at_unix_ms;
    int64_t ordinal; /* place among the series' points where it has no times; else 0 */
    const char *version, *commit;
    double value; /* finite */
    size_t line;  /* of the text; of JSON the point's number in it; from 1 */
};

struct dj_series {
    const char *metric; /* what is measured */
    const char *unit;
    enum dj_series_sense sense;
    const char *project, *flow, *device, *release, *config;
    struct dj_series_point *points; /* by time, or in the order of the file */
    size_t point_count;
    size_t unit_line;
};

/* Zero it. */
struct dj_series_file {
    struct dj_series *series;
    size_t count;
    size_t points;     /* of all series */
    size_t duplicates; /* the same in everything as another, and left out */
    size_t empty;      /* rows or points without a value */
    size_t backwards;  /* rows that are before an earlier one */
    bool newest_first; /* all did: the file was turned round */
    size_t error_line; /* of the error that dj_series_read() returned; 0: the whole */

    /* The inside. */
    const struct dj_series_defaults *defaults; /* while the text is being read */
    struct dj_strings strings;
    size_t last;
};

void dj_series_finish(struct dj_series_file *file);

/* The name in the store: "less", "more", "neutral" (also of DJ_SERIES_UNSAID). */
const char *dj_series_sense_name(enum dj_series_sense sense);

/* The sense with this name; DJ_SERIES_EITHER for any other name. */
enum dj_series_sense dj_series_sense_named(const char *name);

#endif
