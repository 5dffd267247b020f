#include "fleet/schema.h"

#include <inttypes.h>
#include <string.h>

#include "fleet/session.h"
#include "memory/memory.h"

const struct dj_fleet_limits dj_fleet_default_limits = {.slow_pct = 25,
                                                        .frozen_pct = 0.1};

/* The columns of a session in the order of RowBinary. The rows of the server have further
 * columns. */
static const char session_columns[] =
    "id FixedString(16), revision UInt64, app String, version String, device String, "
    "class String, release String, gpu String, version_code Int64, refresh_hz UInt16, "
    "ram_mb UInt32, day Date, start DateTime, known UInt16, frames UInt32, janky UInt32, "
    "slow UInt32, frozen UInt32, missed_vsync UInt32, high_input_latency UInt32, "
    "slow_ui_thread UInt32, slow_bitmap_uploads UInt32, slow_issue_draw_commands UInt32, "
    "deadline_missed UInt32, frame_time_bucket Array(UInt8), "
    "frame_time_count Array(UInt32), present_to_present_bucket Array(UInt8), "
    "present_to_present_count Array(UInt32), figure_name Array(String), "
    "figure_value Array(Float64)";

/* Types of the columns that can be part of a roll-up's key. */
static const struct {
    const char *name, *type;
} key_types[] = {
    {"app", "String"},   {"version_code", "Int64"}, {"version", "String"},
    {"class", "String"}, {"device", "String"},      {"release", "String"},
    {"day", "Date"},     {"refresh_hz", "UInt16"},
};

const struct dj_fleet_rollup dj_fleet_rollups[DJ_FLEET_ROLLUPS] = {
    {"versions_local", "app,version_code,version,day"},
    {"daily_local", "app,version_code,version,class,device,release,refresh_hz,day"},
};

/* The sums of a roll-up: the name, and an expression over the columns of a session. A
 * share is a counter divided by the frames of the sessions in which this counter is
 * known, so each counter has a sum of frames of its own. */
static const struct {
    const char *name, *expression;
} sums[] = {
    {"sessions", "1"},
    {"frame_sum", "frames"},
    {"janky_sum", "janky"},
    {"janky_of", "if(bitAnd(known, 2) != 0, toUInt64(frames), toUInt64(0))"},
    {"slow_sum", "slow"},
    {"slow_of", "if(bitAnd(known, 4) != 0, toUInt64(frames), toUInt64(0))"},
    {"frozen_sum", "frozen"},
    {"frozen_of", "if(bitAnd(known, 8) != 0, toUInt64(frames), toUInt64(0))"},
    {"timed_frames", "if(length(frame_time_bucket) > 0, toUInt64(frames), toUInt64(0))"},
};
enum { SUMS = COUNT_OF(sums) };

const char dj_fleet_summed_columns[] =
    "id, revision, app, version_code, version, class, device, release, refresh_hz, day, "
    "known, frames, janky, slow, frozen, frame_time_bucket, frame_time_count";
const char dj_fleet_identity[] =
    "app, version_code, device, release, refresh_hz, day, id";

void dj_fleet_append_week(struct dj_text *sql, int64_t monday)
{
    dj_text_add(sql, "day BETWEEN '");
    dj_session_append_day(sql, monday);
    dj_text_add(sql, "' AND '");
    dj_session_append_day(sql, monday + DJ_FLEET_WEEK_DAYS - 1);
    dj_text_add(sql, "'");
}

/* Appends a number of type UInt64. A number that is to be subtracted is negated modulo
 * 2^64. */
static void append_number(struct dj_text *sql, const char *expression, bool has_sign)
{
    dj_text_format(sql, has_sign ? "toUInt64(sign * toInt64(%s))" : "toUInt64(%s)",
                   expression);
}

static void append_limit(struct dj_text *sql, const char *counter, unsigned bit,
                         double percent, bool has_sign)
{
    char *is_above = dj_xformat("bitAnd(known, %u) != 0 AND 100 * %s > %.17g * frames",
                                bit, counter, percent);
    append_number(sql, is_above, has_sign);
    dj_text_format(sql, " AS %s_sessions, ", counter);
    free(is_above);
}

void dj_fleet_append_session_rows(struct dj_text *sql,
                                  const struct dj_fleet_row_form *form)
{
    dj_text_format(sql, "SELECT %s, ", form->keys);
    for (size_t i = 0; i < SUMS; i++) {
        append_number(sql, form->only_limits ? "0" : sums[i].expression, form->has_sign);
        dj_text_format(sql, " AS %s, ", sums[i].name);
    }
    append_limit(sql, "slow", 4, form->limits->slow_pct, form->has_sign);
    append_limit(sql, "frozen", 8, form->limits->frozen_pct, form->has_sign);
    if (form->only_limits) {
        dj_text_add(sql, "emptyArrayUInt8() AS time_bucket, emptyArrayUInt64() AS "
                         "time_count FROM ");
    } else {
        dj_text_add(sql, "frame_time_bucket AS time_bucket, arrayMap(n -> ");
        append_number(sql, "n", form->has_sign);
        dj_text_add(sql, ", frame_time_count) AS time_count FROM ");
    }
}

/* Appends the names of all sums, each with a prefix. */
static void append_sum_names(struct dj_text *sql, const char *prefix)
{
    for (size_t i = 0; i < SUMS; i++) {
        dj_text_format(sql, "%s%s, ", prefix, sums[i].name);
    }
}

void dj_fleet_append_rollup_rows(struct dj_text *sql, const char *keys,
                                 const struct dj_fleet_rollup *rollup, bool has_limits)
{
    dj_text_format(sql, "SELECT %s, ", keys);
    append_sum_names(sql, "");
    dj_text_format(sql, "%s, time_bucket, time_count FROM dejank.%s WHERE ",
                   has_limits ? "slow_sessions, frozen_sessions"
                              : "toUInt64(0) AS slow_sessions, toUInt64(0) AS "
                                "frozen_sessions",
                   rollup->table);
}

void dj_fleet_append_sums(struct dj_text *sql)
{
    for (size_t i = 0; i < SUMS; i++) {
        dj_text_format(sql, "sum(%s) AS sum_of_%s, ", sums[i].name, sums[i].name);
    }
    dj_text_add(sql,
                "sum(slow_sessions) AS sum_of_slow_sessions, sum(frozen_sessions) "
                "AS sum_of_frozen_sessions, sumMap(time_bucket, time_count) AS times");
}

void dj_fleet_append_sums_text(struct dj_text *sql)
{
    for (size_t i = 0; i < SUMS; i++) {
        dj_text_format(sql, "toString(sum_of_%s), ' ', ", sums[i].name);
    }
    dj_text_add(sql, "toString(sum_of_slow_sessions), ' ', "
                     "toString(sum_of_frozen_sessions), ' ', toString(buckets), ' ', "
                     "toString(counts)");
}

/* Appends the beginning of a SELECT statement that computes rows of a roll-up, up to the
 * sub-query with the source rows. */
static void begin_sums(struct dj_text *sql, const struct dj_fleet_rollup *rollup,
                       bool has_part)
{
    const char *part = has_part ? ", part" : "";
    dj_text_format(sql, "SELECT %s, ", rollup->key);
    append_sum_names(sql, "sum_of_");
    dj_text_format(sql,
                   "sum_of_slow_sessions, sum_of_frozen_sessions, times.1 AS "
                   "buckets, times.2 AS counts%s FROM (SELECT %s%s, ",
                   part, rollup->key, part);
    dj_fleet_append_sums(sql);
    dj_text_add(sql, " FROM (");
}

static void end_sums(struct dj_text *sql, const struct dj_fleet_rollup *rollup,
                     bool has_part)
{
    dj_text_format(sql, ") GROUP BY %s%s)", rollup->key, has_part ? ", part" : "");
}

void dj_fleet_append_part_sums(struct dj_text *sql, const struct dj_fleet_rollup *rollup,
                               const char *parts, bool has_part)
{
    char *keys =
        has_part ? dj_xformat("%s, _part AS part", rollup->key) : dj_xstrdup(rollup->key);
    struct dj_fleet_row_form form = {.keys = keys, .limits = &dj_fleet_default_limits};
    begin_sums(sql, rollup, has_part);
    dj_fleet_append_session_rows(sql, &form);
    dj_text_format(sql, "dejank.sessions_local WHERE _part IN (%s)", parts);
    end_sums(sql, rollup, has_part);
    free(keys);
}

void dj_fleet_append_coarser_sums(struct dj_text *sql,
                                  const struct dj_fleet_rollup *rollup, const char *from,
                                  bool has_part)
{
    begin_sums(sql, rollup, has_part);
    dj_text_format(sql, "SELECT * FROM %s", from);
    end_sums(sql, rollup, has_part);
}

static void append_key_columns(struct dj_text *sql, const char *key)
{
    struct dj_str rest = dj_str_of(key);
    while (rest.length > 0) {
        struct dj_str name = dj_str_until(rest, ",");
        for (size_t i = 0; i < COUNT_OF(key_types); i++) {
            if (dj_str_is(name, key_types[i].name)) {
                dj_text_format(sql, "%s %s, ", key_types[i].name, key_types[i].type);
            }
        }
        rest =
            dj_str_from(rest, name.length < rest.length ? name.length + 1 : name.length);
    }
}

static void append_rollup(struct dj_text *sql, const struct dj_fleet_rollup *rollup)
{
    dj_text_format(sql, "CREATE TABLE IF NOT EXISTS dejank.%s (", rollup->table);
    append_key_columns(sql, rollup->key);
    for (size_t i = 0; i < SUMS; i++) {
        dj_text_format(sql, "%s UInt64, ", sums[i].name);
    }
    dj_text_format(sql,
                   "slow_sessions UInt64, frozen_sessions UInt64, time_bucket "
                   "Array(UInt8), time_count Array(UInt64), part String) ENGINE = "
                   "MergeTree PARTITION BY toMonday(day) ORDER BY (%s)",
                   rollup->key);
}

static void append_sessions(struct dj_text *sql)
{
    dj_text_format(sql,
                   "CREATE TABLE IF NOT EXISTS dejank.sessions_local (%s) ENGINE = "
                   "ReplacingMergeTree(revision) PARTITION BY toMonday(day) ORDER BY "
                   "(app, version_code, device, release, refresh_hz, day, id)",
                   session_columns);
}

static void append_distributed(struct dj_text *sql, const struct dj_cluster *cluster,
                               const char *name, const char *local, const char *key)
{
    dj_text_format(sql,
                   "CREATE TABLE IF NOT EXISTS dejank.%s AS dejank.%s ENGINE = "
                   "Distributed(",
                   name, local);
    dj_fleet_cluster_append_name(sql, cluster);
    dj_text_format(sql, ", dejank, %s%s)", local, key);
}

static int create_tables(struct dj_cluster *cluster, struct dj_error *err)
{
    struct dj_text sql = {0};
    append_sessions(&sql);
    int code = dj_fleet_cluster_run(cluster, &sql, err);
    for (size_t i = 0; i < DJ_FLEET_ROLLUPS && code == 0; i++) {
        append_rollup(&sql, &dj_fleet_rollups[i]);
        code = dj_fleet_cluster_run(cluster, &sql, err);
    }
    if (code == 0) {
        append_distributed(&sql, cluster, "sessions", "sessions_local",
                           ", sipHash64(id)");
        code = dj_fleet_cluster_run(cluster, &sql, err);
    }
    if (code == 0) {
        append_distributed(&sql, cluster, "daily", "daily_local", "");
        code = dj_fleet_cluster_run(cluster, &sql, err);
    }
    dj_text_finish(&sql);
    return code;
}

/* Reads the version of the tables of each shard. */
static int read_versions(struct dj_cluster *cluster, struct dj_fleet_init_result *results,
                         struct dj_error *err)
{
    int code = dj_fleet_cluster_query_all(
        cluster, "SELECT max(version) FROM dejank.schema_versions FORMAT TabSeparated",
        err);
    code = code == 0 ? dj_fleet_cluster_require_all(cluster, err) : code;
    for (size_t i = 0; i < cluster->count && code == 0; i++) {
        int64_t version = 0;
        dj_str_int(dj_text_str(&cluster->shards[i].answer), &version);
        results[i] = (struct dj_fleet_init_result){.is_new = version == 0,
                                                   .version_before = version};
        if (version > DJ_FLEET_SCHEMA_VERSION) {
            code =
                dj_error_set(err, DJ_E_VERSION,
                             "shard %s: a newer dejank made its tables (version "
                             "%" PRId64 ", this dejank knows %d)",
                             cluster->shards[i].label, version, DJ_FLEET_SCHEMA_VERSION);
        }
    }
    return code;
}

/* Drops the roll-ups of schema version 1. Their rows do not name the part that they sum
 * up. */
static int drop_old_rollups(struct dj_cluster *cluster, size_t shard,
                            struct dj_error *err)
{
    static const char *const tables[] = {"daily", "daily_local", "versions_local",
                                         "rolled"};
    int code = 0;
    for (size_t i = 0; i < COUNT_OF(tables) && code == 0; i++) {
        struct dj_text sql = {0};
        dj_text_format(&sql, "DROP TABLE IF EXISTS dejank.%s", tables[i]);
        code = dj_fleet_cluster_query(cluster, shard, dj_xtext(&sql), err);
        dj_text_finish(&sql);
    }
    return code;
}

/* Reads the version of the tables of each shard, and removes tables that the newest
 * version replaces. */
static int prepare(struct dj_cluster *cluster, struct dj_fleet_init_result *results,
                   struct dj_error *err)
{
    struct dj_text sql = {0};
    dj_text_add(&sql, "CREATE DATABASE IF NOT EXISTS dejank");
    int code = dj_fleet_cluster_run(cluster, &sql, err);
    if (code == 0) {
        dj_text_add(&sql, "CREATE TABLE IF NOT EXISTS dejank.schema_versions (version "
                          "UInt32, shard UInt32, made Date) ENGINE = MergeTree "
                          "PARTITION BY tuple() ORDER BY version");
        code = dj_fleet_cluster_run(cluster, &sql, err);
    }
    code = code == 0 ? read_versions(cluster, results, err) : code;
    for (size_t i = 0; i < cluster->count && code == 0; i++) {
        if (results[i].version_before == 1) {
            code = drop_old_rollups(cluster, i, err);
        }
    }
    return code;
}

int dj_fleet_create_schema(struct dj_cluster *cluster,
                           struct dj_fleet_init_result *results, struct dj_error *err)
{
    struct dj_text sql = {0};
    int code = prepare(cluster, results, err);
    code = code == 0 ? create_tables(cluster, err) : code;
    for (size_t i = 0; i < cluster->count && code == 0; i++) {
        if (results[i].version_before < DJ_FLEET_SCHEMA_VERSION) {
            dj_text_format(&sql,
                           "INSERT INTO dejank.schema_versions SELECT %d, %zu, today()",
                           DJ_FLEET_SCHEMA_VERSION, i + 1);
            code = dj_fleet_cluster_query(cluster, i, dj_xtext(&sql), err);
            dj_text_clear(&sql);
        }
    }
    dj_text_finish(&sql);
    return code;
}
