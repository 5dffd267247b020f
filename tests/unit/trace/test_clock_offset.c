/*
 * Tests the offset from a trace's clock to CLOCK_MONOTONIC, and lists of processes in
 * addition to a trace.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "trace/kernel/trace_dat_private.h"
#include "trace/kernel_trace.h"
#include "trace/model/builder.h"
#include "trace/text/ftrace.h"

static struct dj_trace trace;
static struct dj_trace_builder build;

static void start(void)
{
    build = (struct dj_trace_builder){.trace = &trace};
}

static void finish(void)
{
    dj_trace_finish(&trace);
}

TestSuite(clock, .init = start, .fini = finish);

static struct dj_str words(const char *text)
{
    return (struct dj_str){text, strlen(text)};
}

static void add_pair(int64_t at_ns, int64_t mono_ns, int64_t error_ns)
{
    struct dj_event event = {.kind = DJ_EVENT_CLOCK,
                             .cpu = -1,
                             .at_ns = at_ns,
                             .value = mono_ns,
                             .value_2 = error_ns,
                             .name = words("mono")};
    cr_assert_eq(dj_builder_add_event(&build, &event), 0);
}

static void complete_trace(void)
{
    cr_assert_eq(dj_builder_complete(&build, NULL), 0);
}

static void read_text(const char *text)
{
    struct dj_ftrace_text reader = {.sink = {dj_builder_add_event, &build}};
    cr_assert_eq(dj_ftrace_text_read(&reader, text, strlen(text), NULL), 0);
    cr_assert_eq(dj_ftrace_text_end(&reader, NULL), 0);
    cr_expect_eq(reader.summary.unreadable, 0);
    dj_ftrace_text_finish(&reader);
    complete_trace();
}

static void expect_offset(int64_t to_mono_ns, int64_t error_ns)
{
    cr_assert(trace.clock.known);
    cr_expect_eq(trace.clock.to_mono_ns, to_mono_ns, "%lld",
                 (long long)trace.clock.to_mono_ns);
    cr_expect_eq(trace.clock.error_ns, error_ns, "%lld", (long long)trace.clock.error_ns);
}

Test(clock, is_unknown_without_pairs)
{
    complete_trace();
    cr_expect_not(trace.clock.known);
    cr_expect_str_eq(trace.clock.name, "");
    cr_expect_eq(trace.events, 0);
}

Test(clock, one_exact_pair)
{
    add_pair(1000, 5500, 0);
    complete_trace();
    expect_offset(4500, 0);
    cr_expect_eq(trace.first_ns, 0, "a snapshot is nothing that happened");
}

Test(clock, consistent_pairs_narrow_the_offset)
{
    add_pair(0, 1000, 100);
    add_pair(0, 1150, 100);
    complete_trace();
    expect_offset(1075, 25);
}

Test(clock, drift_becomes_the_error)
{
    add_pair(0, 1000, 0);
    add_pair(10000, 11400, 0);
    add_pair(20000, 21900, 1);
    complete_trace();
    expect_offset(1450, 451);
}

Test(clock, an_overflowing_pair_is_ignored)
{
    add_pair(INT64_MIN, INT64_MAX, 0);
    add_pair(10, 20, INT64_MAX);
    add_pair(10, 20, -1);
    complete_trace();
    cr_expect_not(trace.clock.known);
    finish();
    start();
    add_pair(20, 20, INT64_MAX);
    complete_trace();
    expect_offset(0, INT64_MAX);
}

Test(clock, atrace_writes_seconds_from_a_float)
{
    read_text("<...>-1 (1) [001] ...1 683201.354908: tracing_mark_write: "
              "trace_event_clock_sync: parent_ts=683201.375000\n");
    expect_offset(20092000, 62501000);
    cr_expect_eq(trace.events, 1);
}

Test(clock, seconds_that_are_no_float_have_microsecond_error)
{
    read_text("<...>-1 (1) [001] ...1 700.000001: tracing_mark_write: "
              "trace_event_clock_sync: parent_ts=683201.375001\n");
    expect_offset(682501375000000, 2000);
}

Test(clock, text_may_name_its_clock)
{
    read_text("# clock_type=LINUX_CLOCK_MONOTONIC\n"
              "a-1 (1) [001] ...1 7.000001: tracing_mark_write: E|1\n");
    expect_offset(0, 0);
    cr_expect_str_eq(trace.clock.name, "mono");
}

Test(clock, the_kernels_list_has_the_selected_clock_in_brackets)
{
    static const struct {
        const char *list, *name;
        bool known;
    } cases[] = {
        {"local global counter uptime perf [mono] mono_raw boot\n", "mono", true},
        {"local global [boot]", "boot", false},
        {"[mono_raw] mono", "mono_raw", false},
        {"mono\n", "mono", true}};
    const struct dj_trace_ring_time as_it_is = {0};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        start();
        cr_assert_eq(dj_trace_kernel_report_clock(
                         words(cases[i].list), &as_it_is,
                         (struct dj_event_sink){dj_builder_add_event, &build}),
                     0);
        complete_trace();
        cr_expect_str_eq(trace.clock.name, cases[i].name);
        cr_expect_eq(trace.clock.known, cases[i].known, "%s", cases[i].list);
        finish();
    }
}

Test(clock, options_of_trace_dat_describe_the_clock)
{
    struct dj_trace_dat_clock clock = {0};
    struct dj_trace_ring_time time;
    static const char ticks[16] = {2, 0, 0, 0, 1};
    dj_trace_dat_clock_read_option(&clock, 4, words("local [mono] boot"));
    dj_trace_dat_clock_read_option(&clock, 7, (struct dj_str){"-250\0", 5});
    dj_trace_dat_clock_read_option(&clock, 14, (struct dj_str){ticks, sizeof(ticks)});
    dj_trace_dat_clock_read_option(&clock, 14, (struct dj_str){ticks, 7});
    dj_trace_dat_clock_read_option(&clock, 99, words("?"));
    cr_assert_eq(dj_trace_dat_clock_report(
                     &clock, &time, (struct dj_event_sink){dj_builder_add_event, &build}),
                 0);
    complete_trace();
    expect_offset(250, 0);
    cr_expect_eq(time.moved_ns, -250);
    cr_expect_eq(time.multiplier, 0, "mono counts no ticks");
    dj_trace_dat_clock_set_names(&clock, words("x86-tsc"));
    finish();
    start();
    cr_assert_eq(dj_trace_dat_clock_report(
                     &clock, &time, (struct dj_event_sink){dj_builder_add_event, &build}),
                 0);
    cr_expect_eq(time.multiplier, 2);
    cr_expect_eq(time.shift, 1);
    complete_trace();
    cr_expect_not(trace.clock.ticks, "trace-cmd recorded the length of ticks");
}

/* ---- clocks that do not count nanoseconds ---- */

Test(clock, ticks_of_unknown_length_are_reported_as_ticks)
{
    static const struct {
        const char *list;
        uint32_t multiplier;
        bool ticks;
    } cases[] = {{"local [counter] mono", 0, true},
                 {"local [x86-tsc]\n", 0, true},
                 {"ppc-tb", 0, true},
                 {"local [uptime] mono", 10000000, false},
                 {"[local] x86-tsc", 0, false}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct dj_trace_dat_clock clock = {0};
        struct dj_trace_ring_time time;
        dj_trace_dat_clock_set_names(&clock, words(cases[i].list));
        start();
        cr_assert_eq(
            dj_trace_dat_clock_report(
                &clock, &time, (struct dj_event_sink){dj_builder_add_event, &build}),
            0);
        complete_trace();
        cr_expect_eq(trace.clock.ticks, cases[i].ticks, "%s", cases[i].list);
        cr_expect_eq(time.multiplier, cases[i].multiplier, "%s", cases[i].list);
        finish();
    }
}

#define MARK_AT(stamp) "a-1 (1) [001] ...1 " stamp ": tracing_mark_write: E|1\n"

Test(clock, whole_numbers_in_kernel_text_are_ticks)
{
    static const struct {
        const char *text, *name;
        bool ticks;
    } cases[] = {{"# tracer: nop\n" MARK_AT("108395136095559"), "", true},
                 {"# tracer: nop\n" MARK_AT("7.000001"), "", false},
                 {"version = 7\ncpus=2\n" MARK_AT("2142687068873"), "", false},
                 {"# clock: x86-tsc\n" MARK_AT("5"), "x86-tsc", true},
                 {"# clock: uptime\n# tracer: nop\n" MARK_AT("5"), "uptime", true},
                 {"# clock: boot\n" MARK_AT("7.000001"), "boot", false}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        start();
        read_text(cases[i].text);
        cr_expect_eq(trace.clock.ticks, cases[i].ticks, "%s", cases[i].text);
        cr_expect_str_eq(trace.clock.name, cases[i].name);
        finish();
    }
}

/* ---- processes ---- */

static int32_t process_of(uint32_t tid)
{
    for (size_t i = 0; i < trace.thread_count; i++) {
        if (trace.threads[i].tid == tid) {
            return trace.threads[i].pid;
        }
    }
    return -2;
}

Test(clock, lists_of_processes_in_a_page_are_read)
{
    read_text("<!DOCTYPE html>\n<html>\n"
              "  <script class=\"trace-data\" type=\"application/text\">\n"
              "PROCESS DUMP\n"
              "USER           PID  PPID     VSZ    RSS WCHAN  PC S NAME   COMM\n"
              "u0_a1         1300     1   32904   4580 SyS_epoll 0 S com.example.a_long_"
              "name main\n"
              "USER           PID   TID CMD\n"
              "u0_a1         1300  1307 Binder Thread #1\n"
              "  </script>\n"
              "  <script class=\"trace-data\" type=\"application/text\">\n"
              "# tracer: nop\n"
              "<...>-1307 (-----) [001] ...1 7.000001: tracing_mark_write: E\n"
              "  </script>\n</html>\n");
    cr_expect_str_eq(dj_trace_get_process_name(&trace, 1300), "com.example.a_long_name");
    cr_expect_str_eq(dj_trace_get_process_name(&trace, 1301), "");
    cr_expect_eq(process_of(1307), 1300);
    cr_expect_str_eq(dj_trace_get_thread_name(&trace, 1307), "Binder Thread #");
}

Test(clock, old_process_lists_have_a_column_without_a_title)
{
    read_text("USER     PID   PPID  VSIZE  RSS     WCHAN    PC         NAME\n"
              "root      1     0     604    456   c00d3b5c 0000e60c S /init\n"
              "u0_a5     612   120   900    456   ffffffff 4007d5c8 S com.android.phone\n"
              "# tracer: nop\n"
              "a-612 (-----) [001] ...1 7.000001: tracing_mark_write: E\n");
    cr_expect_eq(trace.process_count, 2);
    cr_expect_str_eq(dj_trace_get_process_name(&trace, 1), "/init");
    cr_expect_str_eq(dj_trace_get_process_name(&trace, 612), "com.android.phone");
    cr_expect_eq(process_of(612), 612);
}

Test(clock, rows_of_a_list_may_lack_columns)
{
    read_text("USER PID PPID VSIZE RSS WCHAN PC NAME\n"
              "root 1 0 0 0 x S com.app\n"
              "root 2 0 0 0 x 0 com.other\n"
              "root 3 0 0 0 x 0 S com.third\n"
              "a-1 (-----) [001] ...1 7.000001: tracing_mark_write: E\n");
    cr_expect_str_eq(dj_trace_get_process_name(&trace, 1), "com.app");
    cr_expect_str_eq(dj_trace_get_process_name(&trace, 2), "com.other");
    cr_expect_str_eq(dj_trace_get_process_name(&trace, 3), "com.third");
    cr_expect_eq(trace.process_count, 3);
}

Test(clock, paths_in_proc_name_threads_and_processes)
{
    read_text("proc/1/task/1\n/proc/1079/task/1080\n"
              "a-1080 (-----) [001] ...1 7.000001: tracing_mark_write: E\n");
    cr_expect_eq(process_of(1080), 1079);
    cr_expect_eq(process_of(1), 1);
}

Test(clock, the_last_name_of_a_process_wins)
{
    for (int i = 0; i < 100000; i++) {
        char name[32];
        snprintf(name, sizeof(name), "name %d", i / 40);
        struct dj_event event = {.kind = DJ_EVENT_THREAD,
                                 .other = 1 + i % 40,
                                 .pid = 1 + i % 40,
                                 .cpu = -1,
                                 .name = words(name)};
        cr_assert_eq(dj_builder_add_event(&build, &event), 0);
    }
    cr_expect_leq(build.process_names.capacity, 1000);
    complete_trace();
    cr_expect_eq(trace.process_count, 40);
    cr_expect_str_eq(dj_trace_get_process_name(&trace, 40), "name 2499");
}
