/* The tables of a fleet. Each shard has its own; docs/fleet.md names the tables that
 * other programs may query. */
#ifndef DEJANK_FLEET_SCHEMA_H
#define DEJANK_FLEET_SCHEMA_H

#include "fleet/cluster.h"

enum {
    DJ_FLEET_SCHEMA_VERSION = 2,
    /* A week begins on Monday, and is a partition of each table. */
    DJ_FLEET_WEEK_DAYS = 7
};

/* Shares of frames, in percent, above which a session counts as slow or frozen. */
struct dj_fleet_limits {
    double slow_pct, frozen_pct;
};
/* The limits of the roll-ups. */
extern const struct dj_fleet_limits dj_fleet_default_limits;

/* The changes that `dejank fleet init` made on one shard. */
struct dj_fleet_init_result {
    bool is_new;
    int64_t version_before; /* 0 if the shard had no schema. */
};

/* Creates or migrates the tables on all shards. Repeating it changes nothing. `results`
 * has one element per shard. Returns DJ_E_VERSION if a newer dejank made the tables. */
int dj_fleet_create_schema(struct dj_cluster *cluster,
                           struct dj_fleet_init_result *results, struct dj_error *err);

/* A roll-up: sums of sessions with the same key. The column `part` of a row names the
 * part of sessions_local that the row sums up. */
struct dj_fleet_rollup {
    const char *table; /* Name of the local table. */
    const char *key;   /* Key columns, separated by commas. */
};
enum { DJ_FLEET_ROLLUPS = 2 };
/* The roll-ups, the one with fewer rows first. */
extern const struct dj_fleet_rollup dj_fleet_rollups[DJ_FLEET_ROLLUPS];

/* Appends a condition on the column `day` that selects a week. */
void dj_fleet_append_week(struct dj_text *sql, int64_t monday);

/* How to read sessions as rows that dj_fleet_append_sums() adds up. */
struct dj_fleet_row_form {
    const char *keys; /* Expressions in front of what is added up. */
    const struct dj_fleet_limits *limits;
    bool is_removed;  /* The rows are subtracted from the sums. */
    bool only_limits; /* Only slow and frozen sessions are added up, nothing else. */
};

/* Append SELECT statements up to the name of the table, or up to WHERE. They return the
 * same columns. The first one reads columns of sessions, the second one a roll-up.
 * Without limits, the roll-up's slow and frozen sessions are not added up. */
void dj_fleet_append_session_rows(struct dj_text *sql,
                                  const struct dj_fleet_row_form *form);
void dj_fleet_append_rollup_rows(struct dj_text *sql, const char *keys,
                                 const struct dj_fleet_rollup *rollup, bool has_limits);

/* Columns of a session that dj_fleet_append_session_rows() and all keys read. */
extern const char dj_fleet_summed_columns[];
/* Columns that are the same in all revisions of a session. */
extern const char dj_fleet_identity[];

/* Appends a SELECT of the sums of parts of sessions_local, as the rows of a roll-up. The
 * names of the parts are quoted and separated by commas. `has_part` selects the column
 * `part`, too. */
void dj_fleet_append_part_sums(struct dj_text *sql, const struct dj_fleet_rollup *rollup,
                               const char *parts, bool has_part);
/* The same, computed from rows of a finer roll-up: a table and its conditions. */
void dj_fleet_append_coarser_sums(struct dj_text *sql,
                                  const struct dj_fleet_rollup *rollup, const char *from,
                                  bool has_part);

/* Appends the sums: struct dj_fleet_group has their order. The last one is a pair of
 * arrays. */
void dj_fleet_append_sums(struct dj_text *sql);

/* Appends an expression: all columns of a row of dj_fleet_append_part_sums() but its key,
 * as one text. */
void dj_fleet_append_sums_text(struct dj_text *sql);

#endif
