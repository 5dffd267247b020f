/* Tests the reader of 'perf script' text: the forms of its lines, and whole texts. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "memory/memory.h"
#include "trace/model/builder.h"
#include "trace/perf/script_line.h"
#include "trace/text/ftrace.h"

static struct dj_trace trace;
static struct dj_text_summary summary;

static void finish(void)
{
    dj_trace_finish(&trace);
}

TestSuite(perf_script, .fini = finish);

static void read_pieces(const char *text, size_t length, size_t piece)
{
    struct dj_error err = {0};
    trace.keep_samples = true;
    struct dj_trace_builder built = {.trace = &trace};
    struct dj_ftrace_text reader = {.sink = {dj_builder_add_event, &built}};
    for (size_t at = 0; at < length; at += piece) {
        size_t rest = length - at;
        cr_assert_eq(
            dj_ftrace_text_read(&reader, text + at, rest < piece ? rest : piece, &err),
            0);
    }
    cr_assert_eq(dj_ftrace_text_end(&reader, &err), 0);
    summary = reader.summary;
    dj_ftrace_text_finish(&reader);
    cr_assert_eq(dj_builder_complete(&built, &err), 0, "%s", err.message);
}

static void read_all(const char *text)
{
    read_pieces(text, strlen(text), SIZE_MAX / 2);
}

/* Returns the functions of a sample, "outer>inner", with their modules. The caller frees
 * the text. */
static char *describe(size_t at)
{
    char *text = dj_xformat("%s", "");
    for (uint32_t node = trace.samples[at].node; node != DJ_CALLS_ROOT;
         node = trace.calls.nodes[node].parent) {
        const struct dj_calls_function *function =
            &trace.calls.functions[trace.calls.nodes[node].function];
        char *longer =
            dj_xformat("%s%s%s%s", function->name, function->module[0] != '\0' ? "@" : "",
                       function->module, text);
        free(text);
        text = dj_xformat(">%s", longer);
        free(longer);
    }
    return text;
}

static void expect_stack(size_t at, const char *expected)
{
    cr_assert_lt(at, trace.sample_count);
    char *text = describe(at);
    cr_expect_str_eq(text, expected);
    free(text);
}

/* ---- the line of a sample ---- */

static struct dj_perf_head head;

static bool read_head(const char *line)
{
    return dj_perf_script_read_head(dj_str_of(line), &head);
}

Test(perf_script, the_usual_fields_of_a_sample)
{
    cr_assert(read_head("my (app) x 32692   513.032185:    1000000 cpu-clock:ppp: "));
    cr_expect(dj_str_is(head.comm, "my (app) x"));
    cr_expect(head.tid == 32692 && head.pid == -1 && head.cpu == -1);
    cr_expect(head.at_ns == 513032185000 && head.period == 1000000);
    cr_expect(dj_str_is(head.event, "cpu-clock:ppp") && head.rest.length == 0);
}

Test(perf_script, all_fields_of_a_thread)
{
    cr_assert(
        read_head("    Web Content 2 4242/4243  [012] KG   7.000000009: cycles:u:"));
    cr_expect(dj_str_is(head.comm, "Web Content 2"));
    cr_expect(head.pid == 4242 && head.tid == 4243 && head.cpu == 12);
    cr_expect(head.at_ns == 7000000009 && head.period == 0);
    cr_expect(dj_str_is(head.event, "cycles:u"));
}

Test(perf_script, fields_that_are_not_printed)
{
    cr_assert(read_head("app 7   1.000001: "));
    cr_expect(head.event.length == 0 && head.tid == 7);
    cr_assert(read_head("7   1.000001:     250000 cpu_core/cycles/P: "));
    cr_expect(head.comm.length == 0 && head.tid == 7 && head.period == 250000);
    cr_expect(dj_str_is(head.event, "cpu_core/cycles/P"));
    cr_assert(read_head(":-1    -1 [000]   1.000001: cycles: "));
    cr_expect(head.tid == -1 && dj_str_is(head.comm, ":-1"));
    cr_assert(read_head("app 7   1.000001:     55d04a7e4296 spin+0x56 (/tmp/plant)"));
    cr_expect(head.event.length == 0 && head.rest.length > 0);
}

Test(perf_script, records_that_are_no_samples)
{
    cr_assert(read_head("plant 32692   513.028533: PERF_RECORD_COMM exec: plant:1/2"));
    cr_expect(dj_str_is(head.record, "PERF_RECORD_COMM"));
    cr_assert(read_head("plant 32692   513.028533: PERF_RECORD_LOST lost 12"));
    cr_expect(dj_str_is(head.record, "PERF_RECORD_LOST"));
    cr_expect(dj_str_is(head.rest, " lost 12"));
}

Test(perf_script, other_lines_are_no_samples)
{
    static const char *const lines[] = {
        "",
        "app 7",
        "app 7 1.000001",
        "app 7 1.0001: cycles:",
        "app 1.000001: cycles:",
        "app 7 1.000001:cycles:",
        "app 99999999999 1.000001: cycles:",
        "app 7 [x] 1.000001: cycles:",
        "app 7 [-1] 1.000001: cycles:",
        "10-12 07:34:56.789012: something",
        "app 7 1.000001: some words without an event",
        "a-7 (5) [000] ...1 1.000001: tracing_mark_write: B|5|one",
        ": 1.000001:",
    };
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        cr_expect_not(read_head(lines[i]), "%s", lines[i]);
    }
}

/* ---- the line of a function ---- */

static struct dj_perf_frame frame;

static void expect_frame(const char *line, uint64_t address, const char *symbol,
                         const char *module)
{
    cr_assert(dj_perf_script_read_frame(dj_str_of(line), &frame), "%s", line);
    cr_expect_eq(frame.address, address, "%s", line);
    cr_expect(dj_str_is(frame.symbol, symbol), "%s: %.*s", line, (int)frame.symbol.length,
              frame.symbol.at);
    cr_expect(dj_str_is(frame.module, module), "%s: %.*s", line, (int)frame.module.length,
              frame.module.at);
}

Test(perf_script, functions_and_files)
{
    expect_frame("\tffffffff82203249 _raw_spin_lock+0x19 ([kernel.kallsyms])",
                 UINT64_C(0xffffffff82203249), "_raw_spin_lock", "[kernel.kallsyms]");
    expect_frame("\t            12ce draw_text+0xe (/tmp/my (app)/x)", 0x12ce,
                 "draw_text", "/tmp/my (app)/x");
    expect_frame("\t  2a foo(int, char const*) const+0x12 (/usr/bin/foo)", 0x2a,
                 "foo(int, char const*) const", "/usr/bin/foo");
    expect_frame("\t  2a (anonymous namespace)::f (/usr/bin/foo (deleted))", 0x2a,
                 "(anonymous namespace)::f", "/usr/bin/foo (deleted)");
    expect_frame("\t  2a operator()+0x1 (/a/b+0x2f)", 0x2a, "operator()", "/a/b");
    expect_frame("\t  2a clock_gettime@@GLIBC_2.17+0x19 (/lib/libc.so.6)", 0x2a,
                 "clock_gettime@@GLIBC_2.17", "/lib/libc.so.6");
    expect_frame("\t  2a [unknown] (/usr/bin/perf)", 0x2a, "", "/usr/bin/perf");
    expect_frame("\t  2a [unknown] ([unknown])", 0x2a, "", "");
    expect_frame("\t  2a draw_text", 0x2a, "draw_text", "");
    expect_frame("\t  2a (/usr/bin/perf)", 0x2a, "", "/usr/bin/perf");
    expect_frame("\t  2a", 0x2a, "", "");
    expect_frame("\t  2a now+0x3c (inlined)", 0x2a, "now", "");
    cr_expect(frame.inlined);
}

Test(perf_script, other_lines_are_no_functions)
{
    static const char *const lines[] = {
        "", "\t", "  main.c:7", "\tdraw_text+0xe (/tmp/x)", "\t11112222333344445 f (/x)"};
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        cr_expect_not(dj_perf_script_read_frame(dj_str_of(lines[i]), &frame), "%s",
                      lines[i]);
    }
}

/* ---- whole texts ---- */

static const char two[] = "app  7/8  [001]     1.000001:    1000000 cpu-clock:u: \n"
                          "\t            12ce draw+0xe (/bin/app)\n"
                          "\t            10f0 main+0x60 (/bin/app)\n"
                          "\n"
                          "app  7/8  [000]     1.001001:    1000000 cpu-clock:u: \n"
                          "\t            12cf [unknown] (/bin/app)\n"
                          "\t            10f0 main+0x60 (/bin/app)\n";

Test(perf_script, pieces_of_any_size_give_the_same_samples)
{
    for (size_t piece = 1; piece < sizeof(two); piece++) {
        read_pieces(two, sizeof(two) - 1, piece);
        cr_assert_eq(trace.sample_count, 2);
        expect_stack(0, ">main@/bin/app>draw@/bin/app");
        expect_stack(1, ">main@/bin/app>app!0x12cf@/bin/app");
        cr_expect(trace.samples[1].at_ns == 1001001000 && trace.samples[1].ns == 1000000);
        cr_expect(trace.samples[0].tid == 8 && trace.samples[0].pid == 7);
        cr_expect(trace.samples[0].source == DJ_STACK_CPU && !trace.samples[0].in_kernel);
        cr_expect(trace.samples[0].end == DJ_STACK_COMPLETE);
        cr_expect(summary.samples == 2 && summary.unreadable == 0);
        cr_expect_str_eq(dj_trace_get_thread_name(&trace, 8), "app");
        dj_trace_finish(&trace);
        trace = (struct dj_trace){0};
    }
}

Test(perf_script, the_clock_is_that_of_the_header)
{
    read_all(two);
    cr_expect_not(trace.clock.known);
    cr_expect_str_eq(trace.clock.name, "perf");
    dj_trace_finish(&trace);
    trace = (struct dj_trace){0};
    char *text =
        dj_xformat("# ========\n# clockid: monotonic (1)\n# ========\n#\n%s", two);
    read_all(text);
    cr_expect(trace.clock.known && trace.clock.to_mono_ns == 0);
    cr_expect_str_eq(trace.clock.name, "mono");
    cr_expect_eq(trace.sample_count, 2);
    free(text);
}

Test(perf_script, switches_with_and_without_stacks_are_events_of_the_kernel)
{
    read_all("swapper     0 [000]   1.000100: sched:sched_switch: prev_comm=swapper/0 "
             "prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=app next_pid=7 "
             "next_prio=120\n"
             "app     7 [000]   1.000200:    1000000 cpu-clock: \n"
             "\t 2a draw+0x1 (/bin/app)\n\n"
             "app     7 [000]   1.000300: sched:sched_switch: prev_comm=app prev_pid=7 "
             "prev_prio=120 prev_state=S ==> next_comm=swapper/0 next_pid=0 "
             "next_prio=120\n"
             "\tffffffff821facd8 __schedule+0x618 ([kernel.kallsyms])\n"
             "\t 2b fetch+0x1 (/bin/app)\n\n");
    cr_assert_eq(trace.sample_count, 2);
    cr_expect(trace.samples[1].source == DJ_STACK_WAIT && trace.samples[1].in_kernel);
    expect_stack(1, ">fetch@/bin/app>__schedule@[kernel.kallsyms]");
    cr_expect_eq(summary.events, 2);
    cr_assert_eq(trace.state_count, 2);
    cr_expect(trace.states[0].tid == 7 && trace.states[0].state == DJ_THREAD_RUNNING);
    cr_expect(trace.states[0].start_ns == 1000100000);
    cr_expect(trace.states[1].state == DJ_THREAD_SLEEPING);
}

Test(perf_script, kernel_text_may_contain_samples)
{
    char *text = dj_xformat("a-7 (5) [000] ...1 0.000001: tracing_mark_write: B|5|one\n"
                            "a-7 (5) [000] ...1 0.000004: tracing_mark_write: E|5\n%s"
                            "a-7 (5) [000] ...1 2.000001: tracing_mark_write: B|5|two\n"
                            "a-7 (5) [000] ...1 2.000004: tracing_mark_write: E|5\n",
                            two);
    read_all(text);
    cr_expect(trace.slice_count == 2 && trace.sample_count == 2);
    cr_expect_eq(summary.unreadable, 0);
    free(text);
}

Test(perf_script, only_the_best_event_shows_time)
{
    read_all("a 7 1.000001: 5 page-faults: \n\t 2a f+0x1 (/a)\n\n"
             "a 7 1.000002: 9 instructions:u: \n\t 2a g+0x1 (/a)\n\n"
             "a 7 1.000003: 1000000 cycles:u: \n\t 2a h+0x1 (/a)\n\n"
             "a 7 1.000004: 9 instructions:u: \n\t 2a g+0x1 (/a)\n\n"
             "a 7 1.000005: syscalls:sys_enter_read: fd: 0x3\n\t 2a i+0x1 (/a)\n\n");
    cr_assert_eq(trace.sample_count, 2);
    expect_stack(0, ">g@/a");
    expect_stack(1, ">h@/a");
    cr_expect_eq(trace.samples[1].ns, 0, "cycles are no time");
}

Test(perf_script, inlined_functions_are_in_the_file_of_their_caller)
{
    read_all("a 7 1.000001: 1000000 cpu-clock: \n"
             "\t 2a now+0x3c (inlined)\n\t 2a spin+0x3c (/bin/a)\n"
             "\t 3a start+0x1 (inlined)\n\n");
    expect_stack(0, ">start>spin@/bin/a>now@/bin/a");
}

Test(perf_script, unknown_outer_addresses_end_the_stack)
{
    read_all("a 7 1.000001: 1000000 cpu-clock: \n\t 2a f+0x1 (/a)\n"
             "\t 33 [unknown] ([unknown])\n\t 3638782f6564756c [unknown] ([unknown])\n");
    expect_stack(0, ">f@/a");
    cr_expect_eq(trace.samples[0].end, DJ_STACK_INCOMPLETE);
}

Test(perf_script, lines_between_functions_are_ignored)
{
    read_all("a 7 1.000001: 1000000 cpu-clock: \n\t 2a f+0x1 (/a)\n  main.c:7\n"
             "\t 2b main+0x1 (/a)\n  [a][2b]\n\n");
    expect_stack(0, ">main@/a>f@/a");
    cr_expect_eq(summary.unreadable, 0);
}

Test(perf_script, a_sample_without_a_stack_has_its_function)
{
    read_all("   a 7 1.000001: 1000000 cpu-clock:  2a f+0x1 (/a)\n"
             "   a 7 1.000002: 1000000 cpu-clock:  2b g+0x1 (/a)\n");
    expect_stack(0, ">f@/a");
    expect_stack(1, ">g@/a");
}

Test(perf_script, lost_samples_are_counted)
{
    char *text = dj_xformat("%sapp 7 1.100000: PERF_RECORD_LOST lost 12\n"
                            "app 7 1.100001: PERF_RECORD_LOST lost nothing\n"
                            "app 7 1.100002: PERF_RECORD_FORK(7:8):(7:7)\n",
                            two);
    read_all(text);
    cr_expect(trace.samples_lost == 12 && trace.sample_count == 2);
    cr_expect_eq(summary.unreadable, 0);
    free(text);
}

Test(perf_script, a_new_name_of_a_thread_is_used)
{
    read_all("perf-exec 7 1.000001: 1 cycles: \n\t 2a f+0x1 (/a)\n\n"
             "app 7 1.000002: 1 cycles: \n\t 2a f+0x1 (/a)\n\n");
    cr_expect_str_eq(dj_trace_get_thread_name(&trace, 7), "app");
}

Test(perf_script, damaged_lines_are_counted_and_the_rest_is_read)
{
    char *text = dj_xformat("%s\nsomething else\n\t 2a f+0x1 (/a)\n\n"
                            "app 7 1.100003: 1 cpu-clock: \n\tnonsense\n\t 2a f+0x1 (/a)",
                            two);
    read_all(text);
    cr_assert_eq(trace.sample_count, 3);
    cr_expect_eq(summary.unreadable, 2);
    cr_expect_eq(summary.first_unreadable_line, 9);
    expect_stack(2, ">f@/a");
    free(text);
}

Test(perf_script, a_stack_has_a_maximum)
{
    char *text = dj_xformat("a 7 1.000001: 1 cycles: \n");
    for (int i = 0; i < DJ_STACK_FRAMES_MAX + 5; i++) {
        char *longer = dj_xformat("%s\t %x f%d+0x1 (/a)\n", text, i + 1, i);
        free(text);
        text = longer;
    }
    read_all(text);
    cr_assert_eq(trace.sample_count, 1);
    cr_expect_eq(trace.samples[0].end, DJ_STACK_INCOMPLETE);
    cr_expect_eq(trace.calls.nodes[trace.samples[0].node].depth, DJ_STACK_FRAMES_MAX - 1);
    free(text);
}

/* ---- events ---- */

Test(perf_script, events_are_classified)
{
    static const struct {
        const char *name;
        enum dj_perf_sampled sampled;
    } events[] = {
        {"cpu-clock:ppp", DJ_PERF_CPU_CLOCK},
        {"task-clock:u", DJ_PERF_TASK_CLOCK},
        {"cycles", DJ_PERF_CYCLES},
        {"ref-cycles:u", DJ_PERF_REF_CYCLES},
        {"cpu-cycles:u", DJ_PERF_CYCLES},
        {"cpu_core/cycles/P", DJ_PERF_CYCLES},
        {"armv8_cortex_a53/cpu_cycles/", DJ_PERF_CYCLES},
        {"instructions:uH", DJ_PERF_COUNT},
        {"", DJ_PERF_COUNT},
        {"sched:sched_switch", DJ_PERF_SWITCH},
        {"context-switches:k", DJ_PERF_SWITCH},
        {"sched:sched_waking", DJ_PERF_NO_TIME},
        {"probe:draw", DJ_PERF_NO_TIME},
        {"page-faults:u", DJ_PERF_NO_TIME},
    };
    for (size_t i = 0; i < COUNT_OF(events); i++) {
        cr_expect_eq(dj_perf_classify_event(dj_str_of(events[i].name)), events[i].sampled,
                     "%s", events[i].name);
    }
}
