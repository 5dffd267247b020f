/* The state of the shards, as they report it: their number, the newest session, and
 * which weeks are rolled up. Each answer about a fleet states this. */
#ifndef DEJANK_FLEET_STATE_H
#define DEJANK_FLEET_STATE_H

#include "fleet/cluster.h"

/* A week of one shard. */
struct dj_fleet_week {
    int64_t monday; /* Days since 1970. */
    /* Block number of the newest insert, by which a later insert is detected. */
    int64_t block;
    bool is_rolled; /* The roll-ups contain all sessions of the week. */
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
void dj_fleet_state_finish(struct dj_fleet_state *state);

/* Returns whether the week is over and has no valid roll-up. */
bool dj_fleet_can_roll_up(const struct dj_fleet_state *state,
                          const struct dj_fleet_week *week);

/* Appends a condition on the column `day` that selects the weeks of a shard that are
 * rolled up, or those that are not. Returns false, and appends nothing, if there is no
 * such week. */
bool dj_fleet_append_weeks(struct dj_text *sql, const struct dj_fleet_shard_state *shard,
                           bool is_rolled);

#endif
