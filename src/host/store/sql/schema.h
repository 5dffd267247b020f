/* The tables of a store, by schema version. docs/format/store.md describes them. */
#ifndef DEJANK_STORE_SQL_SCHEMA_H
#define DEJANK_STORE_SQL_SCHEMA_H

enum {
    DJ_SCHEMA_VERSION = 2,
    DJ_SCHEMA_FIGURES = 2,              /* first version with series and blessings */
    DJ_SCHEMA_APPLICATION = 0x646A6E6B, /* "djnk": PRAGMA application_id */
    DJ_FIGURES_VERSION = 2 /* version of the computation of figures: raise it when the
                              computation changes */
};

/* Step n turns schema version n into version n + 1, for n < DJ_SCHEMA_VERSION. A released
 * step never changes. A new change needs a new step. */
extern const char *const dj_schema_steps[DJ_SCHEMA_VERSION];

/* The names of all metrics as columns: "frames, janky_frames, …". */
#define DJ_METRIC_COLUMNS DJ_METRIC_MAP(DJ_METRIC_COLUMN_NAME) "window_id"
#define DJ_METRIC_COLUMN_NAME(symbol, name, sense, about) #name ", "

#endif
