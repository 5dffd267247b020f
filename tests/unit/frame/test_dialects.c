/* Tests the differences between Android releases. gfxinfo/test_vectors.c compares
 * sequences of frames with the output of hwui itself. */
#include <criterion/criterion.h>
#include <math.h>

#include "frame/tracker.h"
#include "support.h"

static const int64_t IV = 16666666;
static const int64_t START_NS = INT64_C(1000000000000);
static const int64_t MS = 1000000;

static struct dj_tracker tracker;
static struct dj_verdict verdict;
static struct dj_stats stats;

static const struct dj_dialect *start(const char *release)
{
    const struct dj_dialect *dialect = dj_frame_dialect_find(release);
    cr_assert_not_null(dialect, "%s", release);
    dj_frame_tracker_init(&tracker, dialect, IV);
    stats = (struct dj_stats){0};
    return dialect;
}

static bool judge(const struct dj_frame *frame)
{
    bool counted = dj_frame_tracker_judge(&tracker, frame, &verdict);
    dj_frame_stats_add(&stats, &verdict);
    return counted;
}

static bool has(enum dj_counter counter)
{
    return (verdict.counters & DJ_COUNTER_BIT(counter)) != 0;
}

static struct dj_frame flagged(struct dj_frame frame, int64_t flags)
{
    dj_frame_set(&frame, DJ_COLUMN_FLAGS, flags);
    return frame;
}

/* Returns a frame as Android 12 and later record it: the GPU completes with the frame,
 * and the deadline is one interval after the start. */
static struct dj_frame deadline_frame(int64_t intended_ns, int64_t total_ns)
{
    struct dj_frame frame = frame_of(intended_ns, total_ns);
    dj_frame_set(&frame, DJ_COLUMN_FRAME_DEADLINE, intended_ns + IV);
    dj_frame_set(&frame, DJ_COLUMN_FRAME_INTERVAL, IV);
    dj_frame_set(&frame, DJ_COLUMN_WORKLOAD_TARGET, IV);
    dj_frame_set(&frame, DJ_COLUMN_GPU_COMPLETED, intended_ns + total_ns);
    dj_frame_set(&frame, DJ_COLUMN_SWAP_BUFFERS_COMPLETED, intended_ns + total_ns);
    return frame;
}

Test(dialects, every_row_is_complete)
{
    static const char *const names[] = {"5",  "preview", "6.0", "7.0", "7.1", "8",
                                        "9",  "9-10",    "10",  "11",  "12",  "12L",
                                        "13", "14",      "15",  "16"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct dj_dialect *dialect = dj_frame_dialect_at(i);
        cr_assert_not_null(dialect);
        cr_assert_str_eq(dialect->name, names[i]);
        cr_assert_eq(dj_frame_dialect_find(names[i]), dialect);
        cr_assert(dialect->judge != NULL && dialect->total != NULL &&
                      dialect->span != NULL && dialect->interval != NULL &&
                      dialect->bucket != NULL && dialect->bucket_label_ms != NULL &&
                      dialect->block_end != NULL && dialect->source != NULL,
                  "%s", names[i]);
        cr_assert_leq(dialect->bucket_count, DJ_FRAME_BUCKETS);
        uint64_t seen = 0;
        for (size_t k = 0; k < dialect->columns.count; k++) {
            uint64_t bit = DJ_COLUMN_BIT(dialect->columns.column[k]);
            cr_assert_eq(seen & bit, 0, "%s: duplicate column", names[i]);
            seen |= bit;
        }
    }
    cr_assert_null(dj_frame_dialect_at(sizeof(names) / sizeof(names[0])));
}

Test(dialects, columns_per_release_equal_the_reference)
{
    static const struct {
        const char *release;
        uint8_t columns;
    } rows[] = {{"5", 0},    {"preview", 13}, {"6.0", 14}, {"7.0", 14},
                {"7.1", 16}, {"8", 16},       {"9", 16},   {"9-10", 16},
                {"10", 16},  {"11", 17},      {"12", 22},  {"12L", 22},
                {"13", 23},  {"14", 23},      {"15", 23},  {"16", 24}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cr_assert_eq(dj_frame_dialect_find(rows[i].release)->columns.count,
                     rows[i].columns, "%s", rows[i].release);
    }
}

Test(dialects, labels_are_swapped_from_12_to_15)
{
    static const char *const swapped[] = {"12", "12L", "13", "14", "15"};
    for (size_t i = 0; i < sizeof(swapped) / sizeof(swapped[0]); i++) {
        const struct dj_dialect *dialect = dj_frame_dialect_find(swapped[i]);
        cr_assert_str_eq(
            dj_frame_dialect_column_name(dialect, DJ_COLUMN_FRAME_START_TIME),
            "FrameInterval");
        cr_assert_str_eq(dj_frame_dialect_column_name(dialect, DJ_COLUMN_FRAME_INTERVAL),
                         "FrameStartTime");
        cr_assert_str_eq(dj_frame_dialect_column_name(dialect, DJ_COLUMN_VSYNC), "Vsync");
    }
    cr_assert_str_eq(dj_frame_dialect_column_name(dj_frame_dialect_find("16"),
                                                  DJ_COLUMN_FRAME_INTERVAL),
                     "FrameInterval");
}

Test(dialects, percentages_and_percentiles_without_frames_are_hwuis)
{
    static const struct {
        const char *release;
        bool divides_by_zero;
        uint32_t percentile_ms;
    } rows[] = {{"preview", true, 127}, {"6.0", true, 133}, {"7.0", true, 4950},
                {"7.1", true, 4950},    {"8", false, 4950}, {"11", false, 4950},
                {"16", false, 4950}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct dj_dialect *dialect = start(rows[i].release);
        double share = dj_frame_dialect_janky_pct(dialect, &stats, DJ_COUNTER_JANKY);
        cr_assert_eq(isnan(share) != 0, rows[i].divides_by_zero, "%s", rows[i].release);
        cr_assert(rows[i].divides_by_zero ? signbit(share) == 0 : share == 0.0);
        cr_assert_eq(dj_frame_dialect_percentile_ms(dialect, &stats, 99),
                     rows[i].percentile_ms, "%s", rows[i].release);
    }
}

Test(dialects, releases_7_1_to_10_compute_the_interval_from_a_float_rate)
{
    static const struct {
        const char *release;
        int64_t display_ns, interval_ns;
    } rows[] = {{"7.0", 6944444, 6944444},   {"7.1", 16666667, 16666667},
                {"7.1", 16666666, 16666666}, {"8", 6944444, 6944443},
                {"9", 16666667, 16666667},   {"10", 11111111, 11111111},
                {"11", 6944444, 6944444},    {"16", 6944444, 6944444}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        dj_frame_tracker_init(&tracker, dj_frame_dialect_find(rows[i].release),
                              rows[i].display_ns);
        cr_assert_eq(tracker.interval_ns, rows[i].interval_ns, "%s at %lld: %lld",
                     rows[i].release, (long long)rows[i].display_ns,
                     (long long)tracker.interval_ns);
    }
}

Test(dialects, android_5_counts_and_judges_nothing)
{
    start("5");
    struct dj_frame frame = frame_of(START_NS, 100 * MS);
    cr_assert(judge(&frame));
    cr_assert_eq(verdict.counters, DJ_COUNTER_BIT(DJ_COUNTER_TOTAL));
    frame.known &= ~DJ_COLUMN_BIT(DJ_COLUMN_FRAME_COMPLETED);
    cr_assert_not(judge(&frame));
}

Test(dialects, a_frame_of_exactly_one_interval_is_janky_until_8)
{
    static const char *const releases[] = {"preview", "6.0", "7.0", "7.1", "8"};
    for (size_t i = 0; i < 5; i++) {
        start(releases[i]);
        struct dj_frame under = frame_of(START_NS, IV - 1);
        struct dj_frame exactly = frame_of(START_NS, IV);
        judge(&under);
        cr_assert_not(has(DJ_COUNTER_JANKY), "%s", releases[i]);
        judge(&exactly);
        cr_assert(has(DJ_COUNTER_JANKY), "%s", releases[i]);
        cr_assert_not(has(DJ_COUNTER_DEADLINE_MISSED));
    }
}

/* Tests which flags are exempt from the jank rule, and whether a slow exempt frame is in
 * a bucket. A fast exempt frame is always in a bucket. */
Test(dialects, flags_exempt_a_frame_as_the_release_defines)
{
    static const struct {
        const char *release;
        int64_t flags;
        bool exempt, in_bucket;
    } rows[] = {
        {"preview", 1, true, false}, {"preview", 4, true, false}, {"6.0", 1, true, false},
        {"6.0", 4, true, false},     {"6.0", 2, false, true},     {"7.0", 1, false, true},
        {"7.0", 4, true, false},     {"7.1", 4, true, false},     {"8", 4, true, true},
        {"8", 1, false, true},       {"9", 4, true, true},        {"11", 4, true, true},
        {"12", 4, true, true},       {"16", 4, true, true},       {"16", 1, false, true}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        start(rows[i].release);
        struct dj_frame slow = flagged(deadline_frame(START_NS, 2 * IV), rows[i].flags);
        struct dj_frame fast = flagged(deadline_frame(START_NS, 2 * MS), rows[i].flags);
        cr_assert(judge(&slow));
        cr_assert(has(DJ_COUNTER_TOTAL));
        cr_assert_eq(has(DJ_COUNTER_JANKY), !rows[i].exempt, "%s, flags %d",
                     rows[i].release, (int)rows[i].flags);
        cr_assert_eq(verdict.frame_bucket != DJ_NO_BUCKET, rows[i].in_bucket,
                     "%s, flags %d", rows[i].release, (int)rows[i].flags);
        judge(&fast);
        cr_assert_neq(verdict.frame_bucket, DJ_NO_BUCKET);
    }
}

/* A wait of 20 ms for the render thread is part of the frame time until Android 6.0.
 * Only in M Preview is it also part of the times that have a threshold. */
Test(dialects, the_wait_for_the_render_thread_counts_as_the_release_defines)
{
    static const struct {
        const char *release;
        bool in_total, in_stage;
    } rows[] = {{"preview", true, true}, {"6.0", true, false}, {"7.0", false, false}};
    for (size_t i = 0; i < 3; i++) {
        start(rows[i].release);
        struct dj_frame frame = frame_of(START_NS, 23 * MS);
        dj_frame_set(&frame, DJ_COLUMN_SYNC_START, START_NS + 20 * MS + 1);
        dj_frame_set(&frame, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, START_NS + 20 * MS + 2);
        judge(&frame);
        cr_assert_eq(has(DJ_COUNTER_JANKY), rows[i].in_total, "%s", rows[i].release);
        cr_assert_eq(has(DJ_COUNTER_SLOW_UI_THREAD), rows[i].in_stage, "%s",
                     rows[i].release);
    }
}

Test(dialects, the_age_of_input_has_a_threshold_until_8)
{
    static const char *const releases[] = {"preview", "6.0", "7.0", "7.1",
                                           "8",       "9",   "11"};
    for (size_t i = 0; i < 7; i++) {
        for (int64_t off = -1; off <= 1; off++) {
            const struct dj_dialect *dialect = start(releases[i]);
            struct dj_frame frame = frame_of(START_NS, 3 * IV);
            dj_frame_set(&frame, DJ_COLUMN_OLDEST_INPUT_EVENT, START_NS - 24999999 - off);
            judge(&frame);
            cr_assert_eq(has(DJ_COUNTER_HIGH_INPUT_LATENCY),
                         dialect->api < 28 && off >= 0, "%s, %+d", releases[i], (int)off);
        }
    }
}

Test(dialects, slow_dequeues_are_forgiven_since_7_1)
{
    static const struct {
        const char *release;
        bool forgives;
    } rows[] = {{"preview", false}, {"6.0", false}, {"7.0", false}, {"7.1", true},
                {"8", true},        {"9", true},    {"11", true},   {"16", false}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        start(rows[i].release);
        tracker.forgiveness_ns = 8 * MS;
        struct dj_frame frame = deadline_frame(START_NS, IV + 3 * MS);
        dj_frame_set(&frame, DJ_COLUMN_DEQUEUE_BUFFER_DURATION, 4 * MS);
        judge(&frame);
        cr_assert_eq(verdict.frame_time_ns, IV + (rows[i].forgives ? -1 : 3) * MS, "%s",
                     rows[i].release);
    }
}

Test(dialects, a_fully_forgiven_frame_counts_if_hwui_does_not_abort)
{
    struct dj_frame frame = frame_of(START_NS, 2 * MS);
    dj_frame_set(&frame, DJ_COLUMN_DEQUEUE_BUFFER_DURATION, 2 * MS);
    start("7.1");
    tracker.forgiveness_ns = 8 * MS;
    cr_assert(judge(&frame));
    cr_assert_eq(verdict.frame_bucket, 0);
    start("8");
    tracker.forgiveness_ns = 8 * MS;
    cr_assert_not(judge(&frame), "Android 8 aborts");
    cr_assert_eq(stats.counter[DJ_COUNTER_TOTAL], 0);
}

Test(dialects, preview_counts_milliseconds_and_overflows_into_its_interval)
{
    const struct dj_dialect *dialect = start("preview");
    struct dj_frame last = frame_of(START_NS, 128 * MS - 1);
    struct dj_frame over = frame_of(START_NS, 128 * MS);
    struct dj_frame exactly = frame_of(START_NS, IV);
    judge(&last);
    cr_assert_eq(verdict.frame_bucket, 127);
    judge(&exactly);
    cr_assert(has(DJ_COUNTER_JANKY));
    judge(&over);
    cr_assert(has(DJ_COUNTER_JANKY));
    cr_assert_eq(verdict.frame_bucket, DJ_NO_BUCKET);
    judge(&exactly);
    cr_assert_not(has(DJ_COUNTER_JANKY), "the interval increased by 1 ns");
    cr_assert_eq(dj_frame_dialect_percentile_ms(dialect, &stats, 50), 16);
}

Test(dialects, long_frames_of_6_0_count_twice_and_in_no_bucket)
{
    const struct dj_dialect *dialect = start("6.0");
    struct dj_frame frame = frame_of(START_NS, 136 * MS - 1);
    judge(&frame);
    frame = frame_of(START_NS, 136 * MS);
    judge(&frame);
    frame = frame_of(START_NS, 5000 * MS);
    judge(&frame);
    cr_assert_eq(stats.counter[DJ_COUNTER_TOTAL], 3, "counted once before printing");
    cr_assert_eq(stats.counter[DJ_COUNTER_JANKY], 3);
    for (int twice = 0; twice < 2; twice++) {
        dj_frame_dialect_apply_quirks(dialect, &stats);
        cr_assert_eq(stats.counter[DJ_COUNTER_TOTAL], 5);
        cr_assert_eq(dj_frame_dialect_percentile_ms(dialect, &stats, 99), 133);
        cr_assert_eq(dj_frame_dialect_percentile_ms(dialect, &stats, 50), 0,
                     "no bucket contains the percentile");
    }
}

Test(dialects, a_frame_of_6_0_that_ends_before_it_starts_counts_as_long)
{
    const struct dj_dialect *dialect = start("6.0");
    struct dj_frame frame = frame_of(START_NS, -1 * MS);
    cr_assert(judge(&frame));
    cr_assert_not(has(DJ_COUNTER_JANKY));
    frame = frame_of(START_NS, -1 * MS + 1);
    judge(&frame);
    dj_frame_dialect_apply_quirks(dialect, &stats);
    cr_assert_eq(stats.counter[DJ_COUNTER_TOTAL], 3);
    cr_assert_eq(dj_frame_dialect_percentile_ms(dialect, &stats, 50), 0);
}

Test(dialects, the_first_bucket_of_6_0_ends_at_7_ms)
{
    const struct dj_dialect *dialect = start("6.0");
    struct dj_frame frame = frame_of(START_NS, 1 * MS);
    judge(&frame);
    cr_assert_eq(dj_frame_dialect_percentile_ms(dialect, &stats, 99), 7);
    frame = frame_of(START_NS, 8 * MS - 1);
    judge(&frame);
    cr_assert_eq(dj_frame_dialect_percentile_ms(dialect, &stats, 99), 7);
    frame = frame_of(START_NS, 8 * MS);
    judge(&frame);
    cr_assert_eq(dj_frame_dialect_percentile_ms(dialect, &stats, 99), 8);
}

Test(dialects, frames_of_136_ms_are_in_the_bucket_of_150_from_7_0_on)
{
    static const char *const releases[] = {"7.0", "7.1", "8", "9", "11", "12", "16"};
    for (size_t i = 0; i < 7; i++) {
        const struct dj_dialect *dialect = start(releases[i]);
        struct dj_frame frame = deadline_frame(START_NS, 136 * MS);
        judge(&frame);
        cr_assert_eq(dj_frame_dialect_percentile_ms(dialect, &stats, 50), 150, "%s",
                     releases[i]);
    }
}

Test(dialects, slow_buckets_wrap_at_65536)
{
    static const char *const releases[] = {"7.0", "8", "11", "16"};
    for (size_t i = 0; i < 4; i++) {
        const struct dj_dialect *dialect = start(releases[i]);
        stats.counter[DJ_COUNTER_TOTAL] = 65539;
        stats.frame_histogram[DJ_FAST_BUCKETS] = 65538;
        stats.frame_histogram[DJ_FAST_BUCKETS - 1] = 65537;
        dj_frame_dialect_apply_quirks(dialect, &stats);
        cr_assert_eq(stats.frame_histogram[DJ_FAST_BUCKETS], 2, "%s", releases[i]);
        cr_assert_eq(stats.frame_histogram[DJ_FAST_BUCKETS - 1], 65537,
                     "fast buckets do not overflow");
        cr_assert_eq(dj_frame_dialect_percentile_ms(dialect, &stats, 99), 133);
    }
}

static void run_of(size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++) {
        struct dj_frame frame = deadline_frame(START_NS + (int64_t)i * IV, 5 * MS);
        cr_assert(judge(&frame));
    }
}

/* The deadline of the legacy rule starts one interval after the first frame. A sequence
 * of frames in time never reaches it. */
Test(dialects, a_perfect_run_of_12_has_high_input_latency)
{
    static const char *const releases[] = {"12", "12L", "13", "14", "15", "16"};
    for (size_t i = 0; i < 6; i++) {
        start(releases[i]);
        run_of(0, 100);
        cr_assert_eq(stats.counter[DJ_COUNTER_HIGH_INPUT_LATENCY], 100, "%s",
                     releases[i]);
        run_of(1000, 10);
        cr_assert_eq(stats.counter[DJ_COUNTER_HIGH_INPUT_LATENCY], 100,
                     "after a pause, frames are not ahead of the deadline");
        cr_assert_eq(stats.counter[DJ_COUNTER_JANKY], 0);
        cr_assert_eq(stats.counter[DJ_COUNTER_JANKY_LEGACY], 0);
    }
}

/* The first frame is late. The second one starts while the first still waits for the
 * display, so its deadline is later. */
Test(dialects, a_stuffed_frame_gets_a_later_deadline)
{
    static const struct {
        const char *release;
        int64_t workload_ns, moved_by_ns;
    } rows[] = {{"12", 9 * 1000000, 16666666},
                {"13", 9 * 1000000, 16666666},
                /* The deadline is WorkloadTarget after the unstuffed start, which is one
                 * interval after the second frame's start. */
                {"16", 9 * 1000000, 16666666 + 9 * 1000000 - 16666666}};
    for (size_t i = 0; i < 3; i++) {
        start(rows[i].release);
        struct dj_frame late = deadline_frame(START_NS, IV + 1 * MS);
        judge(&late);
        cr_assert(has(DJ_COUNTER_JANKY) && has(DJ_COUNTER_DEADLINE_MISSED));
        cr_assert_not(verdict.deadline_moved);
        cr_assert_eq(tracker.unstuffed_start_ns, START_NS + 2 * IV);
        struct dj_frame next = deadline_frame(START_NS + IV, 5 * MS);
        dj_frame_set(&next, DJ_COLUMN_WORKLOAD_TARGET, rows[i].workload_ns);
        judge(&next);
        cr_assert(verdict.deadline_moved, "%s", rows[i].release);
        cr_assert_eq(verdict.deadline_ns, START_NS + 2 * IV + rows[i].moved_by_ns, "%s",
                     rows[i].release);
        cr_assert_not(has(DJ_COUNTER_JANKY));
        cr_assert(has(DJ_COUNTER_HIGH_INPUT_LATENCY));
        cr_assert_eq(verdict.counters_again,
                     DJ_COUNTER_BIT(DJ_COUNTER_HIGH_INPUT_LATENCY),
                     "both rules count the frame");
        cr_assert_eq(tracker.unstuffed_start_ns, START_NS + 3 * IV);
    }
}

Test(dialects, printed_rows_keep_their_deadline)
{
    start("13");
    tracker.rejudges = true;
    struct dj_frame late = deadline_frame(START_NS, IV + 1 * MS);
    struct dj_frame next = deadline_frame(START_NS + IV, 5 * MS);
    judge(&late);
    judge(&next);
    cr_assert_not(verdict.deadline_moved);
    cr_assert(has(DJ_COUNTER_HIGH_INPUT_LATENCY));
}

/* INT64_MAX plus an interval overflows to a negative number, so the frame misses the
 * deadline. */
Test(dialects, a_stuffed_frame_without_a_deadline_misses_it)
{
    start("12");
    struct dj_frame late = deadline_frame(START_NS, IV + 1 * MS);
    struct dj_frame next = deadline_frame(START_NS + IV, 5 * MS);
    judge(&late);
    dj_frame_set(&next, DJ_COLUMN_FRAME_DEADLINE, INT64_MAX);
    judge(&next);
    cr_assert(has(DJ_COUNTER_DEADLINE_MISSED));
    cr_assert_lt(verdict.deadline_ns, 0);
    start("12");
    judge(&next);
    cr_assert_not(has(DJ_COUNTER_DEADLINE_MISSED),
                  "no frame waits, so the deadline does not change");
}

Test(dialects, unknown_values_are_judged_as_printed)
{
    start("16");
    struct dj_frame known = deadline_frame(START_NS, IV);
    struct dj_frame unknown = frame_of(START_NS, IV);
    judge(&known);
    struct dj_verdict want = verdict;
    start("16");
    judge(&unknown);
    cr_assert_eq(verdict.counters, want.counters);
    cr_assert(has(DJ_COUNTER_JANKY), "GpuCompleted on the deadline misses it");
    cr_assert_eq(verdict.gpu_bucket, DJ_NO_BUCKET, "an unknown GPU time is in no bucket");
    unknown = frame_of(START_NS + IV, 5 * MS);
    judge(&unknown);
    cr_assert_not(verdict.deadline_moved, "an unknown deadline stays unknown");
}

Test(dialects, the_legacy_rule_uses_the_interval_of_the_display)
{
    start("13");
    struct dj_frame frame = deadline_frame(START_NS, 12 * MS);
    dj_frame_set(&frame, DJ_COLUMN_FRAME_INTERVAL, IV / 2);
    dj_frame_set(&frame, DJ_COLUMN_FRAME_DEADLINE, START_NS + IV / 2);
    dj_frame_set(&frame, DJ_COLUMN_SYNC_QUEUED, START_NS + 5 * MS);
    dj_frame_set(&frame, DJ_COLUMN_SYNC_START, START_NS + 5 * MS);
    dj_frame_set(&frame, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, START_NS + 6 * MS);
    judge(&frame);
    cr_assert(has(DJ_COUNTER_JANKY));
    cr_assert(has(DJ_COUNTER_SLOW_UI_THREAD),
              "a frame of 5 ms meets a deadline of 8.3 ms");
    cr_assert_not(has(DJ_COUNTER_JANKY_LEGACY),
                  "a frame of 12 ms meets a deadline of 16.7 ms");
    dj_frame_set(&frame, DJ_COLUMN_FRAME_INTERVAL, 0);
    judge(&frame);
    cr_assert(has(DJ_COUNTER_JANKY), "an interval of 0 causes no division by zero");
}

Test(dialects, legacy_measures_to_the_end_of_swapping)
{
    start("12");
    struct dj_frame frame = deadline_frame(START_NS, 5 * MS);
    dj_frame_set(&frame, DJ_COLUMN_SWAP_BUFFERS_COMPLETED, START_NS + 20 * MS);
    judge(&frame);
    cr_assert(has(DJ_COUNTER_JANKY_LEGACY));
    cr_assert_not(has(DJ_COUNTER_JANKY));
    cr_assert_not(has(DJ_COUNTER_DEADLINE_MISSED_LEGACY),
                  "the new rule uses FrameCompleted");
}

/* Android 13 and later do not count a frame of length 0, but the legacy rule has judged
 * it before. */
Test(dialects, an_uncounted_frame_may_be_legacy_jank)
{
    start("13");
    struct dj_frame frame = deadline_frame(START_NS, -1);
    dj_frame_set(&frame, DJ_COLUMN_SWAP_BUFFERS_COMPLETED, START_NS + 20 * MS);
    cr_assert_not(judge(&frame));
    cr_assert_eq(verdict.counters, DJ_COUNTER_BIT(DJ_COUNTER_JANKY_LEGACY) |
                                       DJ_COUNTER_BIT(DJ_COUNTER_HIGH_INPUT_LATENCY));
    cr_assert_eq(verdict.frame_bucket, DJ_NO_BUCKET);
}

Test(dialects, only_11_counts_the_gpu_times_of_exempt_frames)
{
    struct dj_frame frame =
        flagged(deadline_frame(START_NS, 5 * MS), DJ_FLAG_SURFACE_CANVAS);
    start("10");
    judge(&frame);
    cr_assert_eq(verdict.gpu_bucket, DJ_NO_BUCKET, "no GPU histogram before 11");
    start("11");
    judge(&frame);
    cr_assert_eq(verdict.gpu_bucket, 4);
    start("12");
    judge(&frame);
    cr_assert_eq(verdict.gpu_bucket, DJ_NO_BUCKET);
}

Test(dialects, sentinels_do_not_overflow)
{
    static const int64_t odd[] = {INT64_MIN, -1, 0, 1, INT64_MAX - 1, INT64_MAX};
    for (size_t k = 0; dj_frame_dialect_at(k) != NULL; k++) {
        start(dj_frame_dialect_at(k)->name);
        for (size_t a = 0; a < 6; a++) {
            for (size_t column = 0; column < DJ_COLUMN_COUNT; column++) {
                struct dj_frame frame = deadline_frame(START_NS, 2 * IV);
                dj_frame_set(&frame, (enum dj_column)column, odd[a]);
                judge(&frame);
                cr_assert_lt(verdict.frame_bucket, DJ_FRAME_BUCKETS);
            }
        }
    }
}
