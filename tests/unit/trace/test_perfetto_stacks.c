/* Tests the reader of sampled stacks with hand-made packets. */
#include <criterion/criterion.h>
#include <string.h>

#include "pf_bytes.h"
#include "trace/model/builder.h"
#include "trace/perfetto/read.h"

static struct pf file, packet, interned;
static struct dj_trace trace;
static struct dj_perfetto_summary summary;

static void start(void)
{
    trace.keep_samples = true;
}

static void finish(void)
{
    dj_trace_finish(&trace);
}

TestSuite(perfetto_stacks, .init = start, .fini = finish);

static void read_file(void)
{
    const struct dj_perfetto_file bytes = {file.bytes, file.length, false, false};
    struct dj_trace_builder build = {.trace = &trace};
    const struct dj_event_sink sink = {dj_builder_add_event, &build};
    cr_assert_eq(dj_perfetto_read(&bytes, sink, &summary), 0);
    cr_assert_eq(dj_builder_complete(&build, NULL), 0);
}

/* ---- packets of sequence 5 ---- */

static void end_packet(void)
{
    if (interned.length > 0) {
        pf_message(&packet, 12, &interned);
    }
    pf_int(&packet, 10, 5);
    pf_message(&file, 1, &packet);
    packet.length = interned.length = 0;
}

/* Clears the state, and sets the period of the samples. */
static void clear(int64_t period_ns)
{
    struct pf timebase = {0}, perf = {0}, defaults = {0};
    pf_int(&timebase, 1, period_ns);
    pf_int(&timebase, 4, 1);
    pf_message(&perf, 1, &timebase);
    pf_message(&defaults, 12, &perf);
    pf_message(&packet, 59, &defaults);
    pf_int(&packet, 13, 1);
    end_packet();
}

static void intern_text(uint32_t field, int64_t iid, const char *text)
{
    struct pf entry = {0};
    pf_int(&entry, 1, iid);
    pf_string(&entry, 2, text);
    pf_message(&interned, field, &entry);
}

/* A frame with a function name and a mapping. Both may be 0. */
static void intern_frame(int64_t iid, int64_t function, int64_t mapping, int64_t address)
{
    struct pf entry = {0};
    pf_int(&entry, 1, iid);
    pf_int(&entry, 2, function);
    pf_int(&entry, 3, mapping);
    pf_int(&entry, 4, address);
    pf_message(&interned, 6, &entry);
}

static void intern_stack(int64_t iid, const int64_t *frames, size_t count)
{
    struct pf entry = {0};
    pf_int(&entry, 1, iid);
    for (size_t i = 0; i < count; i++) {
        pf_int(&entry, 2, frames[i]);
    }
    pf_message(&interned, 7, &entry);
}

static void intern_mapping(int64_t iid, int64_t build_id, int64_t path)
{
    struct pf entry = {0};
    pf_int(&entry, 1, iid);
    pf_int(&entry, 2, build_id);
    pf_int(&entry, 7, path);
    pf_message(&interned, 19, &entry);
}

static void add_sample(int64_t at_ns, int32_t tid, int64_t stack, int64_t error)
{
    struct pf sample = {0};
    pf_int(&sample, 1, 2);
    pf_int(&sample, 2, 100);
    pf_int(&sample, 3, tid);
    pf_int(&sample, 4, stack);
    pf_int(&sample, 5, 2);
    if (error != 0) {
        pf_int(&sample, 16, error);
    }
    pf_message(&packet, 66, &sample);
    pf_int(&packet, 8, at_ns);
    pf_int(&packet, 13, 2);
    end_packet();
}

/* main > draw, where libdraw.so has no symbols. As Perfetto does it, the frames come
 * before the mappings to which they refer. */
static void intern_usual(void)
{
    static const int64_t frames[] = {1, 2};
    intern_text(5, 1, "main");
    intern_frame(1, 1, 1, 0x100);
    intern_frame(2, 0, 2, 0x1a2b);
    intern_stack(9, frames, 2);
    intern_text(16, 1, "\xab\x01");
    intern_text(17, 1, "usr");
    intern_text(17, 2, "libdraw.so");
    intern_mapping(1, 0, 1);
    struct pf entry = {0};
    pf_int(&entry, 1, 2);
    pf_int(&entry, 2, 1);
    pf_int(&entry, 7, 1);
    pf_int(&entry, 7, 2);
    pf_message(&interned, 19, &entry);
}

/* ---- what the trace contains ---- */

static const struct dj_calls_function *function_of(size_t sample, int callers)
{
    cr_assert_lt(sample, trace.sample_count);
    uint32_t node = trace.samples[sample].node;
    for (; callers > 0; callers--) {
        cr_assert_neq(node, DJ_CALLS_ROOT);
        node = trace.calls.nodes[node].parent;
    }
    return node == DJ_CALLS_ROOT
               ? NULL
               : &trace.calls.functions[trace.calls.nodes[node].function];
}

Test(perfetto_stacks, a_sample_has_its_thread_and_its_stack)
{
    clear(1000000);
    intern_usual();
    add_sample(5000, 101, 9, 0);
    read_file();
    cr_assert_eq(trace.sample_count, 1);
    const struct dj_trace_sample *sample = &trace.samples[0];
    cr_expect_eq(sample->at_ns, 5000);
    cr_expect_eq(sample->ns, 1000000);
    cr_expect_eq(sample->pid, 100);
    cr_expect_eq(sample->tid, 101);
    cr_expect_eq(sample->source, DJ_STACK_CPU);
    cr_expect_eq(sample->end, DJ_STACK_COMPLETE);
    cr_expect_not(sample->in_kernel);
    const struct dj_calls_function *draw = function_of(0, 0);
    cr_expect_str_eq(draw->name, "libdraw.so!0x1a2b");
    cr_expect_str_eq(draw->module, "/usr/libdraw.so");
    cr_expect_str_eq(draw->build_id, "ab01");
    cr_expect_eq(draw->offset, 0x1a2b);
    cr_expect_str_eq(function_of(0, 1)->name, "main");
    cr_expect_null(function_of(0, 2));
    cr_expect_eq(trace.first_ns, 5000);
    cr_expect_eq(summary.damaged, 0);
    cr_expect_eq(dj_trace_find_thread_at(&trace, 101, 0)->pid, 100);
}

Test(perfetto_stacks, numbers_have_new_meanings_after_the_state_was_cleared)
{
    static const int64_t frames[] = {1};
    clear(1000000);
    intern_usual();
    add_sample(5000, 101, 9, 0);
    clear(250000);
    intern_text(5, 1, "other");
    intern_frame(1, 1, 0, 0);
    intern_stack(9, frames, 1);
    add_sample(6000, 101, 9, 0);
    read_file();
    cr_assert_eq(trace.sample_count, 2);
    cr_expect_str_eq(function_of(0, 1)->name, "main");
    cr_expect_str_eq(function_of(1, 0)->name, "other");
    cr_expect_str_eq(function_of(1, 0)->module, "");
    cr_expect_null(function_of(1, 1));
    cr_expect_eq(trace.samples[1].ns, 250000);
}

/* ---- ModuleSymbols ---- */

/* Names an address of a file. `names` end with NULL, and the innermost one is first. */
static void name_address(const char *build_id, int64_t address, const char *const *names)
{
    struct pf module = {0}, symbols = {0};
    pf_int(&symbols, 1, address);
    for (int64_t i = 0; names[i] != NULL; i++) {
        struct pf line = {0};
        pf_string(&line, 1, names[i]);
        pf_string(&line, 2, "draw.c");
        pf_int(&line, 3, 10 + i);
        pf_message(&symbols, 2, &line);
    }
    pf_string(&module, 1, "/usr/libdraw.so");
    pf_string(&module, 2, build_id);
    pf_message(&module, 3, &symbols);
    pf_message(&packet, 61, &module);
    pf_message(&file, 1, &packet);
    packet.length = 0;
}

Test(perfetto_stacks, names_at_the_end_of_the_trace_count)
{
    static const char *const old[] = {"old", NULL}, *const new[] = {"draw_text", NULL};
    clear(1000000);
    intern_usual();
    add_sample(5000, 101, 9, 0);
    name_address("\xab\x01", 0x1a2b, old);
    name_address("\xab\x01", 0x1a2b, new);
    read_file();
    cr_expect_str_eq(function_of(0, 0)->name, "draw_text");
    cr_expect(function_of(0, 0)->named);
    cr_expect_str_eq(function_of(0, 1)->name, "main");
    cr_expect_eq(summary.damaged, 0);
}

Test(perfetto_stacks, inlined_functions_are_calls_of_their_own)
{
    static const char *const names[] = {"blend", "draw_span", "blend", "draw", NULL};
    clear(1000000);
    intern_usual();
    add_sample(5000, 101, 9, 0);
    name_address("\xab\x01", 0x1a2b, names);
    read_file();
    for (int i = 0; names[i] != NULL; i++) {
        cr_expect_str_eq(function_of(0, i)->name, names[i]);
    }
    cr_expect_str_eq(function_of(0, 4)->name, "main");
}

Test(perfetto_stacks, names_of_another_build_or_address_are_not_used)
{
    static const char *const names[] = {"wrong", NULL}, *const none[] = {NULL};
    clear(1000000);
    intern_usual();
    add_sample(5000, 101, 9, 0);
    name_address("\xab\x02", 0x1a2b, names);
    name_address("\xab\x01", 0x1a2c, names);
    name_address("\xab\x01", 0x1a2b, none);
    read_file();
    cr_expect_str_eq(function_of(0, 0)->name, "libdraw.so!0x1a2b");
}

Test(perfetto_stacks, samples_are_sorted_and_share_their_stacks)
{
    clear(1000000);
    intern_usual();
    add_sample(8000, 101, 9, 0);
    add_sample(6000, 102, 9, 4);
    add_sample(7000, 101, 9, 3);
    read_file();
    cr_assert_eq(trace.sample_count, 3);
    cr_expect_eq(trace.samples[0].tid, 102);
    cr_expect_eq(trace.samples[0].end, DJ_STACK_GUESSED);
    cr_expect_eq(trace.samples[1].end, DJ_STACK_INCOMPLETE);
    cr_expect_eq(trace.samples[2].end, DJ_STACK_COMPLETE);
    cr_expect_eq(trace.samples[0].node, trace.samples[2].node);
}

Test(perfetto_stacks, entries_that_are_missing_are_damage)
{
    static const int64_t frames[] = {1, 77};
    clear(1000000);
    intern_text(5, 1, "main");
    intern_frame(1, 1, 0, 0);
    intern_stack(8, frames, 2);
    add_sample(5000, 101, 8, 0);
    add_sample(6000, 101, 66, 0);
    read_file();
    cr_assert_eq(trace.sample_count, 2);
    cr_expect_str_eq(function_of(0, 0)->name, "main");
    cr_expect_eq(trace.samples[1].node, DJ_CALLS_ROOT);
    cr_expect_eq(summary.damaged, 2);
}

Test(perfetto_stacks, lost_samples_are_counted)
{
    struct pf sample = {0};
    clear(1000000);
    pf_int(&sample, 1, 0);
    pf_int(&sample, 17, 12);
    pf_message(&packet, 66, &sample);
    pf_int(&packet, 8, 4000);
    pf_int(&packet, 13, 2);
    end_packet();
    read_file();
    cr_expect_eq(trace.sample_count, 0);
    cr_expect_eq(trace.samples_lost, 12);
}

Test(perfetto_stacks, a_stack_at_a_context_switch_is_a_wait)
{
    struct pf tracepoint = {0}, timebase = {0}, perf = {0}, defaults = {0};
    pf_string(&tracepoint, 1, "sched:sched_switch");
    pf_int(&timebase, 1, 1);
    pf_message(&timebase, 3, &tracepoint);
    pf_message(&perf, 1, &timebase);
    pf_message(&defaults, 12, &perf);
    pf_message(&packet, 59, &defaults);
    pf_int(&packet, 13, 1);
    end_packet();
    intern_usual();
    add_sample(5000, 101, 9, 0);
    read_file();
    cr_assert_eq(trace.sample_count, 1);
    cr_expect_eq(trace.samples[0].source, DJ_STACK_WAIT);
    cr_expect_eq(trace.samples[0].ns, 0);
}

Test(perfetto_stacks, the_frequency_gives_the_time_of_a_sample)
{
    struct pf timebase = {0}, perf = {0}, defaults = {0};
    pf_int(&timebase, 2, 100);
    pf_int(&timebase, 4, 10); /* CPU cycles. */
    pf_message(&perf, 1, &timebase);
    pf_message(&defaults, 12, &perf);
    pf_message(&packet, 59, &defaults);
    pf_int(&packet, 13, 1);
    end_packet();
    intern_usual();
    add_sample(5000, 101, 9, 0);
    read_file();
    cr_assert_eq(trace.sample_count, 1);
    cr_expect_eq(trace.samples[0].ns, 10000000);
}

/* ---- StackSample ---- */

static void add_stack_sample(const struct pf *task, uint32_t task_field, int64_t unit,
                             const char *error)
{
    struct pf sample = {0}, callstack = {0}, frames = {0}, counter = {0};
    pf_varint(&frames, 1);
    pf_varint(&frames, 2);
    pf_message(&callstack, 2, &frames); /* A packed list. */
    if (task_field == 1) {
        pf_message(&sample, 1, task);
    } else {
        pf_int(&sample, 2, 4);
    }
    pf_message(&sample, 5, &callstack);
    if (error != NULL) {
        pf_string(&sample, 7, error);
    }
    pf_int(&counter, 3, unit);
    pf_int(&counter, 5, 1000);
    pf_message(&sample, 9, &counter);
    pf_int(&sample, 11, 2000);
    pf_message(&packet, 135, &sample);
    pf_int(&packet, 8, 5000);
    pf_int(&packet, 13, 2);
    end_packet();
}

Test(perfetto_stacks, stack_samples_have_their_own_weight)
{
    struct pf task = {0}, entry = {0};
    pf_int(&task, 2, 100);
    pf_int(&task, 3, 103);
    clear(1000000);
    intern_usual();
    pf_int(&entry, 1, 4);
    pf_int(&entry, 2, 200);
    pf_int(&entry, 3, 201);
    pf_message(&interned, 2000, &entry);
    add_stack_sample(&task, 1, 1, NULL);
    add_stack_sample(&task, 2, 2, "no unwind table");
    read_file();
    cr_assert_eq(trace.sample_count, 2);
    cr_expect_eq(trace.samples[0].pid, 100);
    cr_expect_eq(trace.samples[0].tid, 103);
    cr_expect_eq(trace.samples[0].ns, 2000000);
    cr_expect_str_eq(function_of(0, 0)->name, "libdraw.so!0x1a2b");
    /* Cycles are no time. */
    cr_expect_eq(trace.samples[1].ns, 0);
    cr_expect_eq(trace.samples[1].tid, 201);
    cr_expect_eq(trace.samples[1].end, DJ_STACK_INCOMPLETE);
    cr_expect_eq(trace.samples[0].node, trace.samples[1].node);
}

Test(perfetto_stacks, samples_that_nobody_needs_are_not_stored)
{
    trace.keep_samples = false;
    clear(1000000);
    intern_usual();
    add_sample(5000, 101, 9, 0);
    read_file();
    cr_expect_eq(trace.sample_count, 0);
    cr_expect_eq(trace.calls.node_count, 0);
    cr_expect_eq(trace.events, 1);
}

Test(perfetto_stacks, samples_may_be_in_a_file)
{
    trace.memory_bytes = 1 << 12;
    clear(1000000);
    intern_usual();
    for (int i = 0; i < 200; i++) {
        add_sample(5000 - i, 101, 9, 0);
    }
    read_file();
    cr_expect_eq(trace.sample_count, 200);
    cr_expect_null(trace.samples);
    struct dj_trace_position position = {0};
    int64_t last_ns = 0;
    size_t count = 0;
    const struct dj_trace_sample *sample;
    while ((sample = dj_trace_next_sample(&trace, &position)) != NULL) {
        cr_expect(sample->at_ns > last_ns);
        last_ns = sample->at_ns;
        count++;
    }
    cr_expect_eq(count, 200);
    cr_expect_eq(dj_trace_get_error(&trace, NULL), 0);
}
