/*
 * Figures of other tools over time → series of points: a table with a header (CSV, with
 * commas, semicolons or tabs), JSON, or JSON lines (docs/format/import.md, "Histories").
 * Either the whole text is understood or nothing of it is taken: a row that tells no
 * figure where it should is an error with its line.
 */
#ifndef DEJANK_INTAKE_SERIES_H
#define DEJANK_INTAKE_SERIES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "memory/strings.h"

enum {
    DJ_SERIES_MOST = 1000,        /* of one file */
    DJ_SERIES_POINTS = 2000000,   /* of one file, all series together */
    DJ_SERIES_TEXT = 1000,        /* bytes of one name */
    DJ_SERIES_BYTES = 512 << 20,  /* of one file */
    DJ_SERIES_NO_TIME = INT64_MIN /* at_unix_ms: the file does not say */
};

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
    struct dj_series_point *points; /* by time, or as they stood */
    size_t point_count;
    size_t unit_line;
};

/* Zero it. */
struct dj_series_file {
    struct dj_series *series;
    size_t count;
    size_t points;     /* of all series */
    size_t duplicates; /* the same in everything as another, and left out */
    size_t empty;      /* rows or points without a value, passed over */
    size_t backwards;  /* rows that stood above an earlier one */
    bool newest_first; /* all did: the file was turned round */
    size_t error_line; /* of the error that dj_series_read() returned; 0: the whole */

    /* The inside. */
    const struct dj_series_defaults *defaults; /* while the text is being read */
    struct dj_strings strings;
    size_t last;
};

/* What holds where the text does not say; NULL: nothing. */
struct dj_series_defaults {
    const char *metric, *unit, *flow, *device, *release, *config;
    const char *version, *commit; /* of a point that has neither */
    enum dj_series_sense sense;
};

/*
 * Reads a text of at most DJ_SERIES_BYTES. DJ_E_INVALID: it is no history, its units are
 * mixed, a number is none (NaN and infinity are none), a time is none, or some points of
 * a series have one and others do not; DJ_E_NO_DATA: there is no figure in it;
 * DJ_E_LIMIT.
 * Finish *file in every case.
 */
int dj_series_read(const char *bytes, size_t length,
                   const struct dj_series_defaults *defaults, struct dj_series_file *file,
                   struct dj_error *err);
void dj_series_finish(struct dj_series_file *file);

/*
 * A moment: "2021-03-04", "2021-03-04T05:06:07.8+02:00", "2021-03-04 05:06" (UTC where no
 * zone stands), "20210304050607", or a number since 1970 in s, ms, µs or ns, by its size.
 * False: none of these, or outside the years 1970 … 2199.
 */
bool dj_series_time(const char *text, int64_t *unix_ms);

/* "less", "lower_is_better", "smaller"; "more", "up", …; "neutral". False: no such word.
 */
bool dj_series_sense_find(const char *word, enum dj_series_sense *sense);
const char *dj_series_sense_name(enum dj_series_sense sense); /* "less" */

#endif
