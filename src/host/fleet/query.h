/* Questions about a fleet: sums of sessions by app, version, device and so on. Each shard
 * adds up its sessions; the sums and histograms of all shards are added here, so that
 * percentiles are those of all sessions. */
#ifndef DEJANK_FLEET_QUERY_H
#define DEJANK_FLEET_QUERY_H

#include "fleet/cluster.h"
#include "fleet/schema.h"
#include "fleet/state.h"
#include "frame/histogram.h"

/* The keys by which sessions can be grouped. */
enum dj_fleet_key {
    DJ_FLEET_APP,
    DJ_FLEET_VERSION,
    DJ_FLEET_DEVICE,
    DJ_FLEET_CLASS,
    DJ_FLEET_RELEASE,
    DJ_FLEET_REFRESH,
    DJ_FLEET_DAY,
    DJ_FLEET_KEYS
};

/* Returns the name of a key in --by and in JSON. */
const char *dj_fleet_key_get_name(enum dj_fleet_key key);

enum { DJ_FLEET_VALUES_MOST = 8 };

struct dj_fleet_query {
    enum dj_fleet_key by[DJ_FLEET_KEYS];
    size_t by_count;
    /* For each key, the value that selected sessions must have, or NULL for any value. */
    const char *only[DJ_FLEET_KEYS];
    /* Versions of which each session has one, or count 0 for any version. */
    const char *versions[DJ_FLEET_VALUES_MOST];
    size_t version_count;
    /* The query covers the days since_day ≤ day < before_day, in days since 1970. −1
     * means that there is no limit. */
    int64_t since_day, before_day;
    struct dj_fleet_limits limits;
    bool partial;      /* Shards may be missing. */
    size_t only_shard; /* Only the shard with this number, from 1. 0: all shards. */
};

/* The sums of the sessions with the same keys. */
struct dj_fleet_group {
    char *key[DJ_FLEET_KEYS]; /* Values in the order of `by`. "" is unknown. */
    /* These are in the order of dj_fleet_append_sums(). The counters whose names end with
     * _of are the frames of the sessions that know the counter before. */
    int64_t sessions, frames, janky, janky_of, slow, slow_of, frozen, frozen_of;
    int64_t timed_frames; /* Frames of the sessions with a histogram. */
    int64_t slow_sessions, frozen_sessions;
    uint64_t times[DJ_FRAME_BUCKETS];
};

struct dj_fleet_result {
    struct dj_fleet_query query;
    struct dj_fleet_state state;
    struct dj_fleet_group
        *groups; /* Most frames first; with DJ_FLEET_DAY, oldest first. */
    size_t count;
    int64_t newest_day;  /* Newest day of the sessions of the answer, or −1. */
    bool is_provisional; /* The answer contains sessions of today, which may grow. */
};

/* Initializes a query: all sessions in one group. */
void dj_fleet_query_init(struct dj_fleet_query *query);

/* Parses "app,version,day". Returns DJ_E_USAGE for an unknown or repeated word. */
int dj_fleet_parse_keys(const char *words, struct dj_fleet_query *query,
                        struct dj_error *err);

/* Asks the shards. Returns an error if a shard is missing, unless `partial` is set. The
 * caller finishes the result in every case. */
int dj_fleet_query_shards(struct dj_cluster *cluster, const struct dj_fleet_query *query,
                          struct dj_fleet_result *result, struct dj_error *err);
void dj_fleet_result_finish(struct dj_fleet_result *result);

/* Returns hwui's percentile in ms, or NaN without a histogram. */
double dj_fleet_percentile_ms(const struct dj_fleet_group *group, unsigned percent);

/* Returns 100 * count / of, or NaN if `of` is 0. */
double dj_fleet_percent(int64_t count, int64_t of);

/* Appends the statement for one shard. Returns false if the shard has no sessions. */
bool dj_fleet_append_query(struct dj_text *sql, const struct dj_fleet_query *query,
                           const struct dj_fleet_shard_state *shard);

/* Adds the RowBinary answer of one shard to the groups. Returns DJ_E_PROTOCOL if the
 * bytes are damaged. */
int dj_fleet_add_answer(struct dj_fleet_result *result, struct dj_str answer,
                        struct dj_error *err);

/* Sorts the groups. */
void dj_fleet_sort_groups(struct dj_fleet_result *result);

#endif
