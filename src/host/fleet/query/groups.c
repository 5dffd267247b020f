#include "fleet/query.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "fleet/session/row_reader.h"
#include "memory/memory.h"

enum { TEXT_MOST = 4096, SUM_COUNT = 11 };

static void read_times(struct dj_row_reader *reader, uint64_t *times)
{
    size_t count = dj_row_reader_read_length(reader, DJ_FRAME_BUCKETS);
    const char *buckets = dj_row_reader_read_bytes(reader, count);
    if (dj_row_reader_read_length(reader, DJ_FRAME_BUCKETS) != count) {
        dj_row_reader_fail(reader, DJ_E_INVALID);
    }
    for (size_t i = 0; i < count && buckets != NULL; i++) {
        uint8_t bucket = (uint8_t)buckets[i];
        uint64_t frames = dj_row_reader_read_number(reader, sizeof(frames));
        if (bucket >= DJ_FRAME_BUCKETS) {
            reader->code = DJ_E_INVALID;
            return;
        }
        times[bucket] += frames;
    }
}

static bool has_keys(const struct dj_fleet_group *group, char *const *key, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(group->key[i], key[i]) != 0) {
            return false;
        }
    }
    return true;
}

static uint64_t hash_keys(char *const *key, size_t count)
{
    uint64_t hash = DJ_HASH_FNV;
    for (size_t i = 0; i < count; i++) {
        hash = dj_hash_fnv(hash, key[i], strlen(key[i]) + 1);
    }
    return hash;
}

/* Returns the group with these keys, or a new one. Frees the keys or moves them to the
 * group. */
static struct dj_fleet_group *find_group(struct dj_fleet_result *result,
                                         struct dj_map *map, char **key)
{
    size_t count = result->query.by_count, slot = 0;
    uint64_t hash = hash_keys(key, count);
    for (size_t at = dj_map_first(map, hash, &slot); at != DJ_MAP_NONE;
         at = dj_map_next(map, hash, &slot)) {
        if (has_keys(&result->groups[at], key, count)) {
            for (size_t i = 0; i < count; i++) {
                free(key[i]);
            }
            return &result->groups[at];
        }
    }
    dj_xcheck(dj_map_add(map, hash, result->count));
    DJ_XROOM(result->groups, result->count);
    struct dj_fleet_group *group = &result->groups[result->count++];
    *group = (struct dj_fleet_group){.sessions = 0};
    memcpy(group->key, key, count * sizeof(*key));
    return group;
}

static void add_group(struct dj_fleet_result *result, struct dj_map *map,
                      struct dj_row_reader *reader)
{
    char *key[DJ_FLEET_KEYS];
    for (size_t i = 0; i < result->query.by_count; i++) {
        size_t length = dj_row_reader_read_length(reader, TEXT_MOST);
        const char *at = dj_row_reader_read_bytes(reader, length);
        key[i] = dj_xcopy(at != NULL ? at : "", at != NULL ? length : 0);
    }
    struct dj_fleet_group *group = find_group(result, map, key);
    int64_t day = (int64_t)dj_row_reader_read_number(reader, 2);
    int64_t *const sums[SUM_COUNT] = {
        &group->sessions,      &group->frames,         &group->janky,
        &group->janky_of,      &group->slow,           &group->slow_of,
        &group->frozen,        &group->frozen_of,      &group->timed_frames,
        &group->slow_sessions, &group->frozen_sessions};
    int64_t sessions = group->sessions;
    for (size_t i = 0; i < SUM_COUNT; i++) {
        *sums[i] += (int64_t)dj_row_reader_read_number(reader, sizeof(int64_t));
    }
    read_times(reader, group->times);
    if (group->sessions > sessions && day > result->newest_day) {
        result->newest_day = day;
    }
}

int dj_fleet_add_answer(struct dj_fleet_result *result, struct dj_str answer,
                        struct dj_error *err)
{
    struct dj_row_reader reader = {.rest = answer};
    struct dj_map map = {0};
    for (size_t i = 0; i < result->count; i++) {
        dj_xcheck(dj_map_add(
            &map, hash_keys(result->groups[i].key, result->query.by_count), i));
    }
    while (reader.rest.length > 0 && reader.code == 0) {
        add_group(result, &map, &reader);
    }
    dj_map_finish(&map);
    return reader.code != 0
               ? dj_error_set(err, DJ_E_PROTOCOL, "the answer of a shard is damaged")
               : 0;
}

static int compare_frames(const void *a, const void *b, void *user)
{
    const struct dj_fleet_group *one = a, *other = b;
    const struct dj_fleet_query *query = user;
    int order = 0;
    for (size_t i = 0; i < query->by_count; i++) {
        if (query->by[i] == DJ_FLEET_DAY) {
            order = order != 0 ? order : strcmp(one->key[i], other->key[i]);
        }
    }
    if (order == 0) {
        order = (one->frames < other->frames) - (one->frames > other->frames);
    }
    for (size_t i = 0; i < query->by_count && order == 0; i++) {
        order = strcmp(one->key[i], other->key[i]);
    }
    return order;
}

void dj_fleet_sort_groups(struct dj_fleet_result *result)
{
    if (result->count > 1) {
        qsort_r(result->groups, result->count, sizeof(*result->groups), compare_frames,
                &result->query);
    }
}

double dj_fleet_percentile_ms(const struct dj_fleet_group *group, unsigned percent)
{
    uint64_t total = (uint64_t)group->timed_frames;
    if (total == 0) {
        return NAN;
    }
    /* As hwui computes it: dj_stats_percentile_bucket() with wider counters. */
    int64_t remaining = (int64_t)(total - percent * total / 100);
    for (size_t i = DJ_FRAME_BUCKETS; i-- > 0;) {
        remaining -= (int64_t)group->times[i];
        if (remaining <= 0) {
            return dj_frame_bucket_label_ms(i);
        }
    }
    return 0;
}

double dj_fleet_percent(int64_t count, int64_t of)
{
    return of > 0 ? 100.0 * (double)count / (double)of : NAN;
}
