/* Reads histories of other tools as series of points (docs/format/import.md,
 * "Histories"). A history is a table with a header (CSV with commas, semicolons or tabs),
 * JSON, or JSON lines. If a row has an unexpected value, the whole text is refused, with
 * an error that has the line. */
#ifndef DEJANK_IMPORT_SERIES_H
#define DEJANK_IMPORT_SERIES_H

#include "base/error.h"
#include "store/series.h"

enum {
    DJ_SERIES_MOST = 1000, /* Maximum number of series in a file. */
    /* Maximum number of points in a file, in all series together. */
    DJ_SERIES_POINTS = 2000000,
    DJ_SERIES_TEXT = 1000,      /* Maximum number of bytes of a name. */
    DJ_SERIES_BYTES = 512 << 20 /* Maximum size of a file. */
};

/* Default values for facts that the text does not contain. NULL means no default. */
struct dj_series_defaults {
    const char *metric, *unit, *flow, *device, *release, *config;
    /* Version and commit of points that have neither. */
    const char *version, *commit;
    enum dj_series_sense sense;
};

/* Reads a text of at most DJ_SERIES_BYTES. Returns DJ_E_INVALID if the text is no
 * history, a number or time is invalid, a series has different units, or only some points
 * of a series have a time. NaN and infinity are invalid numbers. Returns DJ_E_NO_DATA if
 * the text has no values, or DJ_E_LIMIT. The caller finishes *file in every case. */
int dj_import_read_series(const char *bytes, size_t length,
                          const struct dj_series_defaults *defaults,
                          struct dj_series_file *file, struct dj_error *err);

/* Parses a time, such as "2021-03-04", "2021-03-04T05:06:07.8+02:00", "2021-03-04 05:06"
 * (UTC if there is no zone), or "20210304050607". A plain number is the time since 1970.
 * The size of the number shows whether its unit is s, ms, µs or ns. Returns false for
 * other text, and for times outside of the years 1970 to 2199. */
bool dj_import_parse_time(const char *text, int64_t *unix_ms);

/* Parses which direction is better: "less", "lower_is_better", "smaller", "more", "up",
 * "neutral" and others. Returns false for unknown words. */
bool dj_import_series_sense_find(const char *word, enum dj_series_sense *sense);

#endif
