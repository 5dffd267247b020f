#include <criterion/criterion.h>
#include <ctype.h>
#include <string.h>

#include "frame/findings_text.h"

#define MS INT64_C(1000000)
#define US INT64_C(1000)
static const int64_t INTERVAL_NS = 16666666;
static const int64_t START_NS = 1000 * MS;

enum { MOST = 64 };
static struct dj_frame frames[MOST];
static struct dj_row_facts facts[MOST];
static struct dj_findings found;

static void find(size_t count)
{
    dj_frame_findings_mark(frames, count, facts, INTERVAL_NS, &found, NULL);
}

static struct dj_frame unknown(void)
{
    return (struct dj_frame){0};
}

/* Returns frame i of a steady motion. Every column is known and no time is above a
 * limit. */
static struct dj_frame healthy(size_t i)
{
    static const struct {
        uint8_t column;
        int64_t after_ns;
    } stamps[] = {
        {DJ_COLUMN_INTENDED_VSYNC, 0},
        {DJ_COLUMN_VSYNC, 0},
        {DJ_COLUMN_OLDEST_INPUT_EVENT, -9 * MS},
        {DJ_COLUMN_NEWEST_INPUT_EVENT, -4 * MS},
        {DJ_COLUMN_HANDLE_INPUT_START, 100 * US},
        {DJ_COLUMN_ANIMATION_START, 200 * US},
        {DJ_COLUMN_PERFORM_TRAVERSALS_START, 300 * US},
        {DJ_COLUMN_DRAW_START, 400 * US},
        {DJ_COLUMN_FRAME_DEADLINE, 16 * MS},
        {DJ_COLUMN_SYNC_QUEUED, 500 * US},
        {DJ_COLUMN_SYNC_START, 550 * US},
        {DJ_COLUMN_ISSUE_DRAW_COMMANDS_START, 650 * US},
        {DJ_COLUMN_SWAP_BUFFERS, 2 * MS},
        {DJ_COLUMN_FRAME_COMPLETED, 8 * MS},
        {DJ_COLUMN_GPU_COMPLETED, 7 * MS},
    };
    struct dj_frame frame = {0};
    int64_t start_ns = START_NS + (int64_t)i * INTERVAL_NS;
    dj_frame_set(&frame, DJ_COLUMN_FLAGS, 0);
    for (size_t k = 0; k < sizeof(stamps) / sizeof(stamps[0]); k++) {
        dj_frame_set(&frame, (enum dj_column)stamps[k].column,
                     start_ns + stamps[k].after_ns);
    }
    dj_frame_set(&frame, DJ_COLUMN_INPUT_EVENT_ID, 1);
    dj_frame_set(&frame, DJ_COLUMN_DEQUEUE_BUFFER_DURATION, 100 * US);
    dj_frame_set(&frame, DJ_COLUMN_QUEUE_BUFFER_DURATION, 100 * US);
    return frame;
}

static void fill_healthy(size_t count)
{
    memset(facts, 0, sizeof(facts));
    for (size_t i = 0; i < count; i++) {
        frames[i] = healthy(i);
    }
}

Test(findings, without_rows_nothing_is_known)
{
    find(0);
    enum dj_finding_id order[DJ_FINDING_COUNT];
    for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
        cr_assert_eq(found.of[i].measured_frames, 0);
        cr_assert_eq(found.of[i].frames, 0);
    }
    cr_assert_eq(dj_frame_findings_sort(&found, order), 0);
}

Test(findings, unknown_columns_give_no_findings)
{
    memset(facts, 0, sizeof(facts));
    for (size_t i = 0; i < 10; i++) {
        frames[i] = unknown();
        dj_frame_set(&frames[i], DJ_COLUMN_INTENDED_VSYNC,
                     START_NS + (int64_t)i * INTERVAL_NS);
        dj_frame_set(&frames[i], DJ_COLUMN_FRAME_COMPLETED,
                     START_NS + (int64_t)i * INTERVAL_NS + 40 * MS);
    }
    find(10);
    for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
        bool from_both_ends = i == DJ_FINDING_HANG;
        cr_assert_eq(found.of[i].measured_frames, from_both_ends ? 10 : 0, "%s",
                     dj_frame_finding_rule((enum dj_finding_id)i)->id);
    }
}

/* If a column is unknown, only the rules that need it have no result. */
Test(findings, a_missing_column_removes_only_its_own_findings)
{
    for (size_t column = 0; column < DJ_COLUMN_COUNT; column++) {
        fill_healthy(8);
        for (size_t i = 0; i < 8; i++) {
            frames[i].known &= ~DJ_COLUMN_BIT(column);
            frames[i].value[column] = 0;
        }
        find(8);
        for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
            const struct dj_frame_finding_rule *rule =
                dj_frame_finding_rule((enum dj_finding_id)i);
            bool is_measured = rule->start != column && rule->end != column;
            size_t steady = rule->in_motion ? 8 - DJ_MOTION_FRAMES : 8;
            /* Rows without these two columns are never usable. */
            if (column != DJ_COLUMN_INTENDED_VSYNC &&
                column != DJ_COLUMN_FRAME_COMPLETED) {
                cr_assert_eq(found.of[i].measured_frames, is_measured ? steady : 0,
                             "%s without %s", rule->id,
                             dj_frame_column_name((enum dj_column)column));
            }
        }
    }
}

Test(findings, healthy_frames_are_measured_and_not_found)
{
    fill_healthy(20);
    find(20);
    for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
        const struct dj_frame_finding_rule *rule =
            dj_frame_finding_rule((enum dj_finding_id)i);
        cr_assert_eq(found.of[i].measured_frames,
                     rule->in_motion ? 20 - DJ_MOTION_FRAMES : 20, "%s", rule->id);
        cr_assert_eq(found.of[i].frames, 0, "%s", rule->id);
    }
}

/* The limits in ns at 60 Hz, repeated here so that the test does not depend on the
 * product's table. */
static const struct {
    enum dj_finding_id id;
    const char *name;
    uint8_t start, end; /* Equal if the column is a duration. */
    int64_t limit_ns;
} limits[] = {
    {DJ_FINDING_UI_THREAD_LATE, "ui-thread-late", DJ_COLUMN_INTENDED_VSYNC,
     DJ_COLUMN_VSYNC, 0},
    {DJ_FINDING_INPUT_HANDLING, "input-handling", DJ_COLUMN_HANDLE_INPUT_START,
     DJ_COLUMN_ANIMATION_START, 2000000},
    {DJ_FINDING_ANIMATION, "animation", DJ_COLUMN_ANIMATION_START,
     DJ_COLUMN_PERFORM_TRAVERSALS_START, 2000000},
    {DJ_FINDING_LAYOUT_IN_MOTION, "layout-in-motion", DJ_COLUMN_PERFORM_TRAVERSALS_START,
     DJ_COLUMN_DRAW_START, 1000000},
    {DJ_FINDING_DRAW, "draw", DJ_COLUMN_DRAW_START, DJ_COLUMN_SYNC_START, 4166666},
    {DJ_FINDING_RENDER_THREAD_BUSY, "render-thread-busy", DJ_COLUMN_SYNC_QUEUED,
     DJ_COLUMN_SYNC_START, 100000},
    {DJ_FINDING_SYNC, "sync", DJ_COLUMN_SYNC_START, DJ_COLUMN_ISSUE_DRAW_COMMANDS_START,
     400000},
    {DJ_FINDING_DRAW_COMMANDS, "draw-commands", DJ_COLUMN_ISSUE_DRAW_COMMANDS_START,
     DJ_COLUMN_FRAME_COMPLETED, 12499999},
    {DJ_FINDING_DEQUEUE_BUFFER, "dequeue-buffer", DJ_COLUMN_DEQUEUE_BUFFER_DURATION,
     DJ_COLUMN_DEQUEUE_BUFFER_DURATION, 500000},
    {DJ_FINDING_QUEUE_BUFFER, "queue-buffer", DJ_COLUMN_QUEUE_BUFFER_DURATION,
     DJ_COLUMN_QUEUE_BUFFER_DURATION, 2000000},
    {DJ_FINDING_GPU, "gpu", DJ_COLUMN_SWAP_BUFFERS, DJ_COLUMN_GPU_COMPLETED, 16666666},
    {DJ_FINDING_DEADLINE_MISSED, "deadline-missed", DJ_COLUMN_FRAME_DEADLINE,
     DJ_COLUMN_GPU_COMPLETED, -1},
    {DJ_FINDING_INPUT_LATENCY, "input-latency", DJ_COLUMN_NEWEST_INPUT_EVENT,
     DJ_COLUMN_FRAME_COMPLETED, 41666665},
    {DJ_FINDING_HANG, "hang", DJ_COLUMN_INTENDED_VSYNC, DJ_COLUMN_FRAME_COMPLETED,
     INT64_C(9999999999)},
};

static void set_span(struct dj_frame *frame, size_t i, int64_t ns)
{
    if (limits[i].start == limits[i].end) {
        dj_frame_set(frame, (enum dj_column)limits[i].start, ns);
        return;
    }
    /* The frame has no other timestamps, so no wait between them is subtracted. */
    int64_t start_ns = frame->value[DJ_COLUMN_INTENDED_VSYNC];
    int64_t completed_ns = frame->value[DJ_COLUMN_FRAME_COMPLETED];
    *frame = unknown();
    dj_frame_set(frame, DJ_COLUMN_INTENDED_VSYNC, start_ns);
    dj_frame_set(frame, DJ_COLUMN_FRAME_COMPLETED, completed_ns);
    dj_frame_set(frame, (enum dj_column)limits[i].start, start_ns);
    dj_frame_set(frame, (enum dj_column)limits[i].end, start_ns + ns);
}

Test(findings, only_a_time_above_the_limit_is_found)
{
    cr_assert_eq(sizeof(limits) / sizeof(limits[0]), DJ_FINDING_COUNT);
    for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
        for (int64_t beyond_ns = -1; beyond_ns <= 1; beyond_ns++) {
            const struct dj_finding *finding = &found.of[limits[i].id];
            int64_t ns = limits[i].limit_ns + beyond_ns;
            fill_healthy(6);
            set_span(&frames[5], i, ns);
            find(6);
            cr_assert_eq(finding->limit_ns, limits[i].limit_ns, "%s", limits[i].name);
            cr_assert_eq(finding->frames, beyond_ns > 0 ? 1 : 0, "%s by %lld ns",
                         limits[i].name, (long long)beyond_ns);
            if (beyond_ns > 0) {
                cr_assert_eq(finding->worst_row, 5);
                cr_assert_eq(finding->worst_ns, ns);
                cr_assert_eq(finding->total_ns, ns);
                cr_assert_eq(finding->janky_frames, 0);
            }
        }
    }
}

Test(findings, a_negative_span_gives_no_finding)
{
    for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
        if (limits[i].start == limits[i].end ||
            limits[i].id == DJ_FINDING_DEADLINE_MISSED) {
            continue;
        }
        fill_healthy(6);
        set_span(&frames[5], i, -1);
        find(6);
        size_t others = limits[i].id == DJ_FINDING_LAYOUT_IN_MOTION ? 1 : 5;
        cr_assert_eq(found.of[limits[i].id].measured_frames, others, "%s",
                     limits[i].name);
        cr_assert_eq(found.of[limits[i].id].frames, 0);
    }
}

/* A timestamp that was not recorded is 0. The time since 0 would be the device's
 * uptime. */
Test(findings, a_start_of_zero_gives_no_finding)
{
    for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
        fill_healthy(6);
        frames[5].value[limits[i].start] = 0;
        if (limits[i].start == DJ_COLUMN_INTENDED_VSYNC) {
            continue;
        }
        find(6);
        size_t others = limits[i].id == DJ_FINDING_LAYOUT_IN_MOTION ? 1 : 5;
        cr_assert_eq(found.of[limits[i].id].measured_frames, others, "%s",
                     limits[i].name);
    }
}

struct sentinel {
    enum dj_finding_id id;
    uint8_t column;
    int64_t value;
};

Test(findings, special_values_for_none_give_no_finding)
{
    static const struct sentinel sentinels[] = {
        {DJ_FINDING_INPUT_LATENCY, DJ_COLUMN_NEWEST_INPUT_EVENT, 0},
        {DJ_FINDING_INPUT_LATENCY, DJ_COLUMN_NEWEST_INPUT_EVENT, INT64_MAX},
        {DJ_FINDING_INPUT_LATENCY, DJ_COLUMN_NEWEST_INPUT_EVENT, INT64_MIN},
        {DJ_FINDING_INPUT_LATENCY, DJ_COLUMN_NEWEST_INPUT_EVENT, -1},
        {DJ_FINDING_GPU, DJ_COLUMN_GPU_COMPLETED, 0},
        {DJ_FINDING_GPU, DJ_COLUMN_GPU_COMPLETED, -1},
        /* Value of an earlier frame. */
        {DJ_FINDING_GPU, DJ_COLUMN_GPU_COMPLETED, 900 * MS},
        {DJ_FINDING_GPU, DJ_COLUMN_GPU_COMPLETED, 60000 * MS},
        {DJ_FINDING_GPU, DJ_COLUMN_GPU_COMPLETED, INT64_MAX},
        {DJ_FINDING_DEADLINE_MISSED, DJ_COLUMN_GPU_COMPLETED, 0},
        {DJ_FINDING_DEADLINE_MISSED, DJ_COLUMN_GPU_COMPLETED, -1},
        {DJ_FINDING_DEADLINE_MISSED, DJ_COLUMN_GPU_COMPLETED, INT64_MAX},
        {DJ_FINDING_DEADLINE_MISSED, DJ_COLUMN_FRAME_DEADLINE, 0},
        {DJ_FINDING_DEADLINE_MISSED, DJ_COLUMN_FRAME_DEADLINE, -5},
        {DJ_FINDING_DEADLINE_MISSED, DJ_COLUMN_FRAME_DEADLINE, 1},
        {DJ_FINDING_DEADLINE_MISSED, DJ_COLUMN_FRAME_DEADLINE, INT64_MAX},
        {DJ_FINDING_DEQUEUE_BUFFER, DJ_COLUMN_DEQUEUE_BUFFER_DURATION, 0},
        {DJ_FINDING_DEQUEUE_BUFFER, DJ_COLUMN_DEQUEUE_BUFFER_DURATION, -1},
        {DJ_FINDING_QUEUE_BUFFER, DJ_COLUMN_QUEUE_BUFFER_DURATION, 0},
        {DJ_FINDING_QUEUE_BUFFER, DJ_COLUMN_QUEUE_BUFFER_DURATION, INT64_MAX},
        {DJ_FINDING_LAYOUT_IN_MOTION, DJ_COLUMN_DRAW_START, 0},
    };
    for (size_t i = 0; i < sizeof(sentinels) / sizeof(sentinels[0]); i++) {
        fill_healthy(12);
        /* The uptime is more than 10 s, so a deadline of 1 is implausibly early. */
        for (size_t k = 0; k < 12; k++) {
            for (size_t column = 0; column < DJ_COLUMN_COUNT; column++) {
                bool stamp = frames[k].value[column] > 500 * MS;
                frames[k].value[column] += stamp ? 20000 * MS : 0;
            }
            frames[k].value[sentinels[i].column] = sentinels[i].value;
        }
        find(12);
        cr_assert_eq(found.of[sentinels[i].id].measured_frames, 0, "row %zu", i);
        cr_assert_eq(found.of[sentinels[i].id].frames, 0);
    }
}

/* The id of an input event may be any number and is never used as a time. */
Test(findings, an_input_id_is_not_used_as_a_time)
{
    fill_healthy(3);
    for (size_t i = 0; i < 3; i++) {
        frames[i].known &= ~DJ_COLUMN_BIT(DJ_COLUMN_NEWEST_INPUT_EVENT);
        dj_frame_set(&frames[i], DJ_COLUMN_INPUT_EVENT_ID, 1000 * MS);
    }
    find(3);
    cr_assert_eq(found.of[DJ_FINDING_INPUT_LATENCY].measured_frames, 0);
    for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
        const struct dj_frame_finding_rule *rule =
            dj_frame_finding_rule((enum dj_finding_id)i);
        cr_assert_neq(dj_frame_column_kind(rule->start), DJ_KIND_ID);
        cr_assert_neq(dj_frame_column_kind(rule->end), DJ_KIND_ID);
    }
}

/* While a frame waits for the render thread, it does not draw. */
Test(findings, waiting_for_the_render_thread_is_not_drawing)
{
    fill_healthy(1);
    int64_t draw_ns = frames[0].value[DJ_COLUMN_DRAW_START];
    dj_frame_set(&frames[0], DJ_COLUMN_SYNC_QUEUED, draw_ns + MS);
    dj_frame_set(&frames[0], DJ_COLUMN_SYNC_START, draw_ns + 9 * MS);
    find(1);
    cr_assert_eq(found.of[DJ_FINDING_DRAW].measured_frames, 1);
    cr_assert_eq(found.of[DJ_FINDING_DRAW].frames, 0);
    cr_assert_eq(found.of[DJ_FINDING_RENDER_THREAD_BUSY].frames, 1);
    cr_assert_eq(found.of[DJ_FINDING_RENDER_THREAD_BUSY].worst_ns, 8 * MS);
    /* M Preview has no SyncQueued, so the time from DrawStart to SyncStart counts, as in
     * the guide. */
    frames[0].known &= ~DJ_COLUMN_BIT(DJ_COLUMN_SYNC_QUEUED);
    find(1);
    cr_assert_eq(found.of[DJ_FINDING_DRAW].frames, 1);
    cr_assert_eq(found.of[DJ_FINDING_DRAW].worst_ns, 9 * MS);
    cr_assert_eq(found.of[DJ_FINDING_RENDER_THREAD_BUSY].measured_frames, 0);
}

Test(findings, rows_that_are_not_usable_do_not_count)
{
    for (size_t why = 0; why < DJ_USABILITY_COUNT; why++) {
        fill_healthy(1);
        frames[0].value[DJ_COLUMN_ANIMATION_START] += 50 * MS;
        facts[0].usability = (uint8_t)why;
        find(1);
        cr_assert_eq(found.of[DJ_FINDING_INPUT_HANDLING].measured_frames,
                     why == DJ_ROW_USABLE ? 1 : 0);
    }
}

Test(findings, worst_total_and_janky_frames_include_only_found_frames)
{
    static const int64_t input_ms[] = {1, 5, 0, 9, 9, 3};
    fill_healthy(6);
    for (size_t i = 0; i < 6; i++) {
        frames[i].value[DJ_COLUMN_ANIMATION_START] =
            frames[i].value[DJ_COLUMN_HANDLE_INPUT_START] + input_ms[i] * MS;
        facts[i].janky = i == 0 || i == 3 || i == 5;
    }
    find(6);
    const struct dj_finding *finding = &found.of[DJ_FINDING_INPUT_HANDLING];
    cr_assert_eq(finding->measured_frames, 6);
    cr_assert_eq(finding->frames, 4);
    cr_assert_eq(finding->janky_frames, 2);
    cr_assert_eq(finding->worst_row, 3, "the first of equal rows is the worst");
    cr_assert_eq(finding->worst_ns, 9 * MS);
    cr_assert_eq(finding->total_ns, 26 * MS);
}

Test(findings, totals_are_at_most_int64_max)
{
    fill_healthy(2);
    for (size_t i = 0; i < 2; i++) {
        frames[i].value[DJ_COLUMN_HANDLE_INPUT_START] = 1;
        frames[i].value[DJ_COLUMN_ANIMATION_START] = INT64_MAX;
    }
    find(2);
    cr_assert_eq(found.of[DJ_FINDING_INPUT_HANDLING].total_ns, INT64_MAX);
    cr_assert_eq(found.of[DJ_FINDING_INPUT_HANDLING].worst_ns, INT64_MAX - 1);
}

static size_t steady_frames(size_t count)
{
    find(count);
    return found.of[DJ_FINDING_LAYOUT_IN_MOTION].measured_frames;
}

static void move_by(size_t from, size_t count, int64_t ns)
{
    for (size_t i = from; i < count; i++) {
        for (size_t column = 0; column < DJ_COLUMN_COUNT; column++) {
            frames[i].value[column] += frames[i].value[column] > 500 * MS ? ns : 0;
        }
    }
}

Test(findings, a_motion_is_steady_from_its_fifth_frame_on)
{
    for (size_t count = 0; count < 10; count++) {
        fill_healthy(count);
        cr_assert_eq(steady_frames(count), count > 4 ? count - 4 : 0);
    }
}

Test(findings, a_pause_ends_a_motion)
{
    /* A frame completes after 8 ms. The next one may begin within two intervals of
     * that. */
    int64_t last_ns = 2 * INTERVAL_NS + 8 * MS - INTERVAL_NS;
    fill_healthy(12);
    move_by(6, 12, last_ns - 1);
    cr_assert_eq(steady_frames(12), 8);
    fill_healthy(12);
    move_by(6, 12, last_ns);
    cr_assert_eq(steady_frames(12), 4, "two motions of six frames");
}

Test(findings, a_slow_frame_does_not_end_a_motion)
{
    fill_healthy(12);
    frames[5].value[DJ_COLUMN_FRAME_COMPLETED] += 80 * MS;
    move_by(6, 12, 80 * MS);
    cr_assert_eq(steady_frames(12), 8);
}

Test(findings, a_changed_window_continues_a_motion_and_a_skipped_row_is_ignored)
{
    fill_healthy(12);
    facts[5].usability = DJ_ROW_WINDOW_CHANGED;
    facts[6].usability = DJ_ROW_STALE;
    cr_assert_eq(steady_frames(12), 6);
    fill_healthy(12);
    facts[11].usability = DJ_ROW_SKIPPED;
    cr_assert_eq(steady_frames(12), 7);
}

Test(findings, rows_that_go_back_in_time_end_a_motion)
{
    fill_healthy(12);
    frames[6] = frames[5];
    cr_assert_eq(steady_frames(12), 2 + 2, "a motion of six frames, and another motion");
}

Test(findings, layout_of_a_single_frame_is_not_found)
{
    fill_healthy(10);
    frames[0].value[DJ_COLUMN_DRAW_START] += 5 * MS;
    frames[9].value[DJ_COLUMN_DRAW_START] += 3 * MS;
    frames[9].value[DJ_COLUMN_SYNC_QUEUED] += 3 * MS;
    frames[9].value[DJ_COLUMN_SYNC_START] += 3 * MS;
    find(10);
    cr_assert_eq(found.of[DJ_FINDING_LAYOUT_IN_MOTION].frames, 1);
    cr_assert_eq(found.of[DJ_FINDING_LAYOUT_IN_MOTION].worst_row, 9);
}

Test(findings, a_huge_interval_does_not_overflow)
{
    fill_healthy(6);
    dj_frame_findings_mark(frames, 6, facts, INT64_MAX, &found, NULL);
    cr_assert_eq(found.of[DJ_FINDING_GPU].frames, 0);
    cr_assert_eq(found.of[DJ_FINDING_LAYOUT_IN_MOTION].measured_frames, 2);
    cr_assert_gt(found.of[DJ_FINDING_INPUT_LATENCY].limit_ns, 0);
}

Test(findings, marks_show_which_rows_each_rule_found)
{
    uint32_t marks[10] = {0};
    fill_healthy(10);
    frames[0].value[DJ_COLUMN_DRAW_START] += 5 * MS; /* No motion yet. */
    frames[9].value[DJ_COLUMN_DRAW_START] += 3 * MS;
    frames[9].value[DJ_COLUMN_SYNC_QUEUED] += 3 * MS;
    frames[9].value[DJ_COLUMN_SYNC_START] += 3 * MS;
    frames[4].value[DJ_COLUMN_ISSUE_DRAW_COMMANDS_START] += 1 * MS;
    facts[4].usability = DJ_ROW_USABLE;
    frames[6].value[DJ_COLUMN_ISSUE_DRAW_COMMANDS_START] += 1 * MS;
    facts[6].usability = DJ_ROW_WINDOW_CHANGED;
    dj_frame_findings_mark(frames, 10, facts, INTERVAL_NS, &found, marks);
    for (size_t i = 0; i < 10; i++) {
        uint32_t wanted = i == 9   ? UINT32_C(1) << DJ_FINDING_LAYOUT_IN_MOTION
                          : i == 4 ? UINT32_C(1) << DJ_FINDING_SYNC
                                   : 0;
        cr_assert_eq(marks[i], wanted, "row %zu: %x", i, (unsigned)marks[i]);
    }
    cr_assert_eq(found.of[DJ_FINDING_SYNC].frames, 1);
}

Test(findings, findings_are_sorted_by_janky_frames_then_frames_then_time)
{
    static const struct dj_finding of[] = {
        [DJ_FINDING_INPUT_HANDLING] = {9, 3, 1, 0, 0, 10, 0},
        [DJ_FINDING_ANIMATION] = {9, 8, 0, 0, 0, 90, 0},
        [DJ_FINDING_DRAW] = {9, 3, 1, 0, 0, 11, 0},
        [DJ_FINDING_SYNC] = {9, 2, 2, 0, 0, 1, 0},
        [DJ_FINDING_GPU] = {9, 9, 0, 0, 0, 1, 0},
        [DJ_FINDING_INPUT_LATENCY] = {9, 0, 0, 0, 0, 0, 0},
    };
    static const enum dj_finding_id want[] = {
        DJ_FINDING_SYNC, DJ_FINDING_DRAW,      DJ_FINDING_INPUT_HANDLING,
        DJ_FINDING_GPU,  DJ_FINDING_ANIMATION,
    };
    enum dj_finding_id order[DJ_FINDING_COUNT];
    found = (struct dj_findings){0};
    memcpy(found.of, of, sizeof(of));
    cr_assert_eq(dj_frame_findings_sort(&found, order), 5);
    for (size_t i = 0; i < 5; i++) {
        cr_assert_eq(order[i], want[i], "place %zu", i);
    }
}

Test(findings, every_rule_has_an_id_a_limit_a_stage_and_texts)
{
    for (size_t i = 0; i < DJ_FINDING_COUNT; i++) {
        const struct dj_frame_finding_rule *rule =
            dj_frame_finding_rule((enum dj_finding_id)i);
        const struct dj_frame_finding_text *text =
            dj_frame_finding_get_text((enum dj_finding_id)i);
        cr_assert_eq(limits[i].id, i);
        cr_assert_str_eq(rule->id, limits[i].name, "ids are a contract");
        cr_assert_eq(rule->start, limits[i].start);
        cr_assert_eq(rule->end, limits[i].end);
        cr_assert_leq(rule->stage, DJ_STAGE_COUNT);
        cr_assert_not_null(rule->check);
        cr_assert(isupper(text->title[0]), "%s", rule->id);
        cr_assert_gt(strlen(text->look_at), 20);
        cr_assert_str_eq(strrchr(text->look_at, '.'), ".", "%s", rule->id);
        for (size_t k = 0; k < i; k++) {
            cr_assert_str_neq(rule->id, dj_frame_finding_rule((enum dj_finding_id)k)->id);
        }
    }
}
