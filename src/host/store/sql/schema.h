/* The tables of a store in each version of the schema. docs/format/store.md describes
 * them. */
#ifndef DEJANK_STORE_SQL_SCHEMA_H
#define DEJANK_STORE_SQL_SCHEMA_H

#include <stdint.h>

#include "base/text.h"
#include "metrics/metric.h"

enum {
    DJ_SCHEMA_VERSION = 4,
    DJ_SCHEMA_FIGURES = 2, /* The first version with series and blessings. */
    DJ_SCHEMA_JANK = 3,    /* The first version with the metrics of DJ_METRIC_MAP_2. */
    DJ_SCHEMA_SURFACE = 4, /* The first version with the metrics of DJ_METRIC_MAP_3. */
    /* PRAGMA application_id of SQLite for a store: the letters "djnk". */
    DJ_SCHEMA_APPLICATION = 0x646A6E6B,
    /* Version of the computation of figures. It is raised whenever the computation
     * changes. */
    DJ_FIGURES_VERSION = 4
};

/* Step n changes schema version n to version n + 1. Released steps never change. Every
 * change of the schema is a new step. */
extern const char *const dj_schema_steps[DJ_SCHEMA_VERSION];

/* Appends SQL that creates the tables of a version in an empty database. The result is
 * the same as that of all steps up to this version. */
void dj_schema_append_tables(struct dj_text *sql, int64_t version);

/* The columns of all metrics: "frames, janky_frames, …". */
#define DJ_METRIC_COLUMNS DJ_METRIC_MAP(DJ_METRIC_COLUMN_NAME) "window_id"
#define DJ_METRIC_COLUMN_NAME(symbol, name, sense, about) #name ", "

/* Returns DJ_METRIC_COLUMNS for a query on a store of this version, with NULL for the
 * metrics that it lacks. */
const char *dj_schema_metric_columns(int64_t version);

/* Returns whether a store of this version has the metric. */
bool dj_schema_has_metric(int64_t version, enum dj_metric metric);

#endif
