#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/query.h"
#include "frame/stats.h"

/* A xorshift generator. */
static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void add_random_session(struct dj_stats *stats, struct dj_fleet_group *group,
                               uint64_t *state)
{
    uint64_t used = next(state) % 20, frames = 0;
    for (uint64_t i = 0; i < used; i++) {
        size_t bucket = next(state) % DJ_FRAME_BUCKETS;
        uint32_t count = (uint32_t)(next(state) % 1000);
        stats->frame_histogram[bucket] += count;
        group->times[bucket] += count;
        frames += count;
    }
    frames += next(state) % 3; /* hwui counts some frames without a bucket. */
    stats->counter[DJ_COUNTER_TOTAL] += (uint32_t)frames;
    group->timed_frames += (int64_t)frames;
}

Test(fleet_groups, percentiles_are_those_of_one_process)
{
    static const unsigned percents[] = {50, 90, 95, 99};
    uint64_t state = 88172645463325252;
    for (int round = 0; round < 5000; round++) {
        struct dj_stats stats = {0};
        struct dj_fleet_group group = {0};
        for (uint64_t sessions = next(&state) % 6 + 1; sessions > 0; sessions--) {
            add_random_session(&stats, &group, &state);
        }
        for (size_t i = 0; i < COUNT_OF(percents) && group.timed_frames > 0; i++) {
            cr_assert_eq(dj_fleet_percentile_ms(&group, percents[i]),
                         dj_frame_stats_percentile_ms(&stats, percents[i]));
        }
    }
}

Test(fleet_groups, percentiles_without_frames_are_unknown)
{
    struct dj_fleet_group group = {0};
    cr_expect(isnan(dj_fleet_percentile_ms(&group, 50)));
    cr_expect(isnan(dj_fleet_percent(0, 0)));
    cr_expect_eq(dj_fleet_percent(1, 8), 12.5);
}

Test(fleet_groups, percentiles_of_more_frames_than_32_bits_count)
{
    struct dj_fleet_group group = {.timed_frames = INT64_C(20000000000)};
    group.times[0] = UINT64_C(18000000000);
    group.times[153] = UINT64_C(2000000000);
    cr_expect_eq(dj_fleet_percentile_ms(&group, 50), 5);
    cr_expect_eq(dj_fleet_percentile_ms(&group, 95), 4950);
}

/* One group in RowBinary: key "v", day 20000, 11 sums, one bucket. */
static size_t make_answer(char *bytes)
{
    uint64_t sum = 7, count = 5;
    uint16_t day = 20000;
    size_t length = 0;
    memcpy(bytes, "\x01v", 2);
    length += 2;
    memcpy(bytes + length, &day, sizeof(day));
    length += sizeof(day);
    for (int i = 0; i < 11; i++) {
        memcpy(bytes + length, &sum, sizeof(sum));
        length += sizeof(sum);
    }
    memcpy(bytes + length, "\x01\x03\x01", 3);
    length += 3;
    memcpy(bytes + length, &count, sizeof(count));
    return length + sizeof(count);
}

Test(fleet_groups, answers_of_shards_are_added)
{
    char bytes[256];
    size_t length = make_answer(bytes);
    struct dj_fleet_result result = {.newest_day = -1};
    result.query.by_count = 1;
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(dj_fleet_add_answer(&result, (struct dj_str){bytes, length}, NULL),
                     0);
    }
    cr_assert_eq(result.count, 1);
    cr_expect_str_eq(result.groups[0].key[0], "v");
    cr_expect_eq(result.groups[0].sessions, 14);
    cr_expect_eq(result.groups[0].frozen_sessions, 14);
    cr_expect_eq(result.groups[0].times[3], 10);
    cr_expect_eq(result.newest_day, 20000);
    dj_fleet_result_finish(&result);
}

Test(fleet_groups, a_truncated_answer_is_an_error)
{
    char bytes[256];
    size_t length = make_answer(bytes);
    for (size_t cut = 1; cut < length; cut++) {
        struct dj_fleet_result result = {.newest_day = -1};
        result.query.by_count = 1;
        cr_expect_eq(dj_fleet_add_answer(&result, (struct dj_str){bytes, cut}, NULL),
                     DJ_E_PROTOCOL);
        dj_fleet_result_finish(&result);
    }
}

Test(fleet_groups, a_bucket_beyond_the_last_is_an_error)
{
    char bytes[256];
    size_t length = make_answer(bytes);
    bytes[length - 10] = (char)200;
    struct dj_fleet_result result = {.newest_day = -1};
    result.query.by_count = 1;
    cr_expect_eq(dj_fleet_add_answer(&result, (struct dj_str){bytes, length}, NULL),
                 DJ_E_PROTOCOL);
    dj_fleet_result_finish(&result);
}

/* ClickHouse 18.16 computed these: SELECT sipHash64(''), sipHash64('abc'), … */
Test(fleet_cluster, the_hash_is_that_of_the_server)
{
    cr_expect_eq(dj_fleet_cluster_hash("", 0), UINT64_C(2202906307356721367));
    cr_expect_eq(dj_fleet_cluster_hash("abc", 3), UINT64_C(4596069200710135518));
    cr_expect_eq(dj_fleet_cluster_hash("0123456789abcdef", 16),
                 UINT64_C(10719539101438027700));
}

Test(fleet_cluster, texts_in_statements_are_hexadecimal)
{
    struct dj_text sql = {0};
    dj_sql_append_text(&sql, "a'\\");
    cr_expect_str_eq(dj_text_get(&sql), "unhex('61275C')");
    dj_text_finish(&sql);
}

/* Three weeks: rolled up, rolled up with a later part, and one with too many later
 * rows. */
static struct dj_fleet_part first_parts[] = {{"one", 100, 3}};
static struct dj_fleet_part second_parts[] = {{"two", 100, 4}, {"more", 20, 7}};
static struct dj_fleet_part third_parts[] = {{"three", 100, 5}, {"many", 80, 9}};
static struct dj_fleet_week three_weeks[] = {
    {20000, first_parts, 1, true, {true, true}},
    {20007, second_parts, 2, true, {true, false}},
    {20014, third_parts, 2, true, {true, true}},
};
static const struct dj_fleet_shard_state shard_of_three_weeks = {
    .answers = true, .weeks = three_weeks, .week_count = 3};

static bool asks(const struct dj_fleet_query *query, const char *what)
{
    struct dj_text sql = {0};
    cr_assert(dj_fleet_append_query(&sql, query, &shard_of_three_weeks));
    bool found = strstr(dj_text_get(&sql), what) != NULL;
    dj_text_finish(&sql);
    return found;
}

Test(fleet_statement, reads_each_week_where_that_is_fastest)
{
    struct dj_fleet_query query;
    dj_fleet_query_init(&query);
    cr_expect(asks(&query, "versions_local WHERE part IN ('one', 'two')"));
    cr_expect(asks(&query, "_part)[3]) <= 7 AND _part NOT IN ('one', 'two') AND NOT (day "
                           "BETWEEN '2024-10-18' AND '2024-10-24')) WHERE _part IN "
                           "('two')"));
    cr_expect(asks(&query, "FINAL WHERE (day BETWEEN '2024-10-18' AND '2024-10-24')"));
    cr_expect_not(asks(&query, "'three'"));
}

Test(fleet_statement, conditions_that_all_revisions_meet_select_what_is_read)
{
    struct dj_fleet_query query;
    dj_fleet_query_init(&query);
    query.only[DJ_FLEET_DEVICE] = "d";
    query.only[DJ_FLEET_CLASS] = "c";
    query.since_day = 20001;
    cr_expect(asks(&query, "PREWHERE id IN (SELECT id FROM dejank.sessions_local WHERE "
                           "toInt64(splitByChar('_', _part)[3]) <= 7 AND _part NOT IN "
                           "('one', 'two')"));
    cr_expect(asks(&query, ") WHERE _part IN ('two') AND device = unhex('64') AND day >= "
                           "'2024-10-05' UNION ALL"));
    cr_expect(asks(&query, ") WHERE 1 AND device = unhex('64') AND day >= '2024-10-05' "
                           "AND class = unhex('63')"));
}

/* A server refuses statements of more than 256 KiB, unless it is configured otherwise. */
Test(fleet_statement, is_short_with_many_later_parts)
{
    enum { WEEKS = 520, LATER = 300 };
    static struct dj_fleet_part parts[LATER + 1];
    static struct dj_fleet_week weeks[WEEKS];
    for (size_t i = 0; i <= LATER; i++) {
        parts[i] = (struct dj_fleet_part){"20260302_123456_234567_12", 9, (int64_t)i};
    }
    parts[0].rows = 100000;
    for (size_t i = 0; i < WEEKS; i++) {
        weeks[i] = (struct dj_fleet_week){
            20000 + 7 * (int64_t)i, parts, LATER + 1, true, {true, true}};
    }
    struct dj_fleet_shard_state shard = {.weeks = weeks, .week_count = WEEKS};
    struct dj_fleet_query query;
    struct dj_text sql = {0};
    dj_fleet_query_init(&query);
    query.limits.slow_pct = 50;
    cr_assert(dj_fleet_append_query(&sql, &query, &shard));
    cr_expect_lt(sql.length, 128 << 10);
    dj_text_finish(&sql);
}

Test(fleet_statement, a_key_that_only_the_larger_roll_up_has)
{
    struct dj_fleet_query query;
    dj_fleet_query_init(&query);
    cr_assert_eq(dj_fleet_parse_keys("device", &query, NULL), 0);
    cr_expect(asks(&query, "daily_local WHERE part IN ('one')"));
    cr_expect(asks(&query, "sessions_local WHERE _part IN ('two')"));
}

Test(fleet_statement, other_limits_are_counted_in_the_sessions)
{
    struct dj_fleet_query query;
    dj_fleet_query_init(&query);
    query.limits.slow_pct = 50;
    cr_expect(asks(&query, "toUInt64(0) AS slow_sessions"));
    cr_expect(asks(&query, "dejank.sessions_local WHERE _part IN ('one', 'two')"));
}

Test(fleet_state, a_week_persists_while_its_parts_are_there)
{
    struct dj_fleet_part merged[] = {{"two-and-more", 120, 7}};
    struct dj_fleet_part grown[] = {{"two", 100, 4}, {"more", 20, 7}, {"new", 1, 8}};
    struct dj_fleet_week weeks[] = {{20007, merged, 1, true, {true, false}}};
    struct dj_fleet_shard_state after = {.weeks = weeks, .week_count = 1};
    cr_expect(dj_fleet_week_persists(&three_weeks[1], &shard_of_three_weeks));
    cr_expect_not(dj_fleet_week_persists(&three_weeks[1], &after));
    weeks[0].parts = grown;
    weeks[0].part_count = 3;
    cr_expect(dj_fleet_week_persists(&three_weeks[1], &after));
    weeks[0].is_rolled[0] = false;
    cr_expect_not(dj_fleet_week_persists(&three_weeks[1], &after));
}

Test(fleet_statement, a_shard_without_weeks_gets_no_query)
{
    struct dj_fleet_query query;
    struct dj_fleet_shard_state shard = {.answers = true};
    struct dj_text sql = {0};
    dj_fleet_query_init(&query);
    cr_expect_not(dj_fleet_append_query(&sql, &query, &shard));
    dj_text_finish(&sql);
}
