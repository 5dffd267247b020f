/*
 * Figures of other tools over time → series of points: a table with a header (CSV, with
 * commas, semicolons or tabs), JSON, or JSON lines (docs/format/import.md, "Histories").
 * Either the whole text is understood or nothing of it is taken: a row that tells no
 * figure where it should is an error with its line.
 */
#ifndef DEJANK_IMPORT_SERIES_H
#define DEJANK_IMPORT_SERIES_H

#include "base/error.h"
#include "store/series.h"

enum {
    DJ_SERIES_MOST = 1000,      /* of one file */
    DJ_SERIES_POINTS = 2000000, /* of one file, all series together */
    DJ_SERIES_TEXT = 1000,      /* bytes of one name */
    DJ_SERIES_BYTES = 512 << 20 /* of one file */
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

/*
 * A moment: "2021-03-04", "2021-03-04T05:06:07.8+02:00", "2021-03-04 05:06" (UTC where no
 * zone stands), "20210304050607", or a number since 1970 in s, ms, µs or ns, by its size.
 * False: none of these, or outside the years 1970 … 2199.
 */
bool dj_series_time(const char *text, int64_t *unix_ms);

/* "less", "lower_is_better", "smaller"; "more", "up", …; "neutral". False: no such word.
 */
bool dj_series_sense_find(const char *word, enum dj_series_sense *sense);

#endif
