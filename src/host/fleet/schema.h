/* The tables of a fleet. Each shard has its own; docs/fleet.md names the tables that
 * other programs may query. */
#ifndef DEJANK_FLEET_SCHEMA_H
#define DEJANK_FLEET_SCHEMA_H

#include "fleet/cluster.h"

enum {
    DJ_FLEET_SCHEMA_VERSION = 1,
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

/* A roll-up: sums of sessions with the same key. */
struct dj_fleet_rollup {
    const char *table; /* Name of the local table. */
    const char *key;   /* Key columns, separated by commas. */
};
enum { DJ_FLEET_ROLLUPS = 2 };
/* The roll-ups, the one with fewer rows first. */
extern const struct dj_fleet_rollup dj_fleet_rollups[DJ_FLEET_ROLLUPS];

/* Appends a condition on the column `day` that selects the weeks between two Mondays,
 * both weeks included. */
void dj_fleet_append_days(struct dj_text *sql, int64_t first_monday, int64_t last_monday);

/* Append SELECT statements without WHERE, which return the same columns: `keys`, and what
 * dj_fleet_append_sums() adds up. The first one reads sessions, the second one a
 * roll-up. */
void dj_fleet_append_session_rows(struct dj_text *sql, const char *keys,
                                  const struct dj_fleet_limits *limits);
void dj_fleet_append_rollup_rows(struct dj_text *sql, const char *keys,
                                 const struct dj_fleet_rollup *rollup);

/* Appends a SELECT of the rows of a roll-up, computed from the sessions of a week. */
void dj_fleet_append_rollup_select(struct dj_text *sql,
                                   const struct dj_fleet_rollup *rollup, int64_t monday);

/* Appends the sums: struct dj_fleet_group has their order. The last one is a pair of
 * arrays. */
void dj_fleet_append_sums(struct dj_text *sql);

#endif
