#include "store/sql/schema.h"

#include <string.h>

#define METRIC_COLUMN(symbol, name, sense, about) ", " #name " REAL"

static const char version_1[] =
    "CREATE TABLE projects ("
    " id INTEGER PRIMARY KEY,"
    " name TEXT NOT NULL UNIQUE"
    ") STRICT;"

    "CREATE TABLE builds ("
    " id INTEGER PRIMARY KEY,"
    " project_id INTEGER NOT NULL REFERENCES projects (id),"
    " version TEXT,"
    " commit_id TEXT,"
    " label TEXT"
    ") STRICT;"
    "CREATE UNIQUE INDEX builds_identity ON builds (project_id, coalesce(version, ''),"
    " coalesce(commit_id, ''), coalesce(label, ''));"

    "CREATE TABLE devices ("
    " id INTEGER PRIMARY KEY,"
    " serial TEXT NOT NULL,"
    " kind TEXT NOT NULL,"
    " model TEXT,"
    " release TEXT,"
    " identity TEXT NOT NULL UNIQUE"
    ") STRICT;"
    "CREATE INDEX devices_serial ON devices (serial);"

    "CREATE TABLE device_facts ("
    " device_id INTEGER NOT NULL REFERENCES devices (id) ON DELETE CASCADE,"
    " name TEXT NOT NULL,"
    " value TEXT,"
    " unit TEXT,"
    " PRIMARY KEY (device_id, name)"
    ") STRICT;"

    "CREATE TABLE batches ("
    " id INTEGER PRIMARY KEY,"
    " uid TEXT NOT NULL UNIQUE,"
    " project_id INTEGER NOT NULL REFERENCES projects (id),"
    " build_id INTEGER NOT NULL REFERENCES builds (id),"
    " device_id INTEGER NOT NULL REFERENCES devices (id),"
    " name TEXT NOT NULL,"
    " kind TEXT NOT NULL,"
    " fingerprint TEXT,"
    " planned INTEGER,"
    " options TEXT,"
    " objectives TEXT,"
    " group_uid TEXT,"
    " arm TEXT,"
    " run_order TEXT,"
    " repeats TEXT,"
    " excluded TEXT,"
    " dejank TEXT NOT NULL,"
    " began_unix_ms INTEGER NOT NULL"
    ") STRICT;"
    "CREATE INDEX batches_project ON batches (project_id, began_unix_ms);"
    "CREATE INDEX batches_build ON batches (build_id);"
    "CREATE INDEX batches_device ON batches (device_id, began_unix_ms);"
    "CREATE INDEX batches_fingerprint ON batches (fingerprint, began_unix_ms);"
    "CREATE INDEX batches_name ON batches (name, began_unix_ms);"
    "CREATE INDEX batches_group ON batches (group_uid);"
    "CREATE INDEX batches_began ON batches (began_unix_ms);"

    "CREATE TABLE runs ("
    " id INTEGER PRIMARY KEY,"
    " uid TEXT NOT NULL UNIQUE,"
    " batch_id INTEGER NOT NULL REFERENCES batches (id) ON DELETE CASCADE,"
    " number INTEGER NOT NULL,"
    " attempt INTEGER NOT NULL,"
    " warmup INTEGER NOT NULL CHECK (warmup IN (0, 1)),"
    " order_index INTEGER NOT NULL,"
    " outcome TEXT NOT NULL,"
    " reason TEXT,"
    " excluded TEXT,"
    " started_unix_ms INTEGER,"
    " duration_ns INTEGER,"
    " release TEXT,"
    " figures_version INTEGER NOT NULL,"
    " UNIQUE (batch_id, warmup, number, attempt)"
    ") STRICT;"

    "CREATE TABLE windows ("
    " id INTEGER PRIMARY KEY,"
    " run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,"
    " ordinal INTEGER NOT NULL,"
    " name TEXT NOT NULL,"
    " start_dev_ns INTEGER,"
    " end_dev_ns INTEGER,"
    " UNIQUE (run_id, ordinal)"
    ") STRICT;"

    "CREATE TABLE metrics ("
    " window_id INTEGER PRIMARY KEY REFERENCES windows (id) ON DELETE CASCADE" //
    DJ_METRIC_MAP_1(METRIC_COLUMN)                                             //
    ") STRICT;"

    "CREATE TABLE histograms ("
    " window_id INTEGER NOT NULL REFERENCES windows (id) ON DELETE CASCADE,"
    " kind TEXT NOT NULL,"
    " counts TEXT NOT NULL,"
    " PRIMARY KEY (window_id, kind)"
    ") STRICT;"

    "CREATE TABLE conditions ("
    " run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,"
    " moment TEXT NOT NULL CHECK (moment IN ('before', 'after')),"
    " ordinal INTEGER NOT NULL,"
    " name TEXT NOT NULL,"
    " value REAL,"
    " text TEXT,"
    " unit TEXT,"
    " PRIMARY KEY (run_id, moment, ordinal)"
    ") STRICT;"

    "CREATE TABLE blobs ("
    " id INTEGER PRIMARY KEY,"
    " sha256 TEXT NOT NULL UNIQUE,"
    " size INTEGER NOT NULL,"
    " encoding TEXT NOT NULL,"
    " data BLOB NOT NULL"
    ") STRICT;"

    "CREATE TABLE evidence ("
    " run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,"
    " ordinal INTEGER NOT NULL,"
    " kind TEXT NOT NULL,"
    " name TEXT,"
    " blob_id INTEGER NOT NULL REFERENCES blobs (id),"
    " PRIMARY KEY (run_id, ordinal)"
    ") STRICT;"
    "CREATE INDEX evidence_blob ON evidence (blob_id);";

/* Version 2 adds tables for figures of other tools over time, and for blessings. */
static const char version_2[] =
    "CREATE TABLE series ("
    " id INTEGER PRIMARY KEY,"
    " identity TEXT NOT NULL UNIQUE,"
    " project_id INTEGER NOT NULL REFERENCES projects (id),"
    " metric TEXT NOT NULL,"
    " unit TEXT,"
    " sense TEXT NOT NULL CHECK (sense IN ('less', 'more', 'neutral')),"
    " flow TEXT,"
    " device TEXT,"
    " release TEXT,"
    " config TEXT"
    ") STRICT;"
    "CREATE INDEX series_project ON series (project_id, metric);"

    "CREATE TABLE points ("
    " id INTEGER PRIMARY KEY,"
    " series_id INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,"
    " ordinal INTEGER NOT NULL,"
    " at_unix_ms INTEGER,"
    " version TEXT,"
    " commit_id TEXT,"
    " value REAL NOT NULL,"
    " source TEXT"
    ") STRICT;"
    "CREATE UNIQUE INDEX points_identity ON points (series_id, ordinal,"
    " coalesce(at_unix_ms, -1), coalesce(version, ''), coalesce(commit_id, ''), value);"

    "CREATE TABLE blessings ("
    " id INTEGER PRIMARY KEY,"
    " uid TEXT NOT NULL UNIQUE,"
    " project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,"
    " metric TEXT NOT NULL,"
    " segment TEXT,"
    " direction TEXT NOT NULL CHECK (direction IN ('up', 'down')),"
    " from_unix_ms INTEGER,"
    " from_ordinal INTEGER,"
    " from_point TEXT NOT NULL,"
    " who TEXT NOT NULL,"
    " why TEXT NOT NULL,"
    " made_unix_ms INTEGER NOT NULL,"
    " withdrawn TEXT"
    ") STRICT;"
    "CREATE INDEX blessings_project ON blessings (project_id, metric);";

/* Versions 3 and 4 add metrics. */
#define ADD_COLUMN(symbol, name, sense, about)                                           \
    "ALTER TABLE metrics ADD COLUMN " #name " REAL;"

static const char version_3[] = DJ_METRIC_MAP_2(ADD_COLUMN);
static const char version_4[] = DJ_METRIC_MAP_3(ADD_COLUMN);

const char *const dj_schema_steps[DJ_SCHEMA_VERSION] = {version_1, version_2, version_3,
                                                        version_4};

void dj_schema_append_tables(struct dj_text *sql, int64_t version)
{
    /* SQLite stores an added column as if the table had been created with it. Creating
     * the table with all columns is much faster than adding them one by one. */
    static const char last_of_version_1[] = ", findings REAL";
    const char *end = strstr(version_1, last_of_version_1) + strlen(last_of_version_1);
    dj_text_append(sql, version_1, (size_t)(end - version_1));
    dj_text_add(sql, version >= DJ_SCHEMA_JANK ? DJ_METRIC_MAP_2(METRIC_COLUMN) : "");
    dj_text_add(sql, version >= DJ_SCHEMA_SURFACE ? DJ_METRIC_MAP_3(METRIC_COLUMN) : "");
    dj_text_add(sql, end);
    dj_text_add(sql, version >= DJ_SCHEMA_FIGURES ? version_2 : "");
}

#define NULL_COLUMN(symbol, name, sense, about) "NULL, "

const char *dj_schema_metric_columns(int64_t version)
{
    static const char of_version_3[] = DJ_METRIC_MAP_1(DJ_METRIC_COLUMN_NAME)
        DJ_METRIC_MAP_2(DJ_METRIC_COLUMN_NAME) DJ_METRIC_MAP_3(NULL_COLUMN) "window_id";
    static const char of_version_1[] = DJ_METRIC_MAP_1(DJ_METRIC_COLUMN_NAME)
        DJ_METRIC_MAP_2(NULL_COLUMN) DJ_METRIC_MAP_3(NULL_COLUMN) "window_id";
    return version >= DJ_SCHEMA_SURFACE ? DJ_METRIC_COLUMNS
           : version >= DJ_SCHEMA_JANK  ? of_version_3
                                        : of_version_1;
}

bool dj_schema_has_metric(int64_t version, enum dj_metric metric)
{
    return version >= DJ_SCHEMA_SURFACE || (int)metric < (int)DJ_METRIC_FIRST_OF_MAP_2 ||
           (version >= DJ_SCHEMA_JANK && (int)metric < (int)DJ_METRIC_FIRST_OF_MAP_3);
}
