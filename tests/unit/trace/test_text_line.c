/* Tests single lines of trace text in all layouts. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <string.h>

#include "trace/text/line.h"
#include "trace/text/numbers.h"

static struct dj_event event;

static enum dj_text_line read_line(const char *line)
{
    return dj_text_line_read((struct dj_str){line, strlen(line)}, &event);
}

static void is_words(struct dj_str words, const char *text)
{
    cr_expect(dj_str_is(words, text), "\"%.*s\", expected \"%s\"", (int)words.length,
              words.at, text);
}

static void has_head(const char *task, int32_t tid, int32_t pid, int32_t cpu,
                     int64_t at_ns)
{
    is_words(event.task, task);
    cr_expect_eq(event.tid, tid);
    cr_expect_eq(event.pid, pid);
    cr_expect_eq(event.cpu, cpu);
    cr_expect_eq(event.at_ns, at_ns, "%lld", (long long)event.at_ns);
}

/* All known layouts: of kernels before 3.2, with flags, with the process, with the
 * migration flag, and two layouts of trace-cmd. */
Test(text_line, all_layouts_are_parsed)
{
    static const struct {
        const char *line, *task;
        int32_t tid, pid, cpu;
        int64_t at_ns;
    } rows[] = {
        {"  atrace-14446 [000]  1212.465062: sched_x: a", "atrace", 14446, -1, 0,
         1212465062000},
        {"  atrace-14446 [012] ...2  1212.465062: sched_x: a", "atrace", 14446, -1, 12,
         1212465062000},
        {" ui-main-16287   (  16287) [001] ...1.  2003.475611: sched_x: a", "ui-main",
         16287, 16287, 1, 2003475611000},
        {" com.ex-12  (-----) [000] .... 1031124.476312: sched_x: a", "com.ex", 12, -1, 0,
         1031124476312000},
        {"  ui-main-18450 [000]2142687068873: sched_x:   a", "ui-main", 18450, -1, 0,
         2142687068873},
        {" ls-4734  [002] 106439.675591123: sched_x:   a", "ls", 4734, -1, 2,
         106439675591123},
        {"  <idle>-0     (-----) [006] d..3    20.258855: sched_x: a", "<idle>", 0, -1, 6,
         20258855000},
        /* Names may contain text that looks like the rest of a line. */
        {"a b-c [1] (2)-77 ( 9) [003] d..2.  5.000001: sched_x: a", "a b-c [1] (2)", 77,
         9, 3, 5000001000},
        {"x-1 [2] y-5 [007] 1.000000: sched_x: a", "x-1 [2] y", 5, -1, 7, 1000000000},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        enum dj_text_line expected =
            strchr(rows[i].line, '.') == NULL ? DJ_LINE_COUNTED : DJ_LINE_EVENT;
        cr_assert_eq(read_line(rows[i].line), expected, "%s", rows[i].line);
        has_head(rows[i].task, rows[i].tid, rows[i].pid, rows[i].cpu, rows[i].at_ns);
        cr_expect_eq(event.kind, DJ_EVENT_OTHER);
        is_words(event.name, "sched_x");
    }
}

Test(text_line, the_third_flag_marks_interrupts)
{
    static const struct {
        const char *flags;
        int interrupted;
    } rows[] = {{"d..2.", 0}, {"d.h5.", 1}, {"..s1", 1}, {"....", 0},
                {"dNH3", 1},  {"d.z1.", 1}, {"s..1", 0}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char line[100];
        snprintf(line, sizeof(line), "a-1 [000] %s 1.0: x: y", rows[i].flags);
        cr_assert_eq(read_line(line), DJ_LINE_EVENT);
        cr_expect_eq(event.interrupted, rows[i].interrupted, "%s", line);
    }
}

Test(text_line, other_lines_are_not_events)
{
    cr_expect_eq(read_line(""), DJ_LINE_NOISE);
    cr_expect_eq(read_line("# tracer: nop"), DJ_LINE_NOISE);
    cr_expect_eq(read_line("no trace at all"), DJ_LINE_STRANGE);
    cr_expect_eq(read_line("a-1 [000] .... soon: x: y"), DJ_LINE_STRANGE);
    cr_expect_eq(read_line("a-99999999999 [000] .... 1.0: x: y"), DJ_LINE_STRANGE);
    cr_expect_eq(read_line("a-1 [000] .... 99999999999999.0: x: y"), DJ_LINE_STRANGE);
    cr_expect_eq(read_line("a-1 [000] .... 1.0"), DJ_LINE_STRANGE);
    cr_expect_eq(read_line("a-1 [000"), DJ_LINE_STRANGE);
    cr_expect_eq(read_line("{\"traceEvents\": [], \"systemTraceEvents\": \"# tracer: nop"
                           "\\n#\\n a-1 [000] d... 10.000000: print: B|1|x\\n\"}"),
                 DJ_LINE_STRANGE);
}

/* Tests the options sym-addr, sym-offset and stacktrace. */
Test(text_line, addresses_and_stack_traces_are_ignored)
{
    cr_assert_eq(read_line("a b-7 [001] ..... 1.000001: tracing_mark_write+0x8a/0x170 "
                           "<ffffffff81498b1a>: B|7|two+0x1"),
                 DJ_LINE_EVENT);
    cr_expect_eq(event.kind, DJ_EVENT_BEGIN);
    is_words(event.name, "two+0x1");
    cr_assert_eq(read_line("a b-7 [001] ..... 1.000001: tracing_mark_write "
                           "<ffffffff81498b1a>: B|7|one|x"),
                 DJ_LINE_EVENT);
    cr_expect_eq(event.kind, DJ_EVENT_BEGIN);
    is_words(event.name, "one|x");
    cr_expect_eq(event.tid, 7);
    cr_expect_eq(read_line("a b-7 [001] ..... 1.000002: <stack trace>"), DJ_LINE_NOISE);
    cr_expect_eq(read_line("a b-7 [001] ..... 1.000002: <user stack trace>"),
                 DJ_LINE_NOISE);
    cr_expect_eq(read_line(" => do_syscall_64 <ffffffff821ed511>"), DJ_LINE_NOISE);
    cr_expect_eq(read_line("=> schedule (ffffffff821f94c3)"), DJ_LINE_NOISE);
    cr_expect_eq(read_line(" =>"), DJ_LINE_STRANGE);
}

/* Names may contain spaces, and words that look like fields. */
Test(text_line, names_end_with_the_field)
{
    cr_assert_eq(read_line("a-7 [001] d.h1. 1.000001: irq_handler_entry: irq=33 "
                           "name=arm-smmu global fault"),
                 DJ_LINE_EVENT);
    is_words(event.name, "arm-smmu global fault");
    cr_expect_eq(event.value, 33);
    cr_assert_eq(read_line("a-7 [001] .... 1.000001: cdev_update: type=cpu fan target=3"),
                 DJ_LINE_EVENT);
    is_words(event.name, "cpu fan");
    cr_expect_eq(event.value, 3);
    cr_assert_eq(read_line("a-7 [001] d..2. 1.000001: sched_waking: comm=x pid=3 pid=9 "
                           "prio=120 target_cpu=002"),
                 DJ_LINE_EVENT);
    is_words(event.other_name, "x pid=3");
    cr_expect_eq(event.other, 9);
    cr_expect_eq(event.value, 2);
}

/* If the option fields is set, numbers are hexadecimal and each field occurs twice. */
Test(text_line, hexadecimal_fields_are_parsed)
{
    cr_assert_eq(read_line("a-7 [001] d..2. 1.000001: sched_switch: prev_comm=a "
                           "prev_pid=0x7 (7) prev_prio=0x78 (120) prev_state=0x2 (2) "
                           "next_comm=b c next_pid=0x2ecb (11979) next_prio=0x78 (120)"),
                 DJ_LINE_EVENT);
    cr_expect_eq(event.state, DJ_TASK_BLOCKED);
    cr_expect_eq(event.other, 11979);
    is_words(event.other_name, "b c");
}

Test(text_line, lost_events_are_parsed)
{
    cr_assert_eq(read_line("##### CPU 2 buffer started ####"), DJ_LINE_LOST);
    cr_expect_eq(event.cpu, 2);
    cr_expect_eq(event.value, 0);
    cr_assert_eq(read_line("CPU:3 [LOST 13 EVENTS]"), DJ_LINE_LOST);
    cr_expect_eq(event.cpu, 3);
    cr_expect_eq(event.value, 13);
    cr_assert_eq(read_line("CPU:1 [EVENTS DROPPED]"), DJ_LINE_LOST);
    cr_expect_eq(event.cpu, 1);
    cr_expect_eq(read_line("CPU"), DJ_LINE_STRANGE);
}

static void is_switch(const char *from, enum dj_task_state state, const char *to,
                      int32_t next)
{
    cr_assert_eq(event.kind, DJ_EVENT_SWITCH);
    is_words(event.task, from);
    cr_expect_eq(event.state, state);
    is_words(event.other_name, to);
    cr_expect_eq(event.other, next);
}

/* trace-cmd's own format, without a space before the state. */
Test(text_line, a_switch_without_a_state_has_none)
{
    read_line("perl-8 [0]21: sched_switch: perl:8x[120] ==> grep:9 [120]");
    cr_expect_eq(event.kind, DJ_EVENT_SWITCH);
    cr_expect_eq(event.state, DJ_TASK_UNKNOWN);
    cr_expect_eq(event.other, 9);
}

Test(text_line, switches_are_parsed)
{
    read_line("bash-16270 (16270) [000] d..2.  3.472674: sched_switch: prev_comm=bash "
              "prev_pid=16270 prev_prio=120 prev_state=S ==> next_comm=clang++ x "
              "next_pid=16211 next_prio=120");
    is_switch("bash", DJ_TASK_SLEEPING, "clang++ x", 16211);
    read_line("w-1 [0] 1.0: sched_switch: prev_comm=a b=c prev_pid=1 prev_prio=120 "
              "prev_state=R+ ==> next_comm=swapper/0 next_pid=0 next_prio=120");
    is_switch("a b=c", DJ_TASK_RUNNABLE, "swapper/0", 0);
    /* The raw format, and trace-cmd's own format. */
    read_line("ls-4734 [002] 1.0: sched_switch:  prev_comm=ls prev_pid=4734 "
              "prev_prio=120 prev_state=1024 next_comm=m/2 next_pid=18 next_prio=0");
    is_switch("ls", DJ_TASK_RUNNABLE, "m/2", 18);
    read_line("perl-8 [0]21: sched_switch:  pe:rl:8 [120] D ==> grep:9 [120]");
    is_switch("pe:rl", DJ_TASK_BLOCKED, "grep", 9);
}

Test(text_line, task_states_are_parsed)
{
    static const struct {
        const char *text;
        enum dj_task_state state;
    } rows[] = {
        {"R", DJ_TASK_RUNNABLE},   {"S", DJ_TASK_SLEEPING},   {"D|K", DJ_TASK_BLOCKED},
        {"t", DJ_TASK_STOPPED},    {"X", DJ_TASK_DEAD},       {"Z", DJ_TASK_DEAD},
        {"I", DJ_TASK_RESTING},    {"0", DJ_TASK_RUNNABLE},   {"1", DJ_TASK_SLEEPING},
        {"2", DJ_TASK_BLOCKED},    {"256", DJ_TASK_RUNNABLE}, {"64", DJ_TASK_UNKNOWN},
        {"16", DJ_TASK_DEAD},      {"128", DJ_TASK_RESTING},  {"16384", DJ_TASK_UNKNOWN},
        {"\xff", DJ_TASK_UNKNOWN}, {"", DJ_TASK_UNKNOWN}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct dj_str words = {rows[i].text, strlen(rows[i].text)};
        cr_expect_eq(dj_event_parse_task_state(words), rows[i].state, "%s", rows[i].text);
    }
}

static void is_wake(enum dj_event_kind kind, int32_t other, const char *name, int64_t cpu)
{
    cr_assert_eq(event.kind, kind);
    cr_expect_eq(event.other, other);
    is_words(event.other_name, name);
    cr_expect_eq(event.value, cpu);
}

Test(text_line, wakeups_are_parsed)
{
    read_line("c-9 (9) [001] d.h5. 1.0: sched_waking: comm=weston x pid=15596 prio=120 "
              "target_cpu=001");
    is_wake(DJ_EVENT_WAKING, 15596, "weston x", 1);
    read_line("c-9 [001] d..5 1.0: sched_wakeup: comm=B_5 pid=679 prio=120 success=1 "
              "target_cpu=002 state=W");
    is_wake(DJ_EVENT_WAKEUP, 679, "B_5", 2);
    read_line("u-1 [000]21: sched_wakeup_new:     work:18451 [120] CPU:000");
    is_wake(DJ_EVENT_WAKE_NEW, 18451, "work", 0);
    read_line("u-1 [000]21: sched_wakeup:     work:18451 [120] success=1 CPU:003");
    is_wake(DJ_EVENT_WAKEUP, 18451, "work", 3);
}

Test(text_line, other_kernel_events_are_parsed)
{
    read_line("i-0 [000] d.s4 2.0: sched_blocked_reason: pid=2172 iowait=1 "
              "caller=__filemap+0x134/0x150");
    cr_assert_eq(event.kind, DJ_EVENT_BLOCKED);
    cr_expect_eq(event.other, 2172);
    cr_expect_eq(event.value, 1);
    is_words(event.name, "__filemap+0x134/0x150");
    read_line(
        "b-1 [0] 1.0: task_rename: pid=7 oldcomm=a b newcomm=new c oom_score_adj=0");
    cr_assert_eq(event.kind, DJ_EVENT_RENAME);
    is_words(event.other_name, "new c");
    read_line("k-1 [000] .... 1.0: cpu_frequency: state=600000 cpu_id=3");
    cr_assert_eq(event.kind, DJ_EVENT_FREQUENCY);
    cr_expect_eq(event.cpu, 3);
    cr_expect_eq(event.value, 600000);
    read_line("k-1 [000] .... 1.0: cpu_frequency_limits: min=500 max=1700 cpu_id=6");
    cr_expect(event.value == 500 && event.value_2 == 1700 && event.cpu == 6);
    read_line("k-1 [0] .... 1.0: cpu_frequency_limits: min_freq=5 max_freq=9 cpu_id=1");
    cr_expect(event.value == 5 && event.value_2 == 9 && event.cpu == 1);
    read_line("b-1 [0] .... 1.0: binder_transaction: transaction=77 dest_node=2 "
              "dest_proc=3 dest_thread=4 reply=1 flags=0x0 code=0x1");
    cr_assert_eq(event.kind, DJ_EVENT_BINDER);
    cr_expect(event.value == 77 && event.value_2 == 3 && event.other == 4 &&
              event.state == 1);
    read_line("k-1 [0] .... 1.0: block_rq_issue: 8,1 WS 4096 () 123456 + 8 [fsync]");
    cr_assert_eq(event.kind, DJ_EVENT_BLOCK_ISSUE);
    cr_expect(event.value == (8 << 20 | 1) && event.value_2 == 123456);
    read_line(
        "k-1 [0] .... 1.0: block_rq_complete: 8,1 FF () 18446744073709551615 + 0 [0]");
    cr_expect_eq(event.kind, DJ_EVENT_BLOCK_COMPLETE);
    cr_expect_eq(event.value_2, -1);
    read_line("k-1 [0] .... 1.0: block_rq_issue: whatever");
    cr_expect_eq(event.kind, DJ_EVENT_OTHER);
    read_line("k-1 [0] .... 1.0: mm_vmscan_direct_reclaim_begin: order=0");
    cr_expect_eq(event.kind, DJ_EVENT_RECLAIM_BEGIN);
}

static void mark(const char *payload)
{
    static char line[300]; /* The event points into this buffer. */
    snprintf(line, sizeof(line), "a-7 (-----) [0] .... 1.0: tracing_mark_write: %s",
             payload);
    cr_assert_eq(read_line(line), DJ_LINE_EVENT, "%s", line);
}

static void is_mark(const char *payload, enum dj_event_kind kind, const char *name,
                    int64_t value, const char *track)
{
    mark(payload);
    cr_expect_eq(event.kind, kind, "%s", payload);
    cr_expect_eq(event.value, value, "%s", payload);
    is_words(event.name, name);
    is_words(event.other_name, track);
    cr_expect_eq(event.tid, 7);
}

Test(text_line, markers_are_parsed)
{
    is_mark("B|5|a|b", DJ_EVENT_BEGIN, "a|b", 0, "");
    cr_expect_eq(event.pid, 5);
    is_mark("B|5|", DJ_EVENT_BEGIN, "", 0, "");
    is_mark("E|5", DJ_EVENT_END, "", 0, "");
    is_mark("E", DJ_EVENT_END, "", 0, "");
    is_mark("I|5|tick", DJ_EVENT_INSTANT, "tick", 0, "");
    is_mark("C|5|queue|-3", DJ_EVENT_COUNTER, "queue", -3, "");
    is_mark("C|5|queue|3|cat", DJ_EVENT_COUNTER, "queue", 3, "");
    is_mark("S|5|a|b|9", DJ_EVENT_ASYNC_BEGIN, "a|b", 9, "");
    is_mark("F|5|a|9", DJ_EVENT_ASYNC_END, "a", 9, "");
    is_mark("G|5|track|n|8", DJ_EVENT_ASYNC_BEGIN, "n", 8, "track");
    is_mark("H|5|track|8", DJ_EVENT_ASYNC_END, "8", 8, "track");
    is_mark("H|5|track|n|8", DJ_EVENT_ASYNC_END, "n", 8, "track");
    is_mark("N|5|track|now", DJ_EVENT_INSTANT, "now", 0, "track");
    is_mark("trace_event_clock_sync: parent_ts=12.000005", DJ_EVENT_CLOCK, "mono",
            12000005000, "");
    is_mark("trace_event_clock_sync: realtime_ts=1700000000001", DJ_EVENT_CLOCK,
            "realtime", INT64_C(1700000000001000000), "");
}

Test(text_line, markers_under_other_names)
{
    read_line("a-7 [0] .... 1.0: 0: B|5|x");
    cr_expect_eq(event.kind, DJ_EVENT_BEGIN);
    read_line("a-7 [0] .... 1.0: 0xffffffff8109: E|5");
    cr_expect_eq(event.kind, DJ_EVENT_END);
    read_line("a-7 [0]100: print:  tracing_mark_write: B|5|x: y");
    cr_expect_eq(event.kind, DJ_EVENT_BEGIN);
    is_words(event.name, "x: y");
}

Test(text_line, broken_markers_are_ignored)
{
    static const char *const broken[] = {"C|5|queue", "C|5|queue|many", "S|5|a",
                                         "B",         "Q|5|a",          "BX|5",
                                         "G|5|track", "hello"};
    for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
        mark(broken[i]);
        cr_expect_eq(event.kind, DJ_EVENT_OTHER, "%s", broken[i]);
        cr_expect_eq(event.pid, -1, "%s", broken[i]);
    }
}
