/* Defines the tables of a fleet. Each shard has its own tables. docs/fleet.md names the
 * tables that other programs may query. */
#ifndef DEJANK_FLEET_SCHEMA_H
#define DEJANK_FLEET_SCHEMA_H

#include "fleet/cluster.h"

enum {
    DJ_FLEET_SCHEMA_VERSION = 2,
    /* Number of days of a week. A week begins on Monday. Each week is a partition of each
     * table. */
    DJ_FLEET_WEEK_DAYS = 7
};

/* Limits for a session's share of slow or frozen frames, in percent. A session with a
 * larger share counts as slow or frozen. */
struct dj_fleet_limits {
    double slow_pct, frozen_pct;
};
/* The limits that the roll-ups use. */
extern const struct dj_fleet_limits dj_fleet_default_limits;

/* The changes that `dejank fleet init` made on one shard. */
struct dj_fleet_init_result {
    bool is_new;
    /* Version of the tables before, or 0 if the shard had no tables. */
    int64_t version_before;
};

/* Creates or migrates the tables on all shards. Calling it again changes nothing.
 * `results` has one element per shard. Returns DJ_E_VERSION if a newer version of dejank
 * has created the tables. */
int dj_fleet_create_schema(struct dj_cluster *cluster,
                           struct dj_fleet_init_result *results, struct dj_error *err);

/* A roll-up: sums of sessions with the same key. The column `part` of a row names the
 * part of sessions_local that the row sums up. */
struct dj_fleet_rollup {
    const char *table; /* Name of the shard's own table. */
    const char *key;   /* Names of the key columns, separated by commas. */
};
enum { DJ_FLEET_ROLLUPS = 2 };
/* The roll-ups, sorted by number of rows, the one with the fewest rows first. */
extern const struct dj_fleet_rollup dj_fleet_rollups[DJ_FLEET_ROLLUPS];

/* Appends a condition on the column `day` that selects a week. */
void dj_fleet_append_week(struct dj_text *sql, int64_t monday);

/* The form in which a query reads sessions as rows that dj_fleet_append_sums() can add
 * up. */
struct dj_fleet_row_form {
    const char *keys; /* SQL expressions that precede the sums in each row. */
    const struct dj_fleet_limits *limits;
    bool has_sign; /* True if rows have a column `sign`: 1, or -1 to subtract the row. */
    /* True if only the numbers of slow and frozen sessions are added up. */
    bool only_limits;
};

/* Appends the beginning of a SELECT statement that reads columns of sessions, up to the
 * name of the table or up to WHERE. */
void dj_fleet_append_session_rows(struct dj_text *sql,
                                  const struct dj_fleet_row_form *form);

/* Appends the beginning of a SELECT statement that reads a roll-up and returns the same
 * columns, up to WHERE. If has_limits is false, the slow and frozen sessions of the
 * roll-up are not added up. */
void dj_fleet_append_rollup_rows(struct dj_text *sql, const char *keys,
                                 const struct dj_fleet_rollup *rollup, bool has_limits);

/* Names of the session columns that dj_fleet_append_session_rows() and all keys need. */
extern const char dj_fleet_summed_columns[];
/* Names of the columns that are the same in all revisions of a session. */
extern const char dj_fleet_identity[];

/* Appends a SELECT statement that sums up parts of sessions_local to rows of a roll-up.
 * `parts` contains the quoted names of the parts, separated by commas. If `has_part` is
 * true, the rows include the column `part`. */
void dj_fleet_append_part_sums(struct dj_text *sql, const struct dj_fleet_rollup *rollup,
                               const char *parts, bool has_part);
/* Like dj_fleet_append_part_sums(), but sums up rows of a finer roll-up. `from` is the
 * name of its table and conditions. */
void dj_fleet_append_coarser_sums(struct dj_text *sql,
                                  const struct dj_fleet_rollup *rollup, const char *from,
                                  bool has_part);

/* Appends the expressions of the sums, in the order of struct dj_fleet_group. The last
 * sum is a pair of arrays. */
void dj_fleet_append_sums(struct dj_text *sql);

/* Appends an expression that joins all columns of a row of dj_fleet_append_part_sums(),
 * except its key, to one text. */
void dj_fleet_append_sums_text(struct dj_text *sql);

#endif
