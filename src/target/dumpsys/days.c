#include "dumpsys/days.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static const int64_t NS_PER_MS = 1000000;
static const int64_t MS_PER_DAY = INT64_C(86400000);

enum { DAYS_KEPT = 3, DAYS_AHEAD = 1 };

void dj_days_finish(struct dj_days *days)
{
    for (size_t i = 0; i < days->count; i++) {
        free(days->entries[i].merged);
    }
    free(days->entries);
    *days = (struct dj_days){0};
}

struct dj_days_entry *dj_days_append(struct dj_days *days, struct dj_error *err)
{
    if (days->count >= DJ_DAYS_ENTRIES) {
        dj_error_set(err, DJ_E_LIMIT,
                     "there are more than %d entries of packages and days",
                     DJ_DAYS_ENTRIES);
        return NULL;
    }
    if (!DJ_ARRAY_ROOM(days->entries, days->count)) {
        dj_error_set(err, DJ_E_NO_MEMORY,
                     "out of memory for entries of packages and days");
        return NULL;
    }
    days->entries[days->count] = (struct dj_days_entry){0};
    return &days->entries[days->count++];
}

int dj_days_add_merged(struct dj_days *days, struct dj_days_entry *entry,
                       const struct dj_days_segment *segment, struct dj_error *err)
{
    if (days->merged_count >= DJ_DAYS_MERGED) {
        return dj_error_set(err, DJ_E_LIMIT,
                            "more than %d processes ended in the last three days",
                            DJ_DAYS_MERGED);
    }
    if (!DJ_ARRAY_PUSH(entry->merged, entry->merged_count, *segment)) {
        return dj_error_set(err, DJ_E_NO_MEMORY,
                            "out of memory for the list of segments");
    }
    days->merged_count++;
    return 0;
}

/* Returns the length of the package name at the beginning of a process name.
 * "com.x:helper" is a process of the package com.x, as in Android. */
static size_t get_package_length(const char *name)
{
    size_t length = strcspn(name, ":");
    return length > 0 ? length : strlen(name);
}

static int64_t get_day(int64_t ms)
{
    return ms >= 0 ? ms / MS_PER_DAY : -1;
}

/* Converts a time of CLOCK_MONOTONIC to ms since 1970. The result is too early if the
 * machine was suspended between that time and the snapshot, because CLOCK_MONOTONIC stops
 * during suspend. */
static int64_t convert_to_wall_ms(const struct dj_snapshot *snapshot, int64_t stamp_ns)
{
    int64_t age_ns;
    int64_t wall_ns;
    if (__builtin_sub_overflow(stamp_ns, snapshot->created_ns, &age_ns) || age_ns < 0 ||
        __builtin_add_overflow(snapshot->created_wall_ns, age_ns, &wall_ns)) {
        wall_ns = snapshot->created_wall_ns;
    }
    return wall_ns / NS_PER_MS;
}

void dj_days_compute_entry(const struct dj_snapshot *snapshot, unsigned uid,
                           struct dj_days_entry *entry)
{
    int64_t last_ns = snapshot->created_ns;
    *entry = (struct dj_days_entry){
        .uid = uid, .dialect = snapshot->dialect, .running = !snapshot->ended};
    memcpy(entry->package, snapshot->name, get_package_length(snapshot->name));
    snprintf(entry->version, sizeof(entry->version), "%s", snapshot->app_version);
    for (size_t i = 0; i < snapshot->window_count; i++) {
        const struct dj_snapshot_window *window = &snapshot->windows[i];
        dj_frame_stats_merge(&entry->stats, &window->cumulative);
        last_ns = window->last_ns > last_ns ? window->last_ns : last_ns;
    }
    entry->stats.since_ns = snapshot->created_ns;
    entry->start_ms = snapshot->created_wall_ns / NS_PER_MS;
    entry->end_ms = convert_to_wall_ms(snapshot, last_ns);
    entry->day = get_day(entry->start_ms);
}

static bool is_same_entry(const struct dj_days_entry *a, const struct dj_days_entry *b)
{
    return a->uid == b->uid && a->day == b->day && a->dialect == b->dialect &&
           strcmp(a->package, b->package) == 0 && strcmp(a->version, b->version) == 0;
}

static bool is_same_segment(const struct dj_days_segment *a,
                            const struct dj_days_segment *b)
{
    return a->pid == b->pid && a->start_ticks == b->start_ticks &&
           a->created_ns == b->created_ns && a->created_wall_ns == b->created_wall_ns;
}

static bool is_merged(const struct dj_days_entry *entry,
                      const struct dj_days_segment *segment)
{
    for (size_t i = 0; i < entry->merged_count; i++) {
        if (is_same_segment(&entry->merged[i], segment)) {
            return true;
        }
    }
    return false;
}

/* Returns the entry of the same package, version, owner, release and day, or NULL. The
 * header of a segment contains all of these, so no other entry can contain the
 * segment. */
static struct dj_days_entry *find_entry(const struct dj_days *days,
                                        const struct dj_days_entry *like)
{
    for (size_t i = 0; i < days->count; i++) {
        if (is_same_entry(&days->entries[i], like)) {
            return &days->entries[i];
        }
    }
    return NULL;
}

static void merge_entry(struct dj_days_entry *entry, const struct dj_days_entry *more)
{
    dj_frame_stats_merge(&entry->stats, &more->stats);
    entry->running = entry->running || more->running;
    entry->start_ms = more->start_ms < entry->start_ms ? more->start_ms : entry->start_ms;
    entry->end_ms = more->end_ms > entry->end_ms ? more->end_ms : entry->end_ms;
}

bool dj_days_add(struct dj_days *days, const struct dj_snapshot *snapshot, unsigned uid,
                 struct dj_error *err)
{
    const struct dj_days_segment segment = {snapshot->pid, snapshot->start_ticks,
                                            snapshot->created_ns,
                                            snapshot->created_wall_ns};
    struct dj_days_entry computed;
    dj_days_compute_entry(snapshot, uid, &computed);
    struct dj_days_entry *entry = find_entry(days, &computed);
    bool known = entry != NULL;
    if (computed.stats.counter[DJ_COUNTER_TOTAL] == 0 ||
        (known && is_merged(entry, &segment))) {
        return false;
    }
    if (!known) {
        entry = dj_days_append(days, err);
        if (entry == NULL) {
            return false;
        }
    }
    if (snapshot->ended && dj_days_add_merged(days, entry, &segment, err) != 0) {
        days->count -= known ? 0 : 1;
        return false;
    }
    if (known) {
        merge_entry(entry, &computed);
    } else {
        computed.merged = entry->merged;
        computed.merged_count = entry->merged_count;
        *entry = computed;
    }
    return true;
}

int dj_days_merge(struct dj_days *days, const struct dj_days *more, struct dj_error *err)
{
    for (size_t i = 0; i < more->count; i++) {
        struct dj_days_entry *entry = find_entry(days, &more->entries[i]);
        if (entry != NULL) {
            merge_entry(entry, &more->entries[i]);
            continue;
        }
        entry = dj_days_append(days, err);
        if (entry == NULL) {
            return err->code;
        }
        *entry = more->entries[i];
        entry->merged = NULL;
        entry->merged_count = 0;
    }
    return 0;
}

bool dj_days_is_kept(int64_t end_ms, int64_t now_ms)
{
    return end_ms >= now_ms - DAYS_KEPT * MS_PER_DAY &&
           end_ms <= now_ms + DAYS_AHEAD * MS_PER_DAY;
}

bool dj_days_drop_old(struct dj_days *days, int64_t now_ms)
{
    struct dj_days kept = {0};
    size_t before = days->count;
    for (size_t i = 0; i < before; i++) {
        struct dj_days_entry *entry = &days->entries[i];
        if (dj_days_is_kept(entry->end_ms, now_ms)) {
            days->entries[kept.count++] = *entry;
            kept.merged_count += entry->merged_count;
        } else {
            free(entry->merged);
        }
    }
    days->count = kept.count;
    days->merged_count = kept.merged_count;
    return kept.count < before;
}

static int compare_entries(const void *left, const void *right)
{
    const struct dj_days_entry *a = left;
    const struct dj_days_entry *b = right;
    if (a->running != b->running) {
        return a->running ? -1 : 1;
    }
    if (a->end_ms != b->end_ms) {
        return a->end_ms > b->end_ms ? -1 : 1;
    }
    return strcmp(a->package, b->package);
}

void dj_days_sort(struct dj_days *days)
{
    if (days->count > 0) {
        qsort(days->entries, days->count, sizeof(days->entries[0]), compare_entries);
    }
}
