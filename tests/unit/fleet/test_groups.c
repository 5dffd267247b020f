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

Test(fleet_statement, reads_open_weeks_from_sessions_and_others_from_a_rollup)
{
    struct dj_fleet_query query;
    struct dj_fleet_week weeks[] = {
        {20000, 1, true}, {20007, 2, true}, {20014, 3, false}};
    struct dj_fleet_shard_state shard = {
        .answers = true, .weeks = weeks, .week_count = 3};
    struct dj_text sql = {0};
    dj_fleet_query_init(&query);
    cr_assert(dj_fleet_append_query(&sql, &query, &shard));
    cr_expect(strstr(sql.data, "versions_local WHERE ((day BETWEEN '2024-10-04' AND "
                               "'2024-10-17'))"),
              "%s", sql.data);
    cr_expect(strstr(sql.data, "FINAL WHERE ((day BETWEEN '2024-10-18'"), "%s", sql.data);
    dj_text_clear(&sql);
    cr_assert_eq(dj_fleet_parse_keys("device", &query, NULL), 0);
    dj_fleet_append_query(&sql, &query, &shard);
    cr_expect(strstr(sql.data, "daily_local"), "%s", sql.data);
    dj_text_clear(&sql);
    query.limits.slow_pct = 50;
    dj_fleet_append_query(&sql, &query, &shard);
    cr_expect_not(strstr(sql.data, "daily_local"), "%s", sql.data);
    dj_text_finish(&sql);
}

Test(fleet_statement, a_shard_without_weeks_is_not_asked)
{
    struct dj_fleet_query query;
    struct dj_fleet_shard_state shard = {.answers = true};
    struct dj_text sql = {0};
    dj_fleet_query_init(&query);
    cr_expect_not(dj_fleet_append_query(&sql, &query, &shard));
    dj_text_finish(&sql);
}
