/* Where a query finds the sessions of a shard. */
#ifndef DEJANK_FLEET_QUERY_SOURCES_H
#define DEJANK_FLEET_QUERY_SOURCES_H

#include "fleet/query.h"

/* Returns whether the query asks for the limits of the roll-ups. */
bool dj_fleet_has_default_limits(const struct dj_fleet_query *query);

/* Returns the index of the roll-up with the fewest rows that has the keys of the
 * query. */
size_t dj_fleet_choose_rollup(const struct dj_fleet_query *query);

/* Appends " AND CONDITION" for each condition of the query. */
void dj_fleet_append_conditions(struct dj_text *sql, const struct dj_fleet_query *query);
/* The same for the conditions that all revisions of a session meet, or none. */
void dj_fleet_append_identity_conditions(struct dj_text *sql,
                                         const struct dj_fleet_query *query);

/* Appends SELECT statements, with UNION ALL between them. All their rows together add up
 * to the sessions of the shard. `keys` are the expressions of the keys and of `its_day`.
 * Returns false if the shard has no sessions. */
bool dj_fleet_append_sources(struct dj_text *sql, const struct dj_fleet_query *query,
                             const struct dj_fleet_shard_state *shard, const char *keys);

#endif
