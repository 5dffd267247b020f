/*
 * Tests the writer of Perfetto traces with dejank's own reader.
 * tests/e2e/test_trace_write.py reads the same files with other programs.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/kernel/tracepoints.h"
#include "trace/model/builder.h"
#include "written.h"

/* Copies of the events that were read. */
enum { MOST = 200, NAME = 64 };

static struct {
    struct dj_event events[MOST];
    struct dj_event_frame frames[MOST];
    char names[MOST][3][NAME];
    size_t count;
} got;

static struct dj_str copy(struct dj_str words, char *to)
{
    cr_assert_lt(words.length, NAME);
    if (words.length > 0) {
        memcpy(to, words.at, words.length);
    }
    return (struct dj_str){to, words.length};
}

static int store_event(void *user, const struct dj_event *event)
{
    (void)user;
    cr_assert_lt(got.count, MOST);
    struct dj_event *kept = &got.events[got.count];
    *kept = *event;
    kept->name = copy(event->name, got.names[got.count][0]);
    kept->task = copy(event->task, got.names[got.count][1]);
    kept->other_name = copy(event->other_name, got.names[got.count][2]);
    if (event->frame != NULL) {
        got.frames[got.count] = *event->frame;
        kept->frame = &got.frames[got.count];
    }
    got.count++;
    return 0;
}

static void write_and_read(const struct dj_event *events, size_t count,
                           const struct dj_trace_origin *origin)
{
    struct written written = written_pftrace(events, count, origin);
    got.count = 0;
    written_read(&written, (struct dj_event_sink){store_event, NULL});
    free(written.bytes);
}

/* Returns the event number `n` of a kind, counted from 0. */
static const struct dj_event *of_kind(enum dj_event_kind kind, size_t n)
{
    for (size_t i = 0; i < got.count; i++) {
        if (got.events[i].kind == kind && n-- == 0) {
            return &got.events[i];
        }
    }
    cr_assert_fail("no event of kind %d, number %zu", kind, n);
    return NULL;
}

static bool same(struct dj_str a, struct dj_str b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.at, b.at, a.length) == 0);
}

static void expect_same(const struct dj_event *read, const struct dj_event *wrote)
{
    cr_expect_eq(read->kind, wrote->kind);
    cr_expect_eq(read->at_ns, wrote->at_ns, "of kind %d", wrote->kind);
    cr_expect_eq(read->tid, wrote->tid, "of kind %d", wrote->kind);
    cr_expect_eq(read->cpu, wrote->cpu, "of kind %d", wrote->kind);
    cr_expect_eq(read->other, wrote->other, "of kind %d", wrote->kind);
    cr_expect_eq(read->value, wrote->value, "of kind %d", wrote->kind);
    cr_expect_eq(read->value_2, wrote->value_2, "of kind %d", wrote->kind);
    cr_expect_eq(read->state, wrote->state, "of kind %d", wrote->kind);
    cr_expect_eq(read->interrupted, wrote->interrupted, "of kind %d", wrote->kind);
    cr_expect(same(read->name, wrote->name), "of kind %d", wrote->kind);
    cr_expect(same(read->other_name, wrote->other_name), "of kind %d", wrote->kind);
}

/* Returns an event with values in all fields that its kind uses. */
static struct dj_event filled(enum dj_event_kind kind, int64_t at_ns)
{
    struct dj_event event = {.kind = (uint8_t)kind,
                             .at_ns = at_ns,
                             .tid = 70,
                             .cpu = 3,
                             .pid = DJ_PID_UNKNOWN,
                             .interrupted = kind == DJ_EVENT_WAKING};
    const struct dj_tracepoint_field *fields = dj_tracepoint_fields[kind];
    cr_assert_not_null(dj_tracepoint_find_kind(kind), "kind %d", kind);
    for (size_t i = 0; i < DJ_TRACEPOINT_FIELDS && fields[i].name != NULL; i++) {
        static const char *const texts[] = {"task", "name", "other"};
        enum dj_event_slot slot = fields[i].slot;
        dj_event_slot_set_number(&event, slot, slot == DJ_SLOT_STATE ? 2 : 7);
        if (dj_event_slot_is_text(slot)) {
            const char *text = texts[slot - DJ_SLOT_TASK];
            dj_event_slot_set_text(&event, slot, (struct dj_str){text, strlen(text)});
        }
    }
    return event;
}

Test(pftrace_write, kernel_events_survive_a_round_trip)
{
    struct dj_event events[DJ_EVENT_KINDS];
    size_t count = 0;
    for (int kind = DJ_EVENT_SWITCH; kind < DJ_EVENT_KINDS; kind++) {
        if (dj_tracepoint_find_kind((enum dj_event_kind)kind) != NULL) {
            events[count] = filled((enum dj_event_kind)kind, 1000 + kind);
            count++;
        }
    }
    cr_assert_geq(count, 20);
    write_and_read(events, count, NULL);
    for (size_t i = 0; i < count; i++) {
        expect_same(of_kind((enum dj_event_kind)events[i].kind, 0), &events[i]);
    }
}

Test(pftrace_write, task_states_survive_a_round_trip)
{
    struct dj_event events[DJ_TASK_RESTING + 1];
    for (int state = DJ_TASK_UNKNOWN; state <= DJ_TASK_RESTING; state++) {
        events[state] = (struct dj_event){.kind = DJ_EVENT_SWITCH,
                                          .at_ns = 10 + state,
                                          .tid = 70,
                                          .other = 71,
                                          .cpu = 0,
                                          .pid = DJ_PID_UNKNOWN,
                                          .state = (uint8_t)state};
    }
    write_and_read(events, DJ_TASK_RESTING + 1, NULL);
    for (int state = DJ_TASK_UNKNOWN; state <= DJ_TASK_RESTING; state++) {
        cr_expect_eq(of_kind(DJ_EVENT_SWITCH, (size_t)state)->state, state);
    }
}

Test(pftrace_write, events_with_equal_stamps_keep_their_order)
{
    struct dj_event events[40];
    for (int i = 0; i < 40; i++) {
        events[i] = (struct dj_event){.kind = DJ_EVENT_WAKING,
                                      .at_ns = 5000,
                                      .tid = 9,
                                      .other = 100 + i,
                                      .cpu = (i * 7) % 4,
                                      .pid = DJ_PID_UNKNOWN};
    }
    write_and_read(events, 40, NULL);
    for (int i = 0; i < 40; i++) {
        cr_expect_eq(of_kind(DJ_EVENT_WAKING, (size_t)i)->other, 100 + i);
    }
}

Test(pftrace_write, kernel_log_markers_stay_markers)
{
    const struct dj_event events[] = {
        {.kind = DJ_EVENT_BEGIN, .at_ns = 1, .tid = 5, .pid = 4, .name = WORDS("a|b")},
        {.kind = DJ_EVENT_END, .at_ns = 2, .tid = 5, .pid = 4},
        {.kind = DJ_EVENT_END, .at_ns = 3, .tid = 5, .pid = DJ_PID_UNKNOWN},
        {.kind = DJ_EVENT_COUNTER,
         .at_ns = 4,
         .tid = 5,
         .pid = 4,
         .name = WORDS("fps"),
         .value = -59},
        {.kind = DJ_EVENT_ASYNC_BEGIN,
         .at_ns = 5,
         .tid = 5,
         .pid = 4,
         .name = WORDS("load"),
         .value = 8},
        {.kind = DJ_EVENT_ASYNC_END,
         .at_ns = 6,
         .tid = 6,
         .pid = 4,
         .name = WORDS("load"),
         .value = 8},
        {.kind = DJ_EVENT_ASYNC_BEGIN,
         .at_ns = 7,
         .tid = 5,
         .pid = 4,
         .name = WORDS("in"),
         .other_name = WORDS("track"),
         .value = 9},
        {.kind = DJ_EVENT_ASYNC_END,
         .at_ns = 8,
         .tid = 5,
         .pid = 4,
         .name = WORDS("in"),
         .other_name = WORDS("track"),
         .value = 9},
        {.kind = DJ_EVENT_INSTANT, .at_ns = 9, .tid = 5, .pid = 4, .name = WORDS("now")},
    };
    enum { COUNT = sizeof(events) / sizeof(events[0]) };
    size_t nth[DJ_EVENT_KINDS] = {0};
    write_and_read(events, COUNT, NULL);
    for (size_t i = 0; i < COUNT; i++) {
        const struct dj_event *read =
            of_kind((enum dj_event_kind)events[i].kind, nth[events[i].kind]++);
        expect_same(read, &events[i]);
        cr_expect_eq(read->pid, events[i].pid, "event %zu", i);
    }
}

/* The sections belong to threads. Their CPU is unknown. */
Test(pftrace_write, sections_nest_on_their_threads)
{
    struct dj_trace trace = {0};
    struct dj_trace_builder build = {.trace = &trace};
    const struct dj_event events[] = {
        {.kind = DJ_EVENT_BEGIN,
         .cpu = -1,
         .at_ns = 10,
         .tid = 5,
         .pid = 4,
         .name = WORDS("outer")},
        {.kind = DJ_EVENT_BEGIN,
         .cpu = -1,
         .at_ns = 20,
         .tid = 6,
         .pid = 4,
         .name = WORDS("other")},
        {.kind = DJ_EVENT_BEGIN,
         .cpu = -1,
         .at_ns = 30,
         .tid = 5,
         .pid = 4,
         .name = WORDS("inner")},
        {.kind = DJ_EVENT_END, .cpu = -1, .at_ns = 40, .tid = 5, .pid = 4},
        {.kind = DJ_EVENT_END, .cpu = -1, .at_ns = 50, .tid = 6, .pid = 4},
        {.kind = DJ_EVENT_END, .cpu = -1, .at_ns = 60, .tid = 5, .pid = 4},
    };
    struct written written = written_pftrace(events, 6, NULL);
    written_read(&written, (struct dj_event_sink){dj_builder_add_event, &build});
    cr_assert_eq(dj_builder_complete(&build, NULL), 0);
    cr_assert_eq(trace.slice_count, 3);
    cr_expect_str_eq(trace.slices[0].name, "outer");
    cr_expect_eq(trace.slices[0].end_ns, 60);
    cr_expect_str_eq(trace.slices[1].name, "other");
    cr_expect_eq(trace.slices[1].tid, 6);
    cr_expect_str_eq(trace.slices[2].name, "inner");
    cr_expect_eq(trace.slices[2].depth, 1);
    dj_trace_finish(&trace);
    free(written.bytes);
}

/* Several sections with the same name overlap. They end in the order in which they
 * began. */
Test(pftrace_write, overlapping_async_sections_stay_separate)
{
    struct dj_trace trace = {0};
    struct dj_trace_builder build = {.trace = &trace};
    struct dj_event events[8];
    for (int i = 0; i < 8; i++) {
        events[i] =
            (struct dj_event){.kind = i < 4 ? DJ_EVENT_ASYNC_BEGIN : DJ_EVENT_ASYNC_END,
                              .cpu = -1,
                              .at_ns = i < 4 ? 10 + i : 100 * i,
                              .tid = 5,
                              .pid = 4,
                              .name = WORDS("job"),
                              .value = i % 4};
    }
    struct written written = written_pftrace(events, 8, NULL);
    written_read(&written, (struct dj_event_sink){dj_builder_add_event, &build});
    cr_assert_eq(dj_builder_complete(&build, NULL), 0);
    cr_assert_eq(trace.slice_count, 4);
    cr_expect_eq(trace.endings, 0);
    for (int i = 0; i < 4; i++) {
        cr_expect_str_eq(trace.slices[i].name, "job");
        cr_expect_eq(trace.slices[i].start_ns, 10 + i);
        cr_expect_eq(trace.slices[i].end_ns, 100 * (i + 4));
        cr_expect(!trace.slices[i].open);
    }
    dj_trace_finish(&trace);
    free(written.bytes);
}

Test(pftrace_write, frames_keep_all_fields)
{
    const struct dj_event_frame told = {.token = 77,
                                        .display_token = 78,
                                        .layer = WORDS("window"),
                                        .jank_types = 64,
                                        .side = DJ_FRAME_ACTUAL_SURFACE,
                                        .present = 2,
                                        .prediction = 1,
                                        .severity = 3,
                                        .composed_by_gpu = true};
    const struct dj_event events[] = {
        {.kind = DJ_EVENT_FRAME_BEGIN,
         .cpu = -1,
         .at_ns = 5,
         .pid = 4,
         .value = 9,
         .frame = &told},
        {.kind = DJ_EVENT_FRAME_END, .cpu = -1, .at_ns = 8, .pid = 4, .value = 9},
    };
    write_and_read(events, 2, NULL);
    const struct dj_event *begin = of_kind(DJ_EVENT_FRAME_BEGIN, 0);
    cr_expect_eq(begin->at_ns, 5);
    cr_expect_eq(begin->pid, 4);
    cr_expect_eq(begin->value, 9);
    cr_assert_not_null(begin->frame);
    cr_expect_eq(begin->frame->token, 77);
    cr_expect_eq(begin->frame->display_token, 78);
    cr_expect_eq(begin->frame->jank_types, 64);
    cr_expect_eq(begin->frame->side, DJ_FRAME_ACTUAL_SURFACE);
    cr_expect_eq(begin->frame->present, 2);
    cr_expect_eq(begin->frame->prediction, 1);
    cr_expect_eq(begin->frame->severity, 3);
    cr_expect(begin->frame->composed_by_gpu && !begin->frame->finished_on_time);
    cr_expect_eq(of_kind(DJ_EVENT_FRAME_END, 0)->value, 9);
}

Test(pftrace_write, states_without_switches_are_written)
{
    const struct dj_event event = {.kind = DJ_EVENT_TASK,
                                   .at_ns = 3,
                                   .other = 70,
                                   .other_name = WORDS("worker"),
                                   .pid = DJ_PID_UNKNOWN,
                                   .cpu = 2,
                                   .thread_state = DJ_THREAD_RUNNING};
    write_and_read(&event, 1, NULL);
    const struct dj_event *read = of_kind(DJ_EVENT_TASK, 0);
    cr_expect_eq(read->other, 70);
    cr_expect_eq(read->thread_state, DJ_THREAD_RUNNING);
    cr_expect_eq(read->cpu, 2);
    cr_expect(same(read->other_name, event.other_name));
}

Test(pftrace_write, losses_keep_their_number)
{
    const struct dj_event events[] = {
        {.kind = DJ_EVENT_WAKING, .at_ns = 1, .cpu = 1, .other = 3, .pid = -1},
        {.kind = DJ_EVENT_LOST, .at_ns = 2, .cpu = 1, .value = 5, .pid = -1},
        {.kind = DJ_EVENT_WAKING, .at_ns = 3, .cpu = 1, .other = 3, .pid = -1},
        {.kind = DJ_EVENT_LOST, .at_ns = 4, .cpu = 0, .value = 0, .pid = -1},
        {.kind = DJ_EVENT_LOST, .at_ns = 5, .cpu = -1, .value = 7, .pid = -1},
        {.kind = DJ_EVENT_WAKING, .at_ns = 6, .cpu = 0, .other = 3, .pid = -1},
    };
    int64_t lost = 0;
    write_and_read(events, 6, NULL);
    for (size_t i = 0; i < got.count; i++) {
        lost += got.events[i].kind != DJ_EVENT_LOST ? 0
                : got.events[i].value > 0           ? got.events[i].value
                                                    : 1;
    }
    cr_expect_eq(lost, 13);
    for (size_t i = 1; i < got.count; i++) {
        const struct dj_event *event = &got.events[i];
        if (event->kind == DJ_EVENT_WAKING && event->at_ns > 1) {
            cr_expect_eq(event[-1].kind, DJ_EVENT_LOST,
                         "it is told before what followed");
            cr_expect_eq(event[-1].cpu, event->cpu);
        }
    }
}

/* Readers ignore packets that refer to state from before a loss. */
Test(pftrace_write, events_after_a_loss_without_a_cpu_are_read)
{
    const struct dj_event section = {.kind = DJ_EVENT_BEGIN,
                                     .at_ns = 20,
                                     .cpu = -1,
                                     .tid = 5,
                                     .pid = 4,
                                     .name = WORDS("behind")};
    const struct dj_event counter = {.kind = DJ_EVENT_COUNTER,
                                     .at_ns = 21,
                                     .cpu = -1,
                                     .tid = 5,
                                     .pid = 4,
                                     .name = WORDS("queue"),
                                     .value = 3};
    struct dj_event blocked = filled(DJ_EVENT_BLOCKED, 1);
    struct dj_event events[] = {
        blocked,
        {.kind = DJ_EVENT_LOST, .at_ns = 2, .cpu = -1, .value = 1, .pid = -1},
        blocked,
        section,
        {.kind = DJ_EVENT_LOST, .at_ns = 20, .cpu = -1, .value = 1, .pid = -1},
        counter,
    };
    events[2].at_ns = 3;
    write_and_read(events, sizeof(events) / sizeof(events[0]), NULL);
    expect_same(of_kind(DJ_EVENT_BLOCKED, 0), &events[0]);
    expect_same(of_kind(DJ_EVENT_BLOCKED, 1), &events[2]);
    cr_expect(same(of_kind(DJ_EVENT_BEGIN, 0)->name, section.name));
    cr_expect_eq(of_kind(DJ_EVENT_COUNTER, 0)->value, 3);
}

Test(pftrace_write, invalid_utf8_becomes_valid_text)
{
    const struct dj_event events[] = {
        {.kind = DJ_EVENT_BEGIN,
         .cpu = -1,
         .at_ns = 1,
         .tid = 5,
         .pid = 4,
         .name = WORDS("a\xff\xc0\x80z\x01\n")},
        {.kind = DJ_EVENT_SWITCH,
         .cpu = 0,
         .at_ns = 2,
         .tid = 5,
         .pid = 4,
         .task = WORDS("caf\xc3\xa9\xc3"),
         .other_name = WORDS("\x80")},
    };
    write_and_read(events, 2, NULL);
    cr_expect(same(of_kind(DJ_EVENT_BEGIN, 0)->name,
                   (struct dj_str)WORDS("a\ufffd\ufffd\ufffdz\x01\n")));
    cr_expect(
        same(of_kind(DJ_EVENT_SWITCH, 0)->task, (struct dj_str)WORDS("caf\u00e9\ufffd")));
    cr_expect(
        same(of_kind(DJ_EVENT_SWITCH, 0)->other_name, (struct dj_str)WORDS("\ufffd")));
}

Test(pftrace_write, clock_offsets_are_written)
{
    const struct dj_trace_origin origin = {
        .clocks = {.to_boot_ns = 1000, .to_mono_ns = 0, .mono = true}};
    const struct dj_event events[] = {
        {.kind = DJ_EVENT_WAKING, .at_ns = 50, .cpu = 0, .other = 3, .pid = -1},
        {.kind = DJ_EVENT_INSTANT,
         .at_ns = 60,
         .cpu = -1,
         .tid = 3,
         .pid = 3,
         .name = WORDS("i")},
    };
    write_and_read(events, 2, &origin);
    cr_expect_eq(of_kind(DJ_EVENT_WAKING, 0)->at_ns, 1050);
    cr_expect_eq(of_kind(DJ_EVENT_INSTANT, 0)->at_ns, 1060);
    for (size_t i = 0; i < got.count; i++) {
        const struct dj_event *event = &got.events[i];
        if (event->kind == DJ_EVENT_CLOCK &&
            same(event->name, (struct dj_str)WORDS("mono"))) {
            cr_expect_eq(event->at_ns, 1050);
            cr_expect_eq(event->value, 50);
            return;
        }
    }
    cr_assert_fail("the trace does not say how its clock stands to CLOCK_MONOTONIC");
}

Test(pftrace_write, measured_clock_offsets_are_plausible)
{
    struct dj_trace_clock_offsets clocks;
    dj_trace_measure_clocks(&clocks);
    cr_expect(clocks.mono && clocks.realtime);
    cr_expect_eq(clocks.to_mono_ns, 0);
    cr_expect_geq(clocks.to_boot_ns, -1000000, "the clock of boots never stands still");
}

Test(pftrace_write, a_full_disk_is_a_persistent_error)
{
    static const struct dj_trace_origin origin = {.kernel = NULL};
    struct dj_error err = {0};
    int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
    if (fd < 0) {
        cr_skip_test("there is no /dev/full");
    }
    struct dj_trace_writer *writer = dj_trace_writer_create(fd, "x.pftrace", &origin);
    struct dj_event_sink sink = dj_trace_writer_get_sink(writer);
    struct dj_event event = {.kind = DJ_EVENT_WAKING, .cpu = 0, .other = 3, .pid = -1};
    int code = 0;
    for (int i = 0; i < 100000 && code == 0; i++) {
        event.at_ns = i;
        code = sink.take(sink.user, &event);
    }
    cr_expect_eq(code, DJ_E_OUTPUT);
    cr_expect_eq(sink.take(sink.user, &event), DJ_E_OUTPUT);
    cr_expect_eq(dj_trace_writer_end(writer, &err), DJ_E_OUTPUT);
    cr_expect_str_eq(err.message, "cannot write x.pftrace: No space left on device");
    dj_trace_writer_destroy(writer);
    close(fd);
}

enum { THREADS = 100000 };

static struct dj_event *many_threads(bool processes, char (*names)[16])
{
    struct dj_event *events = calloc(2 * THREADS, sizeof(*events));
    cr_assert_not_null(events);
    for (int i = 0; i < THREADS; i++) {
        int length = snprintf(names[i], sizeof(names[i]), "thread %d", i);
        events[i] = (struct dj_event){.kind = DJ_EVENT_THREAD,
                                      .cpu = -1,
                                      .other = 100 + i,
                                      .pid = processes ? 100 + i / 10 : DJ_PID_UNKNOWN,
                                      .other_name = {names[i], (size_t)length}};
        events[THREADS + i] = (struct dj_event){.kind = DJ_EVENT_WAKING,
                                                .at_ns = 1000 + i,
                                                .cpu = i % 8,
                                                .other = 100 + i,
                                                .pid = DJ_PID_UNKNOWN};
    }
    return events;
}

/* Writes more threads than the writer can store. No thread may get the name or the
 * process of another one. */
static void try_many_threads(bool processes)
{
    static char names[THREADS][16];
    struct dj_trace trace = {0};
    struct dj_trace_builder build = {.trace = &trace};
    struct dj_event *events = many_threads(processes, names);
    struct written written = written_pftrace(events, 2 * THREADS, NULL);
    written_read(&written, (struct dj_event_sink){dj_builder_add_event, &build});
    cr_assert_eq(dj_builder_complete(&build, NULL), 0);
    cr_assert_eq(trace.thread_count, THREADS);
    for (int i = 0; i < THREADS; i++) {
        cr_assert_str_eq(trace.threads[i].name, names[i]);
        cr_assert_eq(trace.threads[i].pid, processes ? 100 + i / 10 : DJ_PID_UNKNOWN);
    }
    cr_expect_lt(written.size, (size_t)THREADS * 128);
    dj_trace_finish(&trace);
    free(written.bytes);
    free(events);
}

Test(pftrace_write, a_hundred_thousand_threads_keep_their_names)
{
    try_many_threads(false);
}

Test(pftrace_write, a_hundred_thousand_threads_keep_their_processes)
{
    try_many_threads(true);
}

static int forward_event(void *user, const struct dj_event *event)
{
    (void)user, (void)event;
    return 0;
}

/* Consecutive events of one CPU need one packet, not one packet each. */
Test(pftrace_write, consecutive_events_of_one_cpu_share_a_packet)
{
    enum { COUNT = 20000 };
    struct dj_event *events = calloc(COUNT, sizeof(*events));
    cr_assert_not_null(events);
    for (int i = 0; i < COUNT; i++) {
        events[i] = (struct dj_event){.kind = DJ_EVENT_SOFTIRQ_BEGIN,
                                      .at_ns = INT64_C(3000000000000) + i,
                                      .tid = 1000,
                                      .cpu = 2,
                                      .value = 7,
                                      .pid = DJ_PID_UNKNOWN};
    }
    struct written written = written_pftrace(events, COUNT, NULL);
    cr_expect_lt(written.size, (size_t)COUNT * 20);
    struct dj_perfetto_summary told =
        written_read(&written, (struct dj_event_sink){forward_event, NULL});
    cr_expect_eq(told.events, COUNT);
    free(written.bytes);
    free(events);
}
