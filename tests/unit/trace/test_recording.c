/*
 * Tests the conversion of dejank's own recordings to events: rows of frames, and
 * sections that are merged with other events.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame/stages.h"
#include "trace/recording.h"

enum { MOST = 200, INTERVAL = 16666667 };

static struct dj_trace_recording recorded;
static struct {
    struct dj_event events[MOST];
    struct dj_event_frame frames[MOST];
    char names[MOST][32];
    size_t count;
} got;

static void finish(void)
{
    dj_trace_recording_finish(&recorded);
    got.count = 0;
}

TestSuite(recorded, .fini = finish);

static int store_event(void *user, const struct dj_event *event)
{
    (void)user;
    cr_assert_lt(got.count, MOST);
    got.events[got.count] = *event;
    if (event->frame != NULL) {
        got.frames[got.count] = *event->frame;
    }
    snprintf(got.names[got.count], sizeof(got.names[0]), "%.*s", (int)event->name.length,
             event->name.length > 0 ? event->name.at : "");
    got.count++;
    return 0;
}

/* Returns a frame whose stages have these times after intended_ns, in the order of the
 * columns. */
static struct dj_frame frame_at(int64_t intended_ns, const int64_t *after_ns)
{
    static const enum dj_column columns[] = {
        DJ_COLUMN_HANDLE_INPUT_START, DJ_COLUMN_PERFORM_TRAVERSALS_START,
        DJ_COLUMN_DRAW_START,         DJ_COLUMN_SYNC_QUEUED,
        DJ_COLUMN_SWAP_BUFFERS,       DJ_COLUMN_FRAME_COMPLETED};
    struct dj_frame frame = {.known = 0};
    dj_frame_set(&frame, DJ_COLUMN_FLAGS, 0);
    dj_frame_set(&frame, DJ_COLUMN_INTENDED_VSYNC, intended_ns);
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
        dj_frame_set(&frame, columns[i], intended_ns + after_ns[i]);
    }
    return frame;
}

static void add_rows(struct dj_frame *frames, size_t count)
{
    const struct dj_trace_frame_rows rows = {.window = "main",
                                             .pid = 40,
                                             .interval_ns = INTERVAL,
                                             .frames = frames,
                                             .count = count,
                                             .first = 10};
    dj_trace_recording_add_rows(&recorded, &rows);
}

static void send_events(void)
{
    cr_assert_eq(dj_trace_recording_send_events(
                     &recorded, (struct dj_event_sink){store_event, NULL}),
                 0);
    for (size_t i = 1; i < got.count; i++) {
        cr_assert_geq(got.events[i].at_ns, got.events[i - 1].at_ns, "event %zu", i);
    }
}

static const struct dj_event *frame_of(enum dj_frame_side side, size_t n)
{
    for (size_t i = 0; i < got.count; i++) {
        if (got.events[i].kind == DJ_EVENT_FRAME_BEGIN && got.frames[i].side == side &&
            n-- == 0) {
            return &got.events[i];
        }
    }
    cr_assert_fail("no such frame");
    return NULL;
}

static int64_t end_of(const struct dj_event *begin)
{
    for (size_t i = 0; i < got.count; i++) {
        if (got.events[i].kind == DJ_EVENT_FRAME_END &&
            got.events[i].value == begin->value) {
            return got.events[i].at_ns;
        }
    }
    cr_assert_fail("the frame has no end");
    return 0;
}

static const int64_t on_time[] = {1000, 2000, 3000, 4000, 5000, 6000};
static const int64_t late[] = {1000, 2000, 20000000, 20001000, 20002000, 20003000};

Test(recorded, a_frame_has_an_expected_and_an_actual_timeline)
{
    struct dj_frame frames[] = {frame_at(1000000000, on_time),
                                frame_at(1000000000 + INTERVAL, late)};
    add_rows(frames, 2);
    cr_expect_eq(recorded.frames, 2);
    send_events();
    for (size_t i = 0; i < 2; i++) {
        int64_t intended_ns = frames[i].value[DJ_COLUMN_INTENDED_VSYNC];
        const struct dj_event *expected = frame_of(DJ_FRAME_EXPECTED_SURFACE, i);
        const struct dj_event *actual = frame_of(DJ_FRAME_ACTUAL_SURFACE, i);
        cr_expect_eq(expected->at_ns, intended_ns);
        cr_expect_eq(end_of(expected), intended_ns + INTERVAL);
        cr_expect_eq(actual->at_ns, intended_ns + 1000);
        cr_expect_eq(end_of(actual), intended_ns + (i == 0 ? 6000 : 20003000));
        cr_expect_eq(actual->pid, 40);
        const struct dj_event_frame *frame = &got.frames[actual - got.events];
        cr_expect_eq(frame->token, (int64_t)(11 + i));
        cr_expect_eq(frame->jank_types, i == 0 ? 1 : 64);
        cr_expect_eq(frame->finished_on_time, i == 0);
        cr_expect_eq(frame->present, i == 0 ? 1 : 2);
        cr_expect_eq(frame->layer.length, 4);
    }
}

/* Each stage begins where the previous one ends. All stages of a frame have one cookie
 * and one flow. */
Test(recorded, stages_follow_one_another)
{
    struct dj_frame frame = frame_at(1000000000, on_time);
    struct dj_stages stages;
    int64_t last_ns = 1000000000;
    size_t count = 0;
    add_rows(&frame, 1);
    send_events();
    dj_frame_compute_stages(&frame, &stages);
    for (size_t i = 0; i < got.count; i++) {
        const struct dj_event *event = &got.events[i];
        if (event->kind != DJ_EVENT_ASYNC_BEGIN) {
            continue;
        }
        const struct dj_event *end = event + 1;
        while (end->kind != DJ_EVENT_ASYNC_END) {
            end++;
        }
        cr_expect_eq(event->at_ns, last_ns, "%s", got.names[i]);
        cr_expect_eq(end->value, event->value);
        cr_expect_neq(event->value_2, 0);
        cr_expect_eq(event->other_name.length, strlen(DJ_FRAMES_TRACK));
        last_ns = end->at_ns;
        count++;
    }
    cr_expect_eq(last_ns, 1000006000);
    cr_expect_eq(count, (size_t)__builtin_popcount(stages.known));
}

Test(recorded, backward_stamps_end_no_stage_before_its_begin)
{
    static const int64_t backwards[] = {5000, 1000, 3000, 2000, 500, 6000};
    struct dj_frame frame = frame_at(1000000000, backwards);
    size_t open = 0;
    add_rows(&frame, 1);
    send_events();
    for (size_t i = 0; i < got.count; i++) {
        open += got.events[i].kind == DJ_EVENT_ASYNC_BEGIN;
        cr_assert_leq(open, 1, "stages do not overlap");
        open -= got.events[i].kind == DJ_EVENT_ASYNC_END;
    }
    cr_expect_eq(open, 0);
}

Test(recorded, rows_without_a_frame_are_ignored)
{
    struct dj_frame frames[] = {frame_at(1000000000, on_time),
                                frame_at(1100000000, on_time),
                                frame_at(1200000000, on_time),
                                {.known = 0},
                                frame_at(0, on_time)};
    dj_frame_set(&frames[0], DJ_COLUMN_FLAGS, DJ_FLAG_SKIPPED_FRAME);
    frames[1].known &= ~DJ_COLUMN_BIT(DJ_COLUMN_FRAME_COMPLETED);
    dj_frame_set(&frames[2], DJ_COLUMN_FRAME_COMPLETED, 5);
    add_rows(frames, 5);
    cr_expect_eq(recorded.frames, 0);
    send_events();
    for (size_t i = 0; i < got.count; i++) {
        cr_expect(got.events[i].kind == DJ_EVENT_CLOCK, "event of kind %d",
                  got.events[i].kind);
    }
}

Test(recorded, a_missing_deadline_is_one_interval)
{
    struct dj_frame frame = frame_at(1000000000, on_time);
    dj_frame_set(&frame, DJ_COLUMN_FRAME_DEADLINE, INT64_MAX);
    add_rows(&frame, 1);
    send_events();
    cr_expect_eq(end_of(frame_of(DJ_FRAME_EXPECTED_SURFACE, 0)), 1000000000 + INTERVAL);
}

/* Adds the sections of a process. */
static void add_sections(void)
{
    struct dj_sections sections = {.pid = 40, .name = "app", .dropped = 3};
    dj_text_append(&sections.names, "\0work", 6);
    sections.events = calloc(2, sizeof(*sections.events));
    sections.threads = calloc(1, sizeof(*sections.threads));
    cr_assert(sections.events != NULL && sections.threads != NULL);
    sections.events[0] = (struct dj_section_event){
        .at_ns = 100, .tid = 41, .name = 1, .kind = DJ_SECTION_BEGIN};
    sections.events[1] =
        (struct dj_section_event){.at_ns = 300, .tid = 41, .kind = DJ_SECTION_END};
    sections.threads[0] = (struct dj_section_thread){.tid = 41, .name = "ui"};
    sections.count = 2;
    sections.thread_count = 1;
    dj_trace_recording_add_sections(&recorded, &sections);
}

Test(recorded, sections_are_merged_by_time)
{
    struct dj_event other = {.kind = DJ_EVENT_WAKING, .cpu = 0, .pid = DJ_PID_UNKNOWN};
    add_sections();
    struct dj_trace_merger weave = {.sink = {store_event, NULL}, .recorded = &recorded};
    for (int64_t at_ns = 50; at_ns <= 250; at_ns += 100) {
        other.at_ns = at_ns;
        cr_assert_eq(dj_trace_merger_add_event(&weave, &other), 0);
    }
    cr_assert_eq(dj_trace_merger_end(&weave, 0), 0);
    static const struct {
        uint8_t kind;
        int64_t at_ns;
    } order[] = {{DJ_EVENT_CLOCK, 0},    {DJ_EVENT_THREAD, 0},   {DJ_EVENT_THREAD, 0},
                 {DJ_EVENT_LOST, 0},     {DJ_EVENT_WAKING, 50},  {DJ_EVENT_BEGIN, 100},
                 {DJ_EVENT_WAKING, 150}, {DJ_EVENT_WAKING, 250}, {DJ_EVENT_END, 300}};
    enum { COUNT = sizeof(order) / sizeof(order[0]) };
    cr_assert_eq(got.count, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        cr_expect_eq(got.events[i].kind, order[i].kind, "event %zu", i);
        cr_expect_eq(got.events[i].at_ns, order[i].at_ns, "event %zu", i);
    }
    cr_expect_str_eq(got.names[1], "app");
    cr_expect_str_eq(got.names[5], "work");
    cr_expect_eq(got.events[3].value, 3);
    cr_expect_eq(got.events[5].tid, 41);
    cr_expect_eq(got.events[5].pid, 40);
}

static int refuse(void *user, const struct dj_event *event)
{
    (void)event;
    return --*(int *)user < 0 ? DJ_E_OUTPUT : 0;
}

Test(recorded, the_sinks_code_stops_the_merge)
{
    struct dj_frame frame = frame_at(1000000000, on_time);
    add_sections();
    add_rows(&frame, 1);
    for (int left = 0; left < 8; left++) {
        int count = left;
        cr_expect_eq(dj_trace_recording_send_events(
                         &recorded, (struct dj_event_sink){refuse, &count}),
                     DJ_E_OUTPUT);
    }
    struct dj_trace_merger weave = {.sink = {store_event, NULL}, .recorded = &recorded};
    cr_expect_eq(dj_trace_merger_end(&weave, DJ_E_TIMEOUT), DJ_E_TIMEOUT);
}

Test(recorded, missing_recordings_are_reported)
{
    struct dj_error err = {0};
    cr_expect_eq(dj_trace_recording_read(&recorded, "/nowhere/1.2", &err),
                 DJ_E_NOT_FOUND);
    cr_expect_not_null(strstr(err.message, "/nowhere/1.2"), "%s", err.message);
}
