#include "fleet/state.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/date.h"
#include "fleet/schema.h"
#include "fleet/session.h"
#include "memory/memory.h"

enum {
    /* A week is split into its base and later parts if the later parts have at most 1 /
     * LATER_SHARE of the sessions of the base. */
    LATER_SHARE = 4,
};

/* Part of the server's message about a table that does not exist. */
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

/* Query for the parts of the sessions, and for the parts that the roll-ups contain. */
static const char parts_sql[] =
    "SELECT kind, week, is_merged, row_count, last_block, part_name FROM (SELECT "
    "toUInt8(0) AS kind, toUInt32(partition_id) AS week, toUInt8(level > 0) AS "
    "is_merged, "
    "toUInt64(rows) AS row_count, name AS part_name, toInt64(min_block_number) AS block, "
    "toInt64(max_block_number) AS last_block FROM system.parts WHERE database = 'dejank' "
    "AND table = 'sessions_local' AND active AND rows > 0 UNION ALL SELECT toUInt8(1), "
    "toUInt32(0), toUInt8(0), toUInt64(0), part, toInt64(0), toInt64(0) FROM "
    "dejank.versions_local GROUP BY part UNION ALL SELECT toUInt8(2), toUInt32(0), "
    "toUInt8(0), toUInt64(0), part, toInt64(0), toInt64(0) FROM dejank.daily_local GROUP "
    "BY part) ORDER BY kind, week, block FORMAT TabSeparated";

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

static void add_part(struct dj_fleet_shard_state *shard, int64_t monday, bool is_merged,
                     const struct dj_fleet_part *part)
{
    struct dj_fleet_week *week = dj_fleet_find_week(shard, monday);
    if (week == NULL) {
        struct dj_fleet_week added = {.monday = monday, .has_base = is_merged};
        DJ_XPUSH(shard->weeks, shard->week_count, added);
        week = &shard->weeks[shard->week_count - 1];
    }
    DJ_XPUSH(week->parts, week->part_count, *part);
}

static void set_rolled(struct dj_fleet_shard_state *shard, size_t rollup,
                       const char *name)
{
    for (size_t i = 0; i < shard->week_count; i++) {
        struct dj_fleet_week *week = &shard->weeks[i];
        week->is_rolled[rollup] |=
            week->has_base && strcmp(week->parts[0].name, name) == 0;
    }
}

static void read_weeks(struct dj_str answer, struct dj_fleet_shard_state *shard)
{
    struct dj_str line;
    while (dj_str_next_line(&answer, &line)) {
        struct dj_fleet_part part = {.rows = 0};
        int64_t kind = dj_fleet_cluster_read_int(&line);
        int64_t monday = parse_week(dj_fleet_cluster_read_int(&line));
        bool is_merged = dj_fleet_cluster_read_int(&line) != 0;
        part.rows = dj_fleet_cluster_read_int(&line);
        part.last_block = dj_fleet_cluster_read_int(&line);
        struct dj_str name = dj_str_trim(line);
        is_merged = is_merged && name.length < sizeof(part.name);
        snprintf(part.name, sizeof(part.name), "%.*s", (int)name.length, name.at);
        if (kind == 0) {
            add_part(shard, monday, is_merged, &part);
        } else if (kind <= DJ_FLEET_ROLLUPS) {
            set_rolled(shard, (size_t)kind - 1, part.name);
        }
    }
}

int dj_fleet_read_state(struct dj_cluster *cluster, bool partial,
                        struct dj_fleet_state *state, struct dj_error *err)
{
    struct dj_text sql = {0};
    *state = (struct dj_fleet_state){.count = cluster->count,
                                     .configured = (int64_t)cluster->count,
                                     .today = time(NULL) / DJ_DAY_S};
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
        int64_t newest = state->shards[i].newest_unix_s;
        state->newest_unix_s =
            newest > state->newest_unix_s ? newest : state->newest_unix_s;
    }
    dj_text_finish(&sql);
    return code;
}

int dj_fleet_read_weeks(struct dj_cluster *cluster, struct dj_fleet_state *state,
                        struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < cluster->count && code == 0; i++) {
        if (state->shards[i].answers) {
            code = dj_fleet_cluster_start(cluster, i, parts_sql, (struct dj_str){0}, err);
        }
    }
    for (size_t i = 0; i < cluster->count; i++) {
        const struct dj_shard *shard = &cluster->shards[i];
        if (!state->shards[i].answers) {
            continue;
        }
        dj_fleet_cluster_wait(cluster, i);
        if (code == 0 && shard->error.code != 0) {
            code = dj_error_set(err, shard->error.code, "%s", shard->error.message);
        }
        if (code == 0) {
            read_weeks(dj_text_str(&shard->answer), &state->shards[i]);
        }
    }
    return code;
}

void dj_fleet_state_finish(struct dj_fleet_state *state)
{
    for (size_t i = 0; i < state->count; i++) {
        for (size_t k = 0; k < state->shards[i].week_count; k++) {
            free(state->shards[i].weeks[k].parts);
        }
        free(state->shards[i].weeks);
    }
    free(state->shards);
    *state = (struct dj_fleet_state){0};
}

bool dj_fleet_week_is_split(const struct dj_fleet_week *week)
{
    int64_t later = 0;
    for (size_t i = 1; i < week->part_count; i++) {
        later += week->parts[i].rows;
    }
    return week->has_base && later <= week->parts[0].rows / LATER_SHARE;
}

bool dj_fleet_week_is_done(const struct dj_fleet_week *week)
{
    bool is_done = week->has_base && week->part_count == 1;
    for (size_t i = 0; i < DJ_FLEET_ROLLUPS; i++) {
        is_done = is_done && week->is_rolled[i];
    }
    return is_done;
}

struct dj_fleet_week *dj_fleet_find_week(const struct dj_fleet_shard_state *shard,
                                         int64_t monday)
{
    for (size_t i = 0; i < shard->week_count; i++) {
        if (shard->weeks[i].monday == monday) {
            return &shard->weeks[i];
        }
    }
    return NULL;
}

static bool has_part(const struct dj_fleet_week *week, const char *name)
{
    for (size_t i = 0; i < week->part_count; i++) {
        if (strcmp(week->parts[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

bool dj_fleet_week_persists(const struct dj_fleet_week *week,
                            const struct dj_fleet_shard_state *after)
{
    const struct dj_fleet_week *now = dj_fleet_find_week(after, week->monday);
    bool persists = now != NULL;
    for (size_t i = 0; i < week->part_count && persists; i++) {
        persists = has_part(now, week->parts[i].name);
    }
    for (size_t i = 0; i < DJ_FLEET_ROLLUPS && persists; i++) {
        persists = now->is_rolled[i] || !week->is_rolled[i];
    }
    return persists;
}
