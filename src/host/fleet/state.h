/* The state of the shards, as they report it: their number, the newest session, and
 * which weeks are rolled up. Each answer about a fleet states this. */
#ifndef DEJANK_FLEET_STATE_H
#define DEJANK_FLEET_STATE_H

#include "fleet/cluster.h"
#include "fleet/schema.h"

enum {
    /* Longest name of a part, with its NUL. */
    DJ_FLEET_PART_NAME = 80
};

/* Rows of sessions_local that were inserted or merged together. A part never changes: a
 * merge or a deletion makes a part with another name. */
struct dj_fleet_part {
    char name[DJ_FLEET_PART_NAME];
    int64_t rows;
};

/* A week of one shard. */
struct dj_fleet_week {
    int64_t monday; /* Days since 1970. */
    /* In the order of their inserts. The first one is the base. */
    struct dj_fleet_part *parts;
    size_t part_count;
    bool has_base; /* The base was merged, so it contains each session once. */
    /* The roll-up contains the sums of the base. */
    bool is_rolled[DJ_FLEET_ROLLUPS];
};

struct dj_fleet_shard_state {
    bool answers;
    int64_t newest_unix_s; /* Start of the newest session, or 0 without sessions. */
    struct dj_fleet_week *weeks;
    size_t week_count;
};

struct dj_fleet_state {
    struct dj_fleet_shard_state *shards; /* One per shard of the cluster. */
    size_t count;
    size_t answering;
    int64_t configured; /* Number of shards that the servers know. */
    int64_t newest_unix_s;
    int64_t today; /* Days since 1970, by UTC. */
};

/* Asks all shards. Returns an error if a shard does not answer, unless `partial` is set
 * and at least one answers. Returns DJ_E_USAGE if the servers know another number of
 * shards or another order than the caller, and DJ_E_NO_DATA if a shard has no tables. The
 * caller finishes the state in every case. */
int dj_fleet_read_state(struct dj_cluster *cluster, bool partial,
                        struct dj_fleet_state *state, struct dj_error *err);
/* Reads the weeks of the shards that answer, into a state without weeks. */
int dj_fleet_read_weeks(struct dj_cluster *cluster, struct dj_fleet_state *state,
                        struct dj_error *err);
void dj_fleet_state_finish(struct dj_fleet_state *state);

/* Returns whether the week is worth splitting into its base and later sessions, because
 * there are few later ones. Otherwise its sessions are merged to answer a question. */
bool dj_fleet_week_is_split(const struct dj_fleet_week *week);

/* Returns whether the roll-ups contain all sessions of the week. */
bool dj_fleet_week_is_done(const struct dj_fleet_week *week);

/* Returns the week of a shard that begins on this Monday, or NULL. */
struct dj_fleet_week *dj_fleet_find_week(const struct dj_fleet_shard_state *shard,
                                         int64_t monday);

/* Returns whether the parts of a week, and the roll-ups of its base, are still there in
 * `after`, which is a later state of the same shard. Then the parts were there all the
 * time. So were the roll-ups, unless they were emptied and filled again in between. */
bool dj_fleet_week_persists(const struct dj_fleet_week *week,
                            const struct dj_fleet_shard_state *after);

#endif
