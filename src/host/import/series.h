/* Reads histories of other tools as series of points: a table with a header (CSV with
 * commas, semicolons or tabs), JSON, or JSON lines (docs/format/import.md, "Histories").
 * Either the whole text is read or nothing: a row without an expected value is an error
 * with its line. */
#ifndef DEJANK_IMPORT_SERIES_H
#define DEJANK_IMPORT_SERIES_H

#include "base/error.h"
#include "store/series.h"

enum {
    DJ_SERIES_MOST = 1000,      /* per file */
    DJ_SERIES_POINTS = 2000000, /* per file, in all series */
    DJ_SERIES_TEXT = 1000,      /* bytes of one name */
    DJ_SERIES_BYTES = 512 << 20 /* per file */
};

/* Defaults for what the text does not state; NULL: none. */
struct dj_series_defaults {
    const char *metric, *unit, *flow, *device, *release, *config;
    const char *version, *commit; /* of a point that has neither */
    enum dj_series_sense sense;
};

/* Reads a text of at most DJ_SERIES_BYTES. DJ_E_INVALID: it is no history, its units are
 * mixed, a number or a time is invalid (NaN and infinity are), or only some points of a
 * series have a time; DJ_E_NO_DATA: it has no values; DJ_E_LIMIT.
 * Finish *file in every case. */
int dj_import_read_series(const char *bytes, size_t length,
                          const struct dj_series_defaults *defaults,
                          struct dj_series_file *file, struct dj_error *err);

/* Reads a time: "2021-03-04", "2021-03-04T05:06:07.8+02:00", "2021-03-04 05:06" (UTC if
 * there is no zone), "20210304050607", or a number since 1970 in s, ms, µs or ns, by its
 * size. Returns false for anything else, and outside of the years 1970 … 2199. */
bool dj_import_parse_time(const char *text, int64_t *unix_ms);

/* Reads "less", "lower_is_better", "smaller"; "more", "up", …; "neutral". Returns false
 * for other words. */
bool dj_import_series_sense_find(const char *word, enum dj_series_sense *sense);

#endif
