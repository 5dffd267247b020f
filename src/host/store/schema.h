/* The tables of a store, by version: docs/format/store.md describes them. */
#ifndef DEJANK_STORE_SCHEMA_H
#define DEJANK_STORE_SCHEMA_H

enum {
    DJ_SCHEMA_VERSION = 2,
    DJ_SCHEMA_FIGURES = 2,              /* from it on a store has series and blessings */
    DJ_SCHEMA_APPLICATION = 0x646A6E6B, /* "djnk": PRAGMA application_id */
    DJ_FIGURES_VERSION = 2 /* of how figures are computed: raise it where that changes */
};

/* What makes version n + 1 of version n; n < DJ_SCHEMA_VERSION. Never edited once it was
 * released: a change is a further step. */
extern const char *const dj_schema_steps[DJ_SCHEMA_VERSION];

/* The names of all metrics, as columns: "frames, janky_frames, …". */
#define DJ_METRIC_COLUMNS DJ_METRIC_MAP(DJ_METRIC_COLUMN_NAME) "window_id"
#define DJ_METRIC_COLUMN_NAME(symbol, name, sense, about) #name ", "

#endif
