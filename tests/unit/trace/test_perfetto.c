/* Tests the reader of Perfetto traces with hand-made packets. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "pf_bytes.h"
#include "trace/model/builder.h"
#include "trace/perfetto/read.h"

static struct pf file, packet;
static struct dj_trace trace;
static struct dj_perfetto_summary summary;
static int64_t stamps[256];
static int32_t others[256];
static size_t stamp_count;
static struct dj_trace_builder build;

static void finish(void)
{
    dj_trace_finish(&trace);
}

TestSuite(perfetto, .fini = finish);

static int add_to_build(void *user, const struct dj_event *event)
{
    if (event->kind != DJ_EVENT_THREAD && event->kind != DJ_EVENT_CLOCK &&
        event->kind != DJ_EVENT_LOST && stamp_count < 256) {
        others[stamp_count] = event->other;
        stamps[stamp_count++] = event->at_ns;
    }
    return dj_builder_add_event(user, event);
}

/* Reads the content of `file` and checks that the events are in order of time. */
static void read_file(void)
{
    const struct dj_perfetto_file bytes = {file.bytes, file.length, false, false};
    build = (struct dj_trace_builder){.trace = &trace};
    cr_assert_eq(
        dj_perfetto_read(&bytes, (struct dj_event_sink){add_to_build, &build}, &summary),
        0);
    cr_assert_eq(dj_builder_complete(&build, NULL), 0);
    for (size_t i = 1; i < stamp_count; i++) {
        cr_assert(stamps[i - 1] <= stamps[i], "event %zu is out of order", i);
    }
}

/* Appends the current packet to `file`. */
static void end_packet(void)
{
    pf_message(&file, 1, &packet);
    packet.length = 0;
}

static const struct dj_trace_slice *slice_of(size_t i)
{
    cr_assert_lt(i, trace.slice_count);
    return &trace.slices[i];
}

static void is_slice(size_t i, const char *name, uint32_t tid, int64_t start_ns,
                     int64_t end_ns)
{
    const struct dj_trace_slice *slice = slice_of(i);
    cr_expect_str_eq(slice->name, name);
    cr_expect_eq(slice->tid, tid);
    cr_expect_eq(slice->start_ns, start_ns);
    cr_expect_not(slice->open);
    cr_expect_eq(slice->end_ns, end_ns);
}

static const struct dj_trace_state *state_of(uint32_t tid, size_t n)
{
    for (size_t i = 0; i < trace.state_count; i++) {
        if (trace.states[i].tid == tid && n-- == 0) {
            return &trace.states[i];
        }
    }
    cr_assert_fail("thread %u has no such state", tid);
    return NULL;
}

static void is_state(uint32_t tid, size_t n, enum dj_thread_state state, int64_t start_ns,
                     int64_t end_ns)
{
    const struct dj_trace_state *found = state_of(tid, n);
    cr_expect_str_eq(dj_trace_get_thread_state_name(found->state),
                     dj_trace_get_thread_state_name(state));
    cr_expect_eq(found->start_ns, start_ns);
    cr_expect_eq(found->end_ns, end_ns);
}

/* ---- kernel events ---- */

static void write_print(struct pf *bundle, int64_t at_ns, int32_t tid, const char *text)
{
    struct pf print = {0}, event = {0};
    pf_string(&print, 2, text);
    pf_int(&event, 1, at_ns);
    pf_int(&event, 2, tid);
    pf_message(&event, 3, &print);
    pf_message(bundle, 2, &event);
}

static void write_switch(struct pf *bundle, int64_t at_ns, int32_t from, int64_t state,
                         int32_t to)
{
    struct pf body = {0}, event = {0};
    pf_int(&body, 2, from);
    pf_int(&body, 4, state);
    pf_int(&body, 6, to);
    pf_int(&event, 1, at_ns);
    pf_int(&event, 2, from);
    pf_message(&event, 4, &body);
    pf_message(bundle, 2, &event);
}

static void end_bundle(struct pf *bundle)
{
    pf_message(&packet, 1, bundle);
    pf_int(&packet, 10, 4);
    end_packet();
    bundle->length = 0;
}

Test(perfetto, kernel_markers_become_sections_even_out_of_order)
{
    struct pf bundle = {0};
    pf_int(&bundle, 1, 1);
    write_print(&bundle, 300, 7, "E|5\n");
    write_print(&bundle, 100, 7, "B|5|work\n");
    end_bundle(&bundle);
    pf_int(&bundle, 1, 0);
    write_print(&bundle, 150, 9, "C|5|queue|3\n");
    write_print(&bundle, 50, 9, "no marker");
    end_bundle(&bundle);
    read_file();
    is_slice(0, "work", 7, 100, 300);
    cr_expect_eq(summary.events, 4);
    cr_expect_eq(trace.count_count, 1);
    cr_expect_eq(trace.counts[0].value, 3);
    cr_expect_eq(summary.damaged, 0);
}

/* Newer traces may contain fields that dejank does not know. */
Test(perfetto, unknown_fields_do_not_hide_known_ones)
{
    struct pf bundle = {0}, print = {0}, event = {0};
    pf_int(&bundle, 1, 1);
    write_print(&bundle, 100, 7, "B|5|work\n");
    pf_string(&print, 2, "E|5\n");
    pf_int(&event, 1, 300);
    pf_int(&event, 2, 7);
    pf_message(&event, 3, &print);
    pf_string(&event, 5000, "x");
    pf_message(&bundle, 2, &event);
    pf_string(&packet, 900, "before");
    pf_double(&packet, 901, 1.5);
    pf_message(&packet, 1, &bundle);
    pf_string(&packet, 900, "behind");
    end_packet();
    read_file();
    is_slice(0, "work", 7, 100, 300);
    cr_expect_eq(summary.damaged, 0);
}

static void pack(struct pf *compact, uint32_t number, const int64_t *values, size_t count)
{
    struct pf packed = {0};
    for (size_t i = 0; i < count; i++) {
        pf_varint(&packed, (uint64_t)values[i]);
    }
    pf_message(compact, number, &packed);
}

Test(perfetto, compact_switches_imply_the_previous_thread)
{
    struct pf bundle = {0}, compact = {0};
    pf_string(&compact, 5, "one");
    pf_string(&compact, 5, "two");
    /* Differences between times. */
    pack(&compact, 1, (const int64_t[]){1000, 100, 100}, 3);
    pack(&compact, 2, (const int64_t[]){1, 2, 0}, 3);
    pack(&compact, 3, (const int64_t[]){11, 12, 11}, 3);
    pack(&compact, 6, (const int64_t[]){0, 1, 0}, 3);
    pack(&compact, 7, (const int64_t[]){1150}, 1);
    pack(&compact, 8, (const int64_t[]){11}, 1);
    pack(&compact, 9, (const int64_t[]){0}, 1);
    pack(&compact, 11, (const int64_t[]){0}, 1);
    pack(&compact, 12, (const int64_t[]){8}, 1); /* The wakeup happens in an interrupt. */
    pf_int(&bundle, 1, 0);
    pf_message(&bundle, 4, &compact);
    end_bundle(&bundle);
    read_file();
    is_state(11, 0, DJ_THREAD_RUNNING, 1000, 1100);
    is_state(11, 1, DJ_THREAD_BLOCKED, 1100, 1150);
    is_state(11, 2, DJ_THREAD_RUNNABLE, 1150, 1200);
    cr_expect_eq(state_of(11, 2)->waker, 12);
    cr_expect(state_of(11, 2)->interrupted);
    is_state(12, 0, DJ_THREAD_RUNNING, 1100, 1200);
    is_state(12, 1, DJ_THREAD_PREEMPTED, 1200, 1200);
    cr_expect_str_eq(dj_trace_get_thread_name(&trace, 12), "two");
    cr_expect_eq(trace.switches, 0);
    cr_expect_eq(trace.thread_count, 2);
}

Test(perfetto, the_largest_stamp_is_read)
{
    struct pf event = {0};
    pf_int(&event, 9, 3); /* An instant. */
    pf_int(&packet, 8, INT64_MAX);
    pf_message(&packet, 11, &event);
    end_packet();
    read_file();
    cr_assert_eq(stamp_count, 1);
}

/* Arrays are decoded in advance and may have different lengths. Missing numbers count
 * as 0. */
Test(perfetto, long_compact_arrays_are_read_completely)
{
    enum { SWITCHES = 150, PIDS = 100, WAKES = 100, LONG = 70 };
    struct pf bundle = {0}, compact = {0};
    int64_t deltas[SWITCHES], pids[SWITCHES];
    for (int i = 0; i < SWITCHES; i++) {
        deltas[i] = i == 0 ? 1000 : i == LONG ? INT64_C(1) << 40 : 10;
        pids[i] = 1 + i * 300;
    }
    pack(&compact, 1, deltas, SWITCHES);
    pack(&compact, 3, pids, PIDS);
    deltas[0] = 1005;
    pack(&compact, 7, deltas, WAKES);
    pack(&compact, 8, pids, WAKES);
    pf_int(&bundle, 1, 0);
    pf_message(&bundle, 4, &compact);
    pf_message(&packet, 1, &bundle);
    end_packet();
    read_file();
    cr_assert_eq(stamp_count, SWITCHES + WAKES);
    for (size_t i = 0; i < 2 * WAKES; i++) { /* A wakeup follows each switch. */
        size_t place = i / 2;
        cr_assert_eq(stamps[i], 1000 + 10 * (int64_t)place + 5 * (int64_t)(i % 2) +
                                    (place >= LONG ? (INT64_C(1) << 40) - 10 : 0));
        cr_assert_eq(others[i], 1 + 300 * (int32_t)place);
    }
    for (size_t i = 2 * WAKES; i < stamp_count; i++) {
        cr_assert_eq(others[i], 0, "the pid of switch %zu is not there", i - WAKES);
    }
}

Test(perfetto, whole_and_compact_switches_of_a_cpu_continue_each_other_until_a_loss)
{
    struct pf bundle = {0}, compact = {0};
    pf_int(&bundle, 1, 0);
    write_switch(&bundle, 900, 5, 1, 6);
    pack(&compact, 1, (const int64_t[]){1000}, 1);
    pack(&compact, 2, (const int64_t[]){1}, 1);
    pack(&compact, 3, (const int64_t[]){7}, 1);
    pf_message(&bundle, 4, &compact);
    end_bundle(&bundle);
    pf_int(&bundle, 1, 0);
    pf_int(&bundle, 3, 1); /* Field lost_events. */
    compact.length = 0;
    pack(&compact, 1, (const int64_t[]){2000}, 1);
    pack(&compact, 2, (const int64_t[]){1}, 1);
    pack(&compact, 3, (const int64_t[]){8}, 1);
    pf_message(&bundle, 4, &compact);
    end_bundle(&bundle);
    read_file();
    is_state(6, 0, DJ_THREAD_RUNNING, 900, 1000);
    is_state(6, 1, DJ_THREAD_SLEEPING, 1000, 2000);
    is_state(8, 0, DJ_THREAD_RUNNING, 2000, 2000);
    cr_expect_neq(state_of(7, 1)->state, DJ_THREAD_SLEEPING);
    cr_expect_eq(trace.overwritten, 1);
}

Test(perfetto, fields_of_kernel_events_are_read_by_number)
{
    struct pf bundle = {0}, body = {0}, event = {0}, interned = {0}, symbol = {0};
    pf_int(&bundle, 1, 2);
    write_switch(&bundle, 100, 5, 2, 0);
    pf_int(&body, 1, 5);
    pf_int(&body, 2, 77); /* Number of a function's name. */
    pf_int(&body, 3, 1);
    pf_int(&event, 1, 300);
    pf_int(&event, 2, 6);
    pf_message(&event, 18, &body); /* Field sched_blocked_reason. */
    pf_message(&bundle, 2, &event);
    pf_int(&symbol, 1, 77);
    pf_string(&symbol, 2, "wait_on_page");
    pf_message(&interned, 26, &symbol);
    pf_message(&packet, 12, &interned);
    end_bundle(&bundle);
    read_file();
    is_state(5, 0, DJ_THREAD_BLOCKED_IO, 100, 300);
    cr_expect_str_eq(state_of(5, 0)->blocked_in, "wait_on_page");
}

Test(perfetto, events_without_a_number_are_read_by_name)
{
    struct pf bundle = {0}, body = {0}, event = {0}, field = {0};
    pf_string(&body, 1, "sched_wakeup_new");
    pf_string(&field, 1, "pid");
    pf_int(&field, 4, 31);
    pf_message(&body, 2, &field);
    field.length = 0;
    pf_string(&field, 1, "comm");
    pf_string(&field, 3, "fresh");
    pf_message(&body, 2, &field);
    pf_int(&event, 1, 40);
    pf_int(&event, 2, 6);
    pf_message(&event, 327, &body);
    pf_int(&bundle, 1, 0);
    pf_message(&bundle, 2, &event);
    end_bundle(&bundle);
    read_file();
    is_state(31, 0, DJ_THREAD_RUNNABLE, 40, 40);
    cr_expect_str_eq(dj_trace_get_thread_name(&trace, 31), "fresh");
}

/* ---- sequences and tracks ---- */

static void write_thread_track(int64_t uuid, int32_t pid, int32_t tid, const char *name)
{
    struct pf thread = {0}, track = {0};
    pf_int(&thread, 1, pid);
    pf_int(&thread, 2, tid);
    pf_string(&thread, 5, name);
    pf_int(&track, 1, uuid);
    pf_message(&track, 4, &thread);
    pf_message(&packet, 60, &track);
    end_packet();
}

enum { BEGIN = 1, END, INSTANT, COUNTER, NEEDS = 2, CLEARED = 1 };

struct event {
    int64_t at_ns, type, track, iid;
    const char *name;
};

static void write_event(int64_t sequence, int64_t flags, struct event event)
{
    struct pf body = {0};
    pf_int(&body, 9, event.type);
    if (event.track != 0) {
        pf_int(&body, 11, event.track);
    }
    if (event.iid != 0) {
        pf_int(&body, 10, event.iid);
    }
    if (event.name != NULL) {
        pf_string(&body, 23, event.name);
    }
    pf_int(&packet, 8, event.at_ns);
    pf_int(&packet, 10, sequence);
    if (flags != 0) {
        pf_int(&packet, 13, flags);
    }
    pf_message(&packet, 11, &body);
    end_packet();
}

static void write_name(int64_t iid, const char *name)
{
    struct pf entry = {0}, interned = {0};
    pf_int(&entry, 1, iid);
    pf_string(&entry, 2, name);
    pf_message(&interned, 2, &entry);
    pf_message(&packet, 12, &interned);
}

Test(perfetto, interned_names_are_valid_until_cleared_or_lost)
{
    write_thread_track(1, 50, 51, "worker");
    write_event(7, NEEDS,
                /* The number 3 has no name yet. */
                (struct event){90, BEGIN, 1, 3, NULL});
    write_name(3, "first");
    write_event(7, CLEARED, (struct event){100, BEGIN, 1, 3, NULL});
    write_event(7, NEEDS, (struct event){200, END, 1, 0, NULL});
    write_name(3, "other's"); /* A name of another sequence. */
    write_event(8, CLEARED, (struct event){210, BEGIN, 1, 3, NULL});
    write_event(8, 0, (struct event){220, END, 1, 0, NULL});
    write_name(3, "second");
    write_event(7, CLEARED, (struct event){300, BEGIN, 1, 3, NULL});
    write_event(7, NEEDS, (struct event){400, END, 1, 0, NULL});
    pf_int(&packet, 42, 1); /* Field previous_packet_dropped. */
    write_event(7, NEEDS, (struct event){500, BEGIN, 1, 3, NULL});
    write_event(7, NEEDS, (struct event){600, END, 1, 0, NULL});
    read_file();
    cr_assert_eq(trace.slice_count, 3);
    is_slice(0, "first", 51, 100, 200);
    is_slice(1, "other's", 51, 210, 220);
    is_slice(2, "second", 51, 300, 400);
    cr_expect_eq(trace.overwritten, 4, "one before, the gap, and two behind it: %llu",
                 (unsigned long long)trace.overwritten);
    cr_expect_str_eq(dj_trace_get_thread_name(&trace, 51), "worker");
}

Test(perfetto, the_first_packet_of_a_sequence_is_no_gap_unless_traces_mark_first_packets)
{
    pf_int(&packet, 42, 1);
    write_event(7, CLEARED, (struct event){100, INSTANT, 1, 0, "a"});
    read_file();
    cr_expect_eq(trace.overwritten, 0);
    dj_trace_finish(&trace);
    stamp_count = 0;
    pf_int(&packet, 87, 1);
    pf_int(&packet, 42, 1);
    write_event(8, CLEARED, (struct event){100, INSTANT, 1, 0, "a"});
    read_file();
    cr_expect_eq(trace.overwritten, 1);
}

Test(perfetto, the_defaults_of_a_sequence_name_its_track)
{
    struct pf defaults = {0}, track = {0};
    write_thread_track(1, 50, 51, "worker");
    pf_int(&track, 11, 1);
    pf_message(&defaults, 11, &track);
    pf_message(&packet, 59, &defaults);
    write_event(7, CLEARED, (struct event){100, BEGIN, 0, 0, "inline"});
    write_event(7, NEEDS, (struct event){200, END, 0, 0, NULL});
    read_file();
    is_slice(0, "inline", 51, 100, 200);
    cr_expect_not(slice_of(0)->async);
}

Test(perfetto, sections_of_other_tracks_are_async_and_nest)
{
    struct pf process = {0}, track = {0};
    pf_int(&process, 1, 50);
    pf_string(&process, 6, "app");
    pf_int(&track, 1, 1);
    pf_message(&track, 3, &process);
    pf_message(&packet, 60, &track);
    end_packet();
    track.length = 0;
    pf_int(&track, 1, 2);
    pf_int(&track, 5, 1);
    pf_string(&track, 2, "Pipeline");
    pf_message(&packet, 60, &track);
    end_packet();
    write_event(7, 0, (struct event){100, BEGIN, 2, 0, "outer"});
    write_event(7, 0, (struct event){110, BEGIN, 2, 0, "inner"});
    write_event(7, 0, (struct event){120, END, 2, 0, NULL});
    write_event(7, 0, (struct event){130, END, 2, 0, NULL});
    read_file();
    is_slice(0, "outer", 50, 100, 130);
    is_slice(1, "inner", 50, 110, 120);
    cr_expect(slice_of(0)->async && slice_of(1)->async);
    cr_expect_eq(slice_of(0)->cookie, 2);
    cr_expect_str_eq(dj_trace_get_process_name(&trace, 50), "app");
}

/* ---- counters ---- */

static void write_counter_track(int64_t uuid, int64_t multiplier, bool incremental)
{
    struct pf counter = {0}, track = {0};
    pf_int(&counter, 4, multiplier);
    pf_int(&counter, 5, incremental);
    pf_int(&track, 1, uuid);
    pf_string(&track, 2, "level");
    pf_message(&track, 8, &counter);
    pf_message(&packet, 60, &track);
    pf_int(&packet, 10, 7);
    end_packet();
}

static void write_value(int64_t at_ns, int64_t flags, int64_t track, int64_t value)
{
    struct pf body = {0};
    pf_int(&body, 9, COUNTER);
    pf_int(&body, 11, track);
    pf_int(&body, 30, value);
    pf_int(&packet, 8, at_ns);
    pf_int(&packet, 10, 7);
    pf_int(&packet, 13, flags);
    pf_message(&packet, 11, &body);
    end_packet();
}

Test(perfetto, incremental_counters_are_summed_in_their_unit)
{
    write_counter_track(5, 1000, true);
    write_value(10, CLEARED, 5, 4);
    write_value(20, NEEDS, 5, 3);
    write_value(30, NEEDS, 5, -2);
    write_value(40, CLEARED, 5, 1); /* The counter restarts. */
    read_file();
    static const int64_t values[] = {4000, 7000, 5000, 1000};
    cr_assert_eq(trace.count_count, 4);
    for (size_t i = 0; i < 4; i++) {
        cr_expect_eq(trace.counts[i].value, values[i]);
        cr_expect_str_eq(trace.counts[i].name, "level");
    }
}

Test(perfetto, counters_may_come_with_sections_and_as_doubles)
{
    struct pf body = {0};
    write_thread_track(1, 50, 51, "worker");
    write_counter_track(5, 1, false);
    pf_int(&body, 9, BEGIN);
    pf_int(&body, 11, 1);
    pf_string(&body, 23, "section");
    pf_int(&body, 31, 5);
    pf_int(&body, 12, -9);
    pf_int(&body, 45, 5);
    pf_double(&body, 46, 2.5);
    pf_int(&packet, 8, 100);
    pf_int(&packet, 10, 7);
    pf_message(&packet, 11, &body);
    end_packet();
    body.length = 0;
    pf_int(&body, 9, COUNTER);
    pf_int(&body, 11, 5);
    pf_double(&body, 44, -1.75);
    pf_int(&packet, 8, 200);
    pf_int(&packet, 10, 7);
    pf_message(&packet, 11, &body);
    end_packet();
    read_file();
    cr_assert_eq(trace.count_count, 3);
    cr_expect_eq(trace.counts[0].value, -9);
    cr_expect_eq(trace.counts[1].value, 3);
    cr_expect_eq(trace.counts[2].value, -2);
    cr_expect_str_eq(slice_of(0)->name, "section");
}

/* ---- clocks ---- */

static void write_clock(struct pf *snapshot, int64_t id, int64_t stamp, int64_t unit_ns,
                        bool incremental)
{
    struct pf clock = {0};
    pf_int(&clock, 1, id);
    pf_int(&clock, 2, stamp);
    if (incremental) {
        pf_int(&clock, 3, 1);
    }
    if (unit_ns != 1) {
        pf_int(&clock, 4, unit_ns);
    }
    pf_message(snapshot, 1, &clock);
}

static void end_snapshot(struct pf *snapshot, int64_t sequence)
{
    pf_message(&packet, 6, snapshot);
    pf_int(&packet, 10, sequence);
    end_packet();
    snapshot->length = 0;
}

Test(perfetto, stamps_of_other_clocks_are_converted_to_the_boot_clock)
{
    struct pf snapshot = {0};
    write_thread_track(1, 50, 51, "worker");
    pf_int(&packet, 58, 3);
    /* Before the snapshot. */
    write_event(7, 0, (struct event){150, BEGIN, 1, 0, "mono"});
    write_clock(&snapshot, 3, 100, 1, false);
    write_clock(&snapshot, 6, 1100, 1, false);
    end_snapshot(&snapshot, 1);
    write_clock(&snapshot, 3, 200, 1, false);
    write_clock(&snapshot, 6, 1700, 1, false); /* The machine slept for 500 ns. */
    end_snapshot(&snapshot, 1);
    pf_int(&packet, 58, 3);
    write_event(7, 0, (struct event){250, END, 1, 0, NULL});
    read_file();
    is_slice(0, "mono", 51, 1150, 1750);
    cr_expect(trace.clock.known);
    cr_expect_str_eq(trace.clock.name, "boot");
    cr_expect(trace.clock.to_mono_ns + trace.clock.error_ns >= -1000);
    cr_expect(trace.clock.to_mono_ns - trace.clock.error_ns <= -1500);
}

Test(perfetto, incremental_clocks_are_summed_per_sequence)
{
    struct pf snapshot = {0}, defaults = {0};
    write_thread_track(1, 50, 51, "worker");
    write_clock(&snapshot, 64, 10, 1000, true); /* µs since the previous timestamp. */
    write_clock(&snapshot, 6, 5000000, 1, false);
    end_snapshot(&snapshot, 7);
    write_clock(&snapshot, 64, 0, 1, false); /* A clock of another sequence. */
    write_clock(&snapshot, 6, 9000000, 1, false);
    end_snapshot(&snapshot, 8);
    pf_int(&defaults, 58, 64);
    pf_message(&packet, 59, &defaults);
    write_event(7, CLEARED, (struct event){3, BEGIN, 1, 0, "section"});
    write_event(7, NEEDS, (struct event){4, END, 1, 0, NULL});
    pf_int(&packet, 58, 6); /* The packet names the clock. */
    write_event(7, NEEDS, (struct event){5009000, INSTANT, 1, 0, "i"});
    pf_int(&packet, 58, 64);
    write_event(8, 0, (struct event){5, INSTANT, 1, 0, "i"});
    read_file();
    is_slice(0, "section", 51, 5003000, 5007000);
    cr_expect_eq(trace.last_ns, 9000005);
}

Test(perfetto, an_unknown_clock_counts_as_damage)
{
    pf_int(&packet, 58, 9);
    write_event(7, 0, (struct event){5, INSTANT, 1, 0, "i"});
    write_event(7, 0, (struct event){6, INSTANT, 1, 0, "i"});
    read_file();
    cr_expect_eq(summary.events, 1);
    cr_expect_eq(summary.damaged, 1);
}

Test(perfetto, a_clock_that_all_packets_use_is_the_traces_clock)
{
    write_thread_track(1, 50, 51, "worker");
    pf_int(&packet, 58, 3);
    write_event(7, 0, (struct event){5, BEGIN, 1, 0, "a"});
    pf_int(&packet, 58, 3);
    write_event(7, 0, (struct event){6, END, 1, 0, NULL});
    read_file();
    is_slice(0, "a", 51, 5, 6);
    cr_expect_str_eq(trace.clock.name, "mono");
    cr_expect(trace.clock.known);
    cr_expect_eq(trace.clock.to_mono_ns, 0);
}

Test(perfetto, bundles_of_another_clock_contain_its_offset)
{
    struct pf bundle = {0};
    pf_int(&bundle, 1, 0);
    pf_int(&bundle, 5, 3); /* The clock "local". */
    pf_int(&bundle, 6, 1000);
    pf_int(&bundle, 7, 8000);
    write_print(&bundle, 1100, 7, "B|5|work\n");
    write_print(&bundle, 1200, 7, "E|5\n");
    end_bundle(&bundle);
    read_file();
    is_slice(0, "work", 7, 8100, 8200);
}

/* ---- task states, frames, losses ---- */

static void write_task(int64_t at_ns, int32_t tid, int64_t state, int32_t cpu)
{
    struct pf body = {0};
    pf_int(&body, 1, cpu);
    pf_string(&body, 2, "task");
    pf_int(&body, 3, tid);
    pf_int(&body, 4, state);
    pf_int(&packet, 8, at_ns);
    pf_message(&packet, 117, &body);
    end_packet();
}

Test(perfetto, states_of_tasks_come_without_switches)
{
    enum { CREATED = 1, RUNNABLE, RUNNING, SLEEPS, BLOCKS, STOPPED, DEAD };
    write_task(100, 5, RUNNING, 2);
    write_task(300, 5, RUNNABLE, 0);
    write_task(200, 6, CREATED, 0);
    write_task(400, 6, RUNNING, 2);
    write_task(500, 6, BLOCKS, 0);
    write_task(600, 6, DEAD, 0);
    read_file();
    is_state(5, 0, DJ_THREAD_RUNNING, 100, 300);
    cr_expect_eq(state_of(5, 0)->cpu, 2);
    is_state(5, 1, DJ_THREAD_PREEMPTED, 300, 600);
    is_state(6, 0, DJ_THREAD_RUNNING, 400, 500);
    is_state(6, 1, DJ_THREAD_BLOCKED, 500, 600);
    cr_expect_str_eq(dj_trace_get_thread_name(&trace, 6), "task");
    cr_expect_eq(trace.switches, 0);
}

static void write_frame(int64_t at_ns, uint32_t side, int64_t cookie, int64_t token,
                        const char *layer)
{
    struct pf start = {0}, body = {0};
    pf_int(&start, 1, cookie);
    if (side != 5) {
        pf_int(&start, 2, token);
        pf_int(&start, 3, token + 100);
        pf_int(&start, 4, 1000);
        pf_string(&start, 5, layer);
    }
    if (side == 4) {
        pf_int(&start, 6, 2);
        pf_int(&start, 9, 64);
        pf_int(&start, 10, 1);
        pf_int(&start, 12, 3);
    }
    pf_message(&body, side, &start);
    pf_int(&packet, 8, at_ns);
    pf_message(&packet, 76, &body);
    end_packet();
}

Test(perfetto, expected_and_actual_timelines_are_joined)
{
    enum { EXPECTED = 3, ACTUAL = 4, ENDED = 5 };
    write_frame(140, ENDED, 2, 0, NULL); /* Out of order. */
    write_frame(100, ACTUAL, 2, 11, "list");
    write_frame(100, EXPECTED, 1, 11, "list");
    write_frame(116, ENDED, 1, 0, NULL);
    write_frame(200, EXPECTED, 3, 12, "list"); /* This frame has no actual timeline. */
    write_frame(216, ENDED, 3, 0, NULL);
    write_frame(300, ACTUAL, 4, 13,
                "other"); /* This frame has no expected timeline and does not end. */
    write_frame(310, ENDED, 99, 0, NULL); /* No frame has this cookie. */
    read_file();
    cr_assert_eq(trace.frame_count, 3);
    const struct dj_trace_frame *frame = &trace.frames[0];
    cr_expect_str_eq(frame->layer, "list");
    cr_expect(frame->start_ns == 100 && frame->end_ns == 140);
    cr_expect(frame->expected_start_ns == 100 && frame->expected_end_ns == 116);
    cr_expect(frame->token == 11 && frame->display_token == 111 && frame->pid == 1000);
    cr_expect(frame->jank_types == 64 && frame->present == 2 && frame->prediction == 1 &&
              frame->severity == 3 && !frame->display && !frame->open);
    cr_expect(trace.frames[1].end_ns == 0 && trace.frames[1].expected_end_ns == 216);
    cr_expect(trace.frames[2].open && trace.frames[2].expected_end_ns == 0);
    cr_expect_eq(trace.endings, 1);
}

static void write_stats(int64_t phase, int64_t overrun)
{
    struct pf cpu = {0}, stats = {0};
    pf_int(&stats, 1, phase);
    pf_int(&cpu, 1, 0);
    pf_int(&cpu, 3, overrun);
    pf_message(&stats, 2, &cpu);
    pf_message(&packet, 34, &stats);
    end_packet();
}

static void write_at(int64_t sequence, int64_t at_ns)
{
    write_event(sequence, 0, (struct event){at_ns, INSTANT, 1, 0, "i"});
}

/* Adds a TraceStats packet with one buffer, whose counter `number` is `value`. */
static void write_buffer(uint32_t number, int64_t value)
{
    struct pf buffer = {0}, stats = {0};
    pf_int(&buffer, 2, 76);
    pf_int(&buffer, number, value);
    pf_message(&stats, 1, &buffer);
    pf_message(&packet, 35, &stats);
    end_packet();
}

enum {
    OVERWRITTEN = 3,
    PATCHES_FAILED = 6,
    ABI_VIOLATIONS = 9,
    OUT_OF_ORDER = 11,
    DISCARDED = 18,
    PACKET_LOSS = 19
};

Test(perfetto, service_and_normal_counters_are_no_loss)
{
    static const uint32_t normal[] = {1, 2, 4, 5, 7, 8, 10, OUT_OF_ORDER, 12, 13, 14, 17};
    struct pf buffer = {0}, stats = {0};
    for (size_t i = 0; i < sizeof(normal) / sizeof(normal[0]); i++) {
        pf_int(&buffer, normal[i], 5);
    }
    pf_message(&stats, 1, &buffer);
    for (uint32_t number = 2; number <= 9; number++) {
        pf_int(&stats, number, 4); /* 8 is chunks_discarded, 9 is patches_discarded. */
    }
    pf_message(&packet, 35, &stats);
    end_packet();
    write_at(7, 10);
    read_file();
    cr_expect_eq(trace.overwritten, 0);
    cr_expect_eq(summary.overwritten, 0);
}

Test(perfetto, overwritten_chunks_mean_a_later_start)
{
    write_buffer(OVERWRITTEN, 7);
    pf_int(&packet, 42, 1); /* Field previous_packet_dropped. */
    write_at(7, 10);
    pf_int(&packet, 87, 1); /* Field first_packet_on_sequence. */
    write_at(8, 20);
    /* Counts from the start of the device. The count at the start of the trace is lost.
     */
    write_stats(2, 5000);
    read_file();
    cr_expect_eq(trace.overwritten, 0);
    cr_expect_eq(summary.overwritten, 7);
}

Test(perfetto, packets_that_refer_to_overwritten_ones_are_skipped)
{
    write_buffer(OVERWRITTEN, 7);
    write_event(7, NEEDS, (struct event){10, INSTANT, 1, 0, "i"});
    write_at(8, 20);
    read_file();
    cr_expect_eq(trace.overwritten, 0);
    cr_expect_eq(summary.skipped, 1);
}

Test(perfetto, chunks_overwritten_between_writes_to_a_file_are_a_loss)
{
    struct pf config = {0};
    write_buffer(OVERWRITTEN, 7);
    pf_int(&config, 8, 1); /* Field write_into_file. */
    pf_message(&packet, 33, &config);
    end_packet();
    write_at(7, 10);
    read_file();
    cr_expect_eq(trace.overwritten, 7);
    cr_expect_eq(summary.overwritten, 0);
}

static void expect_loss(uint32_t number, int64_t since_ns)
{
    file.length = 0;
    trace.keep_marks = true;
    write_buffer(number, 3);
    write_buffer(number, 5); /* The counter includes its earlier value. */
    write_at(7, 10);
    write_at(7, 90);
    read_file();
    cr_expect_eq(trace.overwritten, 5);
    cr_assert_gt(trace.mark_count, 0);
    const struct dj_trace_mark *mark = &trace.marks[trace.mark_count - 1];
    cr_expect_eq(mark->kind, DJ_EVENT_LOST);
    cr_expect_eq(mark->value_2, since_ns);
}

Test(perfetto, packets_lost_by_a_buffer_may_be_missing_anywhere)
{
    expect_loss(PACKET_LOSS, 0);
}

Test(perfetto, failed_patches_are_a_loss)
{
    expect_loss(PATCHES_FAILED, 0);
}

Test(perfetto, shared_memory_violations_are_a_loss)
{
    expect_loss(ABI_VIOLATIONS, 0);
}

Test(perfetto, a_full_buffer_loses_everything_after_its_last_packet)
{
    expect_loss(DISCARDED, 90);
}

Test(perfetto, a_gap_begins_at_the_previous_packet_of_its_sequence)
{
    trace.keep_marks = true;
    write_at(7, 10);
    write_at(8, 50);
    pf_int(&packet, 42, 1);
    write_at(7, 90);
    write_buffer(PACKET_LOSS, 1); /* The same loss as the gap. */
    read_file();
    cr_expect_eq(trace.overwritten, 1);
    const struct dj_trace_mark *gap = NULL;
    for (size_t i = 0; i < trace.mark_count; i++) {
        gap = trace.marks[i].kind == DJ_EVENT_LOST ? &trace.marks[i] : gap;
    }
    cr_assert_not_null(gap);
    cr_expect_eq(gap->at_ns, 90);
    cr_expect_eq(gap->value_2, 10);
}

Test(perfetto, losses_reported_twice_are_counted_once)
{
    struct pf bundle = {0};
    write_stats(1, 100);
    write_stats(2, 142);
    pf_int(&bundle, 1, 0);
    pf_int(&bundle, 3, 1);
    write_print(&bundle, 50, 9, "no marker");
    end_bundle(&bundle);
    write_buffer(PACKET_LOSS, 7);
    read_file();
    cr_expect_eq(trace.overwritten, 42 + 7);
}

Test(perfetto, processes_and_threads_have_names)
{
    struct pf process = {0}, thread = {0}, tree = {0};
    pf_int(&process, 1, 1001);
    pf_string(&process, 3, "com.example.application");
    pf_string(&process, 3, "--argument");
    pf_message(&tree, 1, &process);
    pf_int(&thread, 1, 1002);
    pf_string(&thread, 2, "RenderThread");
    pf_int(&thread, 3, 1001);
    pf_message(&tree, 2, &thread);
    pf_message(&packet, 2, &tree);
    end_packet();
    write_event(7, 0, (struct event){5, INSTANT, 1, 0, "i"});
    read_file();
    cr_expect_str_eq(dj_trace_get_process_name(&trace, 1001), "com.example.application");
    cr_expect_str_eq(dj_trace_get_thread_name(&trace, 1002), "RenderThread");
    cr_expect_str_eq(dj_trace_get_thread_name(&trace, 1001), "ple.application");
    cr_expect_eq(trace.threads[1].pid, 1001);
}

/* CpuInfo contains the name and the frequencies of each CPU. The frequencies are not
 * sorted. */
Test(perfetto, maximum_cpu_frequencies_are_read)
{
    static const int64_t khz[][3] = {{300000, 1800000, 1200000}, {2800000, 0, 500000}};
    struct pf cores = {.length = 0};
    for (size_t i = 0; i < 2; i++) {
        struct pf core = {.length = 0};
        pf_string(&core, 1, "arm");
        for (size_t k = 0; k < 3; k++) {
            pf_int(&core, 2, khz[i][k]);
        }
        pf_message(&cores, 1, &core);
    }
    pf_message(&packet, 67, &cores);
    end_packet();
    read_file();
    cr_expect_eq(summary.core_khz[0], 1800000);
    cr_expect_eq(summary.core_khz[1], 2800000);
    cr_expect_eq(summary.core_khz[2], 0);
}
