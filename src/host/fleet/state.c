#include "fleet/state.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "fleet/schema.h"
#include "fleet/session.h"
#include "memory/memory.h"

enum { DAY_S = 24 * 3600 };

/* A message of the server for a table that does not exist. */
static const char no_table[] = "doesn't exist";

static void append_hello(struct dj_text *sql, const struct dj_cluster *cluster)
{
    dj_text_add(sql, "SELECT (SELECT uniq(shard_num) FROM system.clusters WHERE cluster "
                     "= ");
    dj_sql_append_text(sql, cluster->name);
    dj_text_add(sql, "), (SELECT max(if(is_local != 0, shard_num, 0)) FROM "
                     "system.clusters WHERE cluster = ");
    dj_sql_append_text(sql, cluster->name);
    dj_text_format(sql, "), (SELECT toUInt32(max(start)) FROM dejank.sessions_local), "
                        "(SELECT max(version) FROM dejank.schema_versions) FORMAT "
                        "TabSeparated");
}

static const char weeks_sql[] =
    "SELECT week, newest, block FROM (SELECT toUInt32(partition_id) AS week, "
    "max(max_block_number) AS newest FROM system.parts WHERE database = 'dejank' AND "
    "table = 'sessions_local' AND active GROUP BY week) AS parts ANY LEFT JOIN (SELECT "
    "week, "
    "toInt64(argMax(block, rolled)) AS block FROM dejank.rolled GROUP BY week) AS rolls "
    "USING "
    "week ORDER BY week FORMAT TabSeparated";

static int check_hello(const struct dj_cluster *cluster, size_t index,
                       struct dj_fleet_state *state, struct dj_error *err)
{
    const struct dj_shard *shard = &cluster->shards[index];
    struct dj_str rest = dj_text_str(&shard->answer);
    int64_t configured = dj_fleet_cluster_read_int(&rest),
            own = dj_fleet_cluster_read_int(&rest);
    state->shards[index].newest_unix_s = dj_fleet_cluster_read_int(&rest);
    int64_t version = dj_fleet_cluster_read_int(&rest);
    state->configured = configured;
    if (version != DJ_FLEET_SCHEMA_VERSION) {
        return dj_error_set(err, DJ_E_VERSION,
                            "shard %s: its tables have version %" PRId64
                            ", and this dejank needs %d. Run: dejank fleet init",
                            shard->label, version, DJ_FLEET_SCHEMA_VERSION);
    }
    if (configured != (int64_t)cluster->count) {
        return dj_error_set(err, DJ_E_USAGE,
                            "shard %s: the server's cluster '%s' has %" PRId64
                            " shards, expected the %zu that are given",
                            shard->label, cluster->name, configured, cluster->count);
    }
    if (own != 0 && own != (int64_t)index + 1) {
        return dj_error_set(err, DJ_E_USAGE,
                            "shard %s is number %" PRId64
                            " of the server's cluster '%s', but is given as number %zu",
                            shard->label, own, cluster->name, index + 1);
    }
    return 0;
}

static int check_shard(const struct dj_cluster *cluster, size_t index, bool partial,
                       struct dj_fleet_state *state, struct dj_error *err)
{
    const struct dj_shard *shard = &cluster->shards[index];
    if (shard->error.code == 0) {
        state->shards[index].answers = true;
        state->answering++;
        return check_hello(cluster, index, state, err);
    }
    if (shard->status != 0 && strstr(shard->error.message, no_table) != NULL) {
        return dj_error_set(err, DJ_E_NO_DATA,
                            "shard %s has no tables of dejank. Run: dejank fleet init",
                            shard->label);
    }
    return partial ? 0 : dj_error_set(err, shard->error.code, "%s", shard->error.message);
}

static int64_t parse_week(int64_t yyyymmdd)
{
    char text[16];
    int64_t day = 0;
    snprintf(text, sizeof(text), "%04d-%02d-%02d", (int)(yyyymmdd / 10000 % 10000),
             (int)(yyyymmdd / 100 % 100), (int)(yyyymmdd % 100));
    dj_session_parse_day(dj_str_of(text), &day);
    return day;
}

static void read_weeks(struct dj_str answer, struct dj_fleet_shard_state *shard)
{
    struct dj_str line;
    while (dj_str_next_line(&answer, &line)) {
        struct dj_fleet_week week = {.monday =
                                         parse_week(dj_fleet_cluster_read_int(&line))};
        week.block = dj_fleet_cluster_read_int(&line);
        int64_t rolled = dj_fleet_cluster_read_int(&line);
        /* Blocks are counted from 1, and a week that was never rolled up has block 0. */
        week.is_rolled = rolled > 0 && rolled == week.block;
        DJ_XPUSH(shard->weeks, shard->week_count, week);
    }
}

int dj_fleet_read_state(struct dj_cluster *cluster, bool partial,
                        struct dj_fleet_state *state, struct dj_error *err)
{
    struct dj_text sql = {0};
    *state = (struct dj_fleet_state){.count = cluster->count,
                                     .configured = (int64_t)cluster->count,
                                     .today = time(NULL) / DAY_S};
    state->shards = dj_xcalloc(cluster->count, sizeof(*state->shards));
    append_hello(&sql, cluster);
    int code = dj_fleet_cluster_query_all(cluster, dj_xtext(&sql), err);
    for (size_t i = 0; i < cluster->count && code == 0; i++) {
        code = check_shard(cluster, i, partial, state, err);
    }
    if (code == 0 && state->answering == 0) {
        code = dj_fleet_cluster_require_all(cluster, err);
    }
    for (size_t i = 0; i < cluster->count && code == 0; i++) {
        if (state->shards[i].answers) {
            code = dj_fleet_cluster_query(cluster, i, weeks_sql, err);
        }
        if (code == 0 && state->shards[i].answers) {
            read_weeks(dj_text_str(&cluster->shards[i].answer), &state->shards[i]);
        }
        int64_t newest = state->shards[i].newest_unix_s;
        state->newest_unix_s =
            newest > state->newest_unix_s ? newest : state->newest_unix_s;
    }
    dj_text_finish(&sql);
    return code;
}

void dj_fleet_state_finish(struct dj_fleet_state *state)
{
    for (size_t i = 0; i < state->count; i++) {
        free(state->shards[i].weeks);
    }
    free(state->shards);
    *state = (struct dj_fleet_state){0};
}

bool dj_fleet_can_roll_up(const struct dj_fleet_state *state,
                          const struct dj_fleet_week *week)
{
    return !week->is_rolled && week->monday + DJ_FLEET_WEEK_DAYS <= state->today;
}

bool dj_fleet_append_weeks(struct dj_text *sql, const struct dj_fleet_shard_state *shard,
                           bool is_rolled)
{
    bool any = false;
    for (size_t i = 0; i < shard->week_count; i++) {
        if (shard->weeks[i].is_rolled != is_rolled) {
            continue;
        }
        size_t last = i;
        while (last + 1 < shard->week_count &&
               shard->weeks[last + 1].is_rolled == is_rolled) {
            last++;
        }
        dj_text_add(sql, any ? " OR (" : "((");
        dj_fleet_append_days(sql, shard->weeks[i].monday, shard->weeks[last].monday);
        dj_text_add(sql, ")");
        any = true;
        i = last;
    }
    if (any) {
        dj_text_add(sql, ")");
    }
    return any;
}
