/* Reads the state of the shards: how many there are, the newest session, and which weeks
 * are rolled up. Each answer about a fleet reports this state. */
#ifndef DEJANK_FLEET_STATE_H
#define DEJANK_FLEET_STATE_H

#include "fleet/cluster.h"
#include "fleet/schema.h"

enum {
    /* Maximum length of the name of a part, with its NUL. */
    DJ_FLEET_PART_NAME = 80
};

/* A part of ClickHouse's table sessions_local: rows that were inserted or merged
 * together. A part never changes. A merge or a deletion creates a part with another
 * name. */
struct dj_fleet_part {
    char name[DJ_FLEET_PART_NAME];
    int64_t rows;
    /* Number of the last insert that the part contains. Later inserts have higher
     * numbers. */
    int64_t last_block;
};

/* The parts and roll-ups of one week on one shard. */
struct dj_fleet_week {
    int64_t monday; /* Monday of the week, in days since 1970. */
    /* Parts, in the order of their inserts. The first part is the base. */
    struct dj_fleet_part *parts;
    size_t part_count;
    /* True if the base was merged, so that it contains each session once. */
    bool has_base;
    /* For each roll-up: true if it contains the sums of the base. */
    bool is_rolled[DJ_FLEET_ROLLUPS];
};

struct dj_fleet_shard_state {
    bool answers;
    /* Start of the newest session, or 0 if there are no sessions. */
    int64_t newest_unix_s;
    struct dj_fleet_week *weeks;
    size_t week_count;
};

struct dj_fleet_state {
    struct dj_fleet_shard_state *shards; /* One element for each shard of the cluster. */
    size_t count;
    size_t answering;
    int64_t configured; /* Number of shards according to the servers. */
    int64_t newest_unix_s;
    int64_t today; /* Today in days since 1970, in UTC. */
};

/* Asks all shards for their state. Returns an error if a shard does not answer. If
 * `partial` is true, one answer is enough. Returns DJ_E_USAGE if the servers know another
 * number or order of shards than the caller, and DJ_E_NO_DATA if a shard has no tables.
 * The caller finishes *state even after an error. */
int dj_fleet_read_state(struct dj_cluster *cluster, bool partial,
                        struct dj_fleet_state *state, struct dj_error *err);
/* Reads the weeks of the shards that answer. *state must not contain weeks before. */
int dj_fleet_read_weeks(struct dj_cluster *cluster, struct dj_fleet_state *state,
                        struct dj_error *err);
void dj_fleet_state_finish(struct dj_fleet_state *state);

/* Returns whether a query should read the week split into its base and later parts. This
 * is worthwhile if there are few later sessions. Otherwise the query reads the week as a
 * whole and merges its sessions. */
bool dj_fleet_week_is_split(const struct dj_fleet_week *week);

/* Returns whether the roll-ups contain all sessions of the week. */
bool dj_fleet_week_is_done(const struct dj_fleet_week *week);

/* Returns the week of a shard that begins on this Monday, or NULL if the shard has no
 * sessions in it. */
struct dj_fleet_week *dj_fleet_find_week(const struct dj_fleet_shard_state *shard,
                                         int64_t monday);

/* Returns whether all parts of a week, and the roll-ups of its base, still exist in
 * `after`, a later state of the same shard. If so, the parts have existed all the time.
 * So have the roll-ups, unless they were emptied and filled again in between. */
bool dj_fleet_week_persists(const struct dj_fleet_week *week,
                            const struct dj_fleet_shard_state *after);

#endif
