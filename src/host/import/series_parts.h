/* What the readers of histories fill. Private to the series*.c files. */
#ifndef DEJANK_IMPORT_SERIES_PARTS_H
#define DEJANK_IMPORT_SERIES_PARTS_H

#include "import/series.h"

/* What a column or key means, whatever its case; columns that mean nothing known may be
 * metrics themselves. The names come first. */
enum dj_series_key {
    DJ_SERIES_KEY_METRIC,
    DJ_SERIES_KEY_UNIT,
    DJ_SERIES_KEY_FLOW,
    DJ_SERIES_KEY_DEVICE,
    DJ_SERIES_KEY_RELEASE,
    DJ_SERIES_KEY_CONFIG,
    DJ_SERIES_KEY_VERSION,
    DJ_SERIES_KEY_COMMIT,
    DJ_SERIES_NAMES,
    DJ_SERIES_KEY_TIME = DJ_SERIES_NAMES,
    DJ_SERIES_KEY_SENSE,
    DJ_SERIES_KEY_VALUE,
    DJ_SERIES_KEY_IGNORED,
    DJ_SERIES_KEYS
};

/* One figure as a reader found it. Texts need not live on; NULL or "": not said. Only
 * those of names and of the time are used. */
struct dj_series_row {
    const char *text[DJ_SERIES_KEYS];
    enum dj_series_sense sense;
    double value;
    size_t line;
};

/* Adds it to its series, which is made where it is not there yet. */
int dj_series_add(struct dj_series_file *file, const struct dj_series_row *row,
                  struct dj_error *err);

/* An error at a line; the readers put "line 7: " or "point 7: " in front. */
int dj_series_fail(struct dj_series_file *file, size_t line, struct dj_error *err,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));

int dj_series_read_csv(const char *bytes, size_t length, struct dj_series_file *file,
                       struct dj_error *err);
int dj_series_read_json(const char *bytes, size_t length, struct dj_series_file *file,
                        struct dj_error *err);

/* DJ_SERIES_KEYS: none. How well a name fits: 0 best. */
enum dj_series_key dj_series_key_find(const char *name, size_t *rank);

/* Which way is better by the unit; who calls a figure "fps" gives it no unit. */
enum dj_series_sense dj_series_sense_of(const char *unit, const char *metric);

/* "frame time (ms)", "p95 [ms]", "p95_ms": cuts the unit off `name` into `unit`. False:
 * it has none. */
bool dj_series_unit_of_name(char *name, char *unit, size_t unit_size);

#endif
