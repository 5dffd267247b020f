/* Types and functions that the readers of histories share. */
#ifndef DEJANK_IMPORT_SERIES_PRIVATE_H
#define DEJANK_IMPORT_SERIES_PRIVATE_H

#include "import/series.h"

/* The meaning of a column or JSON key. A column without a known meaning may be a metric.
 * The keys that are names come first. */
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

/* A value with its properties, as a reader found it. A text is NULL or "" if it is
 * absent. Texts need not remain valid after dj_import_series_add(). Only texts of names
 * and of the time are used. */
struct dj_series_row {
    const char *text[DJ_SERIES_KEYS];
    enum dj_series_sense sense;
    double value;
    size_t line;
};

/* Adds the value to its series. Creates the series if it is new. */
int dj_import_series_add(struct dj_series_file *file, const struct dj_series_row *row,
                         struct dj_error *err);

/* Sets an error for a line. The readers prepend "line 7: " or "point 7: " to the message
 * of the error. */
int dj_import_series_set_error(struct dj_series_file *file, size_t line,
                               struct dj_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

int dj_import_series_read_csv(const char *bytes, size_t length,
                              struct dj_series_file *file, struct dj_error *err);
int dj_import_series_read_json(const char *bytes, size_t length,
                               struct dj_series_file *file, struct dj_error *err);

/* Returns the meaning of a column or key, ignoring case, or DJ_SERIES_KEYS if unknown.
 * *rank is the position of the name in the list of names with this meaning. If several
 * columns have one meaning, the one with the smallest rank is used. */
enum dj_series_key dj_import_series_key_find(const char *name, size_t *rank);

/* Returns which direction is better, according to the unit. If there is no unit, the name
 * of the metric is used instead, which may be a unit such as "fps". */
enum dj_series_sense dj_import_series_find_unit_sense(const char *unit,
                                                      const char *metric);

/* Copies the unit of "frame time (ms)", "p95 [ms]" or "p95_ms" from `name` to `unit`.
 * Removes a unit in brackets from `name`. Returns false if there is no unit. */
bool dj_import_series_split_unit(char *name, char *unit, size_t unit_size);

#endif
