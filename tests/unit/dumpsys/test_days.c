/* Tests the sums of days. Each frame must count once, even if its segment is read
 * several times. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "dumpsys/days.h"

static const int64_t DAY_MS = 86400000;
static const int64_t NOW_MS = INT64_C(20778) * 86400000 + 3600000;

static struct dj_days days;
static struct dj_error err;
static struct dj_snapshot_window windows[2];

static void finish(void)
{
    dj_days_finish(&days);
}

TestSuite(days, .fini = finish);

/* Returns the snapshot of a process with two windows, which together drew this number
 * of frames in ten seconds. */
static struct dj_snapshot make_snapshot(const char *name, int64_t pid, uint32_t frames,
                                        bool ended)
{
    struct dj_snapshot snapshot = {
        .pid = pid,
        .start_ticks = 100 + (uint64_t)pid,
        .dialect = dj_frame_dialect_default(),
        .created_ns = 5000000000,
        .created_wall_ns = NOW_MS * 1000000,
        .ended = ended,
        .windows = windows,
        .window_count = 2,
    };
    snprintf(snapshot.name, sizeof(snapshot.name), "%s", name);
    memset(windows, 0, sizeof(windows));
    windows[0].cumulative.counter[DJ_COUNTER_TOTAL] = frames / 2;
    windows[1].cumulative.counter[DJ_COUNTER_TOTAL] = frames - frames / 2;
    windows[0].cumulative.frame_histogram[3] = frames / 2;
    windows[1].cumulative.frame_histogram[3] = frames - frames / 2;
    windows[1].last_ns = 15000000000;
    return snapshot;
}

static bool add_process(const char *name, int64_t pid, uint32_t frames, bool ended)
{
    struct dj_snapshot snapshot = make_snapshot(name, pid, frames, ended);
    return dj_days_add(&days, &snapshot, 1000, &err);
}

static uint32_t get_total(size_t entry)
{
    return days.entries[entry].stats.counter[DJ_COUNTER_TOTAL];
}

Test(days, windows_and_processes_of_a_package_are_one_entry)
{
    cr_assert(add_process("com.x", 1, 30, true));
    cr_assert(add_process("com.x", 2, 5, true));
    cr_assert(add_process("com.x:helper", 3, 2, true));
    cr_assert(add_process("com.y", 4, 7, true));
    cr_assert_eq(days.count, 2);
    cr_assert_eq(get_total(0), 37);
    cr_assert_eq(days.entries[0].stats.frame_histogram[3], 37);
    cr_assert_eq(days.entries[0].merged_count, 3);
    cr_assert_eq(days.entries[0].start_ms, NOW_MS);
    cr_assert_eq(days.entries[0].end_ms, NOW_MS + 10000);
    cr_assert_eq(get_total(1), 7);
}

Test(days, an_ended_process_counts_once)
{
    cr_assert(add_process("com.x", 1, 30, true));
    cr_assert_not(add_process("com.x", 1, 30, true));
    cr_assert_eq(get_total(0), 30);
    cr_assert_eq(err.code, 0);
}

Test(days, a_pid_may_be_reused)
{
    struct dj_snapshot snapshot = make_snapshot("com.x", 1, 30, true);
    cr_assert(dj_days_add(&days, &snapshot, 1000, &err));
    snapshot.created_ns++;
    cr_assert(dj_days_add(&days, &snapshot, 1000, &err));
    cr_assert_eq(get_total(0), 60);
}

Test(days, a_process_without_frames_adds_no_entry)
{
    cr_assert_not(add_process("com.x", 1, 0, true));
    cr_assert_eq(days.count, 0);
}

Test(days, each_version_day_user_and_rule_has_its_own_entry)
{
    struct dj_snapshot snapshot = make_snapshot("com.x", 1, 10, true);
    cr_assert(dj_days_add(&days, &snapshot, 1000, &err));
    cr_assert(dj_days_add(&days, &snapshot, 1001, &err));
    snprintf(snapshot.app_version, sizeof(snapshot.app_version), "12");
    cr_assert(dj_days_add(&days, &snapshot, 1000, &err));
    snapshot.dialect = dj_frame_dialect_find("16");
    cr_assert(dj_days_add(&days, &snapshot, 1000, &err));
    snapshot.created_wall_ns += DAY_MS * 1000000;
    cr_assert(dj_days_add(&days, &snapshot, 1000, &err));
    cr_assert_eq(days.count, 5);
    cr_assert_str_eq(days.entries[2].version, "12");
    cr_assert_eq(days.entries[4].day, days.entries[3].day + 1);
}

Test(days, entries_older_than_three_days_are_removed)
{
    cr_assert(add_process("com.x", 1, 10, true));
    cr_assert_not(dj_days_drop_old(&days, NOW_MS + 3 * DAY_MS));
    cr_assert(dj_days_drop_old(&days, NOW_MS + 3 * DAY_MS + 10001));
    cr_assert_eq(days.count, 0);
    cr_assert_eq(days.merged_count, 0);
    cr_assert(add_process("com.x", 1, 10, true), "the process is added again");
}

Test(days, entries_two_days_in_the_future_are_removed)
{
    cr_assert(add_process("com.x", 1, 10, true));
    cr_assert_not(dj_days_is_kept(NOW_MS + 2 * DAY_MS, NOW_MS));
    cr_assert(dj_days_drop_old(&days, NOW_MS - 2 * DAY_MS));
}

Test(days, removing_entries_keeps_the_others)
{
    for (int64_t i = 0; i < 100; i++) {
        char name[16];
        snprintf(name, sizeof(name), "app%d", (int)i);
        struct dj_snapshot snapshot = make_snapshot(name, i + 1, 10, true);
        snapshot.created_wall_ns += (i % 10) * DAY_MS * 1000000;
        cr_assert(dj_days_add(&days, &snapshot, 0, &err));
    }
    cr_assert(dj_days_drop_old(&days, NOW_MS + 10 * DAY_MS));
    cr_assert_eq(days.count, 30, "got %zu", days.count);
    cr_assert_eq(days.merged_count, 30);
    for (int64_t i = 0; i < 100; i++) {
        cr_assert(add_process("another", 1000 + i, 1, true));
    }
    cr_assert_eq(days.count, 31);
    cr_assert_eq(get_total(30), 100);
}

Test(days, running_processes_are_added_but_never_merged)
{
    struct dj_days running = {0};
    cr_assert(add_process("com.x", 1, 30, true));
    struct dj_snapshot snapshot = make_snapshot("com.x", 2, 5, false);
    cr_assert(dj_days_add(&running, &snapshot, 1000, &err));
    snapshot = make_snapshot("com.z", 3, 4, false);
    cr_assert(dj_days_add(&running, &snapshot, 1000, &err));
    cr_assert_eq(running.merged_count, 0);
    cr_assert_eq(dj_days_merge(&days, &running, &err), 0);
    cr_assert_eq(days.count, 2);
    cr_assert_eq(get_total(0), 35);
    cr_assert_eq(days.merged_count, 1);
    cr_assert(add_process("com.x", 2, 6, true), "an ended process is merged");
    dj_days_finish(&running);
}

Test(days, running_processes_are_first_then_the_newest)
{
    struct dj_snapshot snapshot = make_snapshot("old", 1, 10, true);
    snapshot.created_wall_ns -= DAY_MS * 1000000;
    cr_assert(dj_days_add(&days, &snapshot, 0, &err));
    cr_assert(add_process("new", 2, 10, true));
    snapshot = make_snapshot("running", 3, 10, false);
    snapshot.created_wall_ns -= 2 * DAY_MS * 1000000;
    cr_assert(dj_days_add(&days, &snapshot, 0, &err));
    dj_days_sort(&days);
    cr_assert_str_eq(days.entries[0].package, "running");
    cr_assert_str_eq(days.entries[1].package, "new");
    cr_assert_str_eq(days.entries[2].package, "old");
}

Test(days, too_many_entries_are_an_error)
{
    char name[16];
    for (int i = 0; i < DJ_DAYS_ENTRIES; i++) {
        snprintf(name, sizeof(name), "app%d", i);
        cr_assert(add_process(name, i + 1, 10, true));
    }
    cr_assert_not(add_process("one more", 1, 10, true));
    cr_assert_eq(err.code, DJ_E_LIMIT);
    cr_assert(add_process("app7", 99999, 10, true), "an existing entry can still grow");
}

Test(days, too_many_segments_are_an_error)
{
    for (int i = 0; i < DJ_DAYS_MERGED; i++) {
        cr_assert(add_process("com.x", i + 1, 1, true));
    }
    cr_assert_not(add_process("com.y", 1, 10, true));
    cr_assert_eq(err.code, DJ_E_LIMIT);
    cr_assert_eq(days.count, 1, "no empty entry is left");
    cr_assert_eq(get_total(0), DJ_DAYS_MERGED);
}

Test(days, an_invalid_time_changes_nothing)
{
    struct dj_snapshot snapshot = make_snapshot("com.x", 1, 10, true);
    snapshot.created_ns = INT64_MIN;
    windows[1].last_ns = INT64_MAX;
    cr_assert(dj_days_add(&days, &snapshot, 0, &err));
    cr_assert_eq(days.entries[0].end_ms, NOW_MS);
    snapshot.created_wall_ns = INT64_MIN;
    cr_assert(dj_days_add(&days, &snapshot, 0, &err));
    cr_assert_eq(days.entries[1].day, -1);
}
