/* Tests whole texts: plain texts, pages of systrace, texts in pieces, and damaged
 * texts. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "trace/model/builder.h"
#include "trace/text/ftrace.h"

static struct dj_trace trace;
static struct dj_text_summary summary;

static void finish(void)
{
    dj_trace_finish(&trace);
}

TestSuite(ftrace_text, .fini = finish);

static void read_pieces(const char *text, size_t length, size_t piece)
{
    struct dj_error err = {0};
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

static const char two[] = "# tracer: nop\n"
                          "# entries-in-buffer/entries-written: 2/7   #P:1\n\n"
                          "a-7 (5) [000] ...1 1.000001: tracing_mark_write: B|5|one\n"
                          "a-7 (5) [000] ...1 1.000004: tracing_mark_write: E|5";

static void has_one(void)
{
    cr_assert_eq(trace.slice_count, 1);
    cr_expect_str_eq(trace.slices[0].name, "one");
    cr_expect_eq(trace.slices[0].start_ns, 1000001000);
    cr_expect_eq(trace.slices[0].end_ns, 1000004000);
    cr_assert_eq(trace.thread_count, 1);
    cr_expect_eq(trace.threads[0].pid, 5);
    cr_expect_str_eq(trace.threads[0].name, "a");
}

Test(ftrace_text, pieces_of_any_size_give_the_same_events)
{
    for (size_t piece = 1; piece < sizeof(two); piece++) {
        read_pieces(two, sizeof(two) - 1, piece);
        has_one();
        cr_expect(summary.events == 2 && summary.entries == 2 && summary.written == 7);
        cr_expect_eq(summary.unreadable, 0);
        dj_trace_finish(&trace);
    }
}

Test(ftrace_text, a_current_page_is_read)
{
    read_all("<!DOCTYPE html>\n<script>\n a-7 (5) [000] ...1 1.0: no: trace\n</script>\n"
             "<!-- BEGIN TRACE -->\n"
             "  <script class=\"trace-data\" type=\"application/text\">\nPROCESS DUMP\n"
             "USER PID\na-7 (5) [000] ...1 1.0: no: trace\n  </script>\n"
             "  <script class=\"trace-data\" type=\"application/text\">\r\n"
             "a-7 (5) [000] ...1 1.000001: tracing_mark_write: B|5|one\r\n"
             "a-7 (5) [000] ...1 1.000004: tracing_mark_write: E|5\r\n"
             "  </script>\n</html>\n");
    has_one();
    cr_expect_eq(summary.events, 2);
    cr_expect_eq(summary.unreadable, 0);
}

/* If a trace in a page has no line end at its end, the end of the page follows in the
 * same line. */
Test(ftrace_text, a_trace_without_a_last_line_end_is_read)
{
    read_all(
        "<!DOCTYPE html>\n<script class=\"trace-data\">\n"
        "a-7 (5) [000] ...1 1.000001: tracing_mark_write: B|5|one\n"
        "a-7 (5) [000] ...1 1.000004: tracing_mark_write: E|5  </script></body>\n"
        "<script class=\"trace-data\">\n{\"traceEvents\": []}</script>\r\n</html>\n");
    has_one();
    cr_expect_eq(summary.events, 2);
    cr_expect_eq(summary.unreadable, 0);
}

Test(ftrace_text, a_truncated_page_is_damaged)
{
    read_all("<!DOCTYPE html>\n<script class=\"trace-data\">\n"
             "a-7 (5) [000] ...1 1.000001: tracing_mark_write: B|5|one\n"
             "a-7 (5) [000] ...1 1.000004: tracing_mark_write: E|5\n");
    has_one();
    cr_expect_eq(summary.unreadable, 1);
    cr_expect_eq(summary.first_unreadable_line, 5);
}

Test(ftrace_text, a_page_of_2012_is_read)
{
    read_all("<!DOCTYPE html>\n  <script>\n  var linuxPerfData = \"\\\n"
             "# tracer: nop\\n\\\n"
             "a-7 (5) [000] ...1 1.000001: 0: B|5|one\\n\\\n"
             "a-7 (5) [000] ...1 1.000004: 0: E|5\\n\\\n"
             "         \\n\";\n  </script>\n");
    has_one();
    cr_expect_eq(summary.unreadable, 0);
}

Test(ftrace_text, raw_fields_of_trace_cmd_are_read)
{
    read_all("a-7 [000] 1.000001: print:  ip=tracing_mark_write buf=B|5|one\n"
             "a-7 [000] 1.000004: print:  ip=0xffffffff81498b1a buf=E|5\n");
    has_one();
    cr_expect_eq(summary.unreadable, 0);
}

/* systrace.py wrote one more line at the end of its pages. This line is not part of the
 * recording. */
Test(ftrace_text, the_last_line_of_a_page_of_2012_is_ignored)
{
    read_all("<!DOCTYPE html>\n  <script>\n  var linuxPerfData = \"\\\n"
             "a-7 (5) [000] ...1 1.000001: 0: B|5|one\\n\\\n"
             "a-7 (5) [000] ...1 1.000004: 0: E|5\\n\\\n"
             "           dummy-0000  [000] 0.0: 0: trace_event_clock_sync: "
             "parent_ts=0.0\\n\";\n  </script>\n");
    has_one();
    cr_expect_eq(trace.first_ns, 1000001000);
    cr_expect_not(trace.clock.known);
    cr_expect_eq(summary.unreadable, 0);
}

Test(ftrace_text, a_page_of_2012_may_have_a_separate_last_line)
{
    read_all("<!DOCTYPE html>\n  <script>\n  var linuxPerfData = \"\\\n"
             "a-7 (5) [000] ...1 1.000001: 0: B|5|one\\n\\\n"
             "a-7 (5) [000] ...1 1.000004: 0: E|5\\n\\\n"
             "\";\n  </script>\n");
    has_one();
    cr_expect_eq(summary.unreadable, 0);
}

Test(ftrace_text, a_byte_order_mark_is_ignored)
{
    read_all("\xEF\xBB\xBF# tracer: nop\n"
             "a-7 (5) [000] ...1 1.000001: 0: B|5|one\n"
             "a-7 (5) [000] ...1 1.000004: 0: E|5\n");
    has_one();
    cr_expect_eq(summary.unreadable, 0);
}

/* Some pages escape quotes and backslashes, most pages do not. */
Test(ftrace_text, escapes_in_a_page_of_2012_are_removed)
{
    read_all("<!DOCTYPE html>\n  <script>\n  var linuxPerfData = \"\\\n"
             "a-7 (5) [000] ...1 1.000001: 0: B|5|a\\\"b\\\\c\\/d\\qe\"f\\n\\\n"
             "a-7 (5) [000] ...1 1.000004: 0: E|5\\n\";\n"
             "a-7 (5) [000] ...1 2.000004: 0: B|5|behind\n  </script>\n");
    cr_assert_eq(trace.slice_count, 1);
    cr_expect_str_eq(trace.slices[0].name, "a\"b\\c/d\\qe\"f");
    cr_expect_not(trace.slices[0].open);
    cr_expect_eq(summary.unreadable, 0);
}

Test(ftrace_text, unreadable_lines_are_counted_and_affect_no_others)
{
    read_all("capturing trace... done\nTRACE:\n"
             "a-7 (5) [000] ...1 1.000001: tracing_mark_write: B|5|one\n"
             "\x01\xff nothing\nand this\n"
             "a-7 (5) [000] ...1 1.000004: tracing_mark_write: E|5\n");
    has_one();
    cr_expect_eq(summary.unreadable, 2);
    cr_expect_eq(summary.first_unreadable_line, 4);
}

Test(ftrace_text, a_line_without_end_is_one_unreadable_line)
{
    static char text[3 << 20];
    size_t length = sizeof(text) - 100;
    memset(text, 'x', length);
    length += (size_t)snprintf(text + length, 100,
                               "\na-7 (5) [000] ...1 1.0: tracing_mark_write: B|5|one\n");
    read_pieces(text, length, 4096);
    cr_expect_eq(summary.events, 1);
    cr_expect_eq(summary.unreadable, 1);
    cr_expect_eq(summary.first_unreadable_line, 1);
}

Test(ftrace_text, sections_belong_to_threads_and_async_sections_to_processes)
{
    read_all("a-7 (5) [0] ...1 1.0: tracing_mark_write: B|5|outer\n"
             "b-8 (6) [1] ...1 1.1: tracing_mark_write: E|6\n"
             "a-7 (5) [0] ...1 1.2: tracing_mark_write: S|5|load|1\n"
             "b-8 (6) [1] ...1 1.3: tracing_mark_write: S|6|load|1\n"
             "b-9 (5) [1] ...1 1.4: tracing_mark_write: F|5|load|1\n"
             "a-7 (5) [0] ...1 1.5: tracing_mark_write: G|5|track|name|1\n"
             "a-7 (5) [0] ...1 1.6: tracing_mark_write: H|5|track|1\n");
    cr_assert_eq(trace.slice_count, 4);
    cr_expect(trace.slices[0].open);
    cr_expect_eq(trace.endings, 1);
    cr_expect_str_eq(trace.slices[1].name, "load");
    cr_expect_eq(trace.slices[1].end_ns, 1400000000);
    cr_expect_eq(trace.slices[1].end_tid, 9);
    cr_expect(trace.slices[2].open);
    cr_expect_str_eq(trace.slices[3].name, "name");
    cr_expect_not(trace.slices[3].open);
}

Test(ftrace_text, many_threads_and_names_are_stored)
{
    struct dj_error err = {0};
    struct dj_trace_builder built = {.trace = &trace};
    struct dj_ftrace_text reader = {.sink = {dj_builder_add_event, &built}};
    enum { THREADS = 100000 };
    for (int i = 1; i <= THREADS; i++) {
        char line[120];
        int length =
            snprintf(line, sizeof(line),
                     "t%d-%d [000] .... 1.0: tracing_mark_write: B|1|name %d\n", i, i, i);
        cr_assert_eq(dj_ftrace_text_read(&reader, line, (size_t)length, &err), 0);
    }
    dj_ftrace_text_finish(&reader);
    cr_assert_eq(dj_builder_complete(&built, &err), 0);
    cr_assert_eq(trace.thread_count, THREADS);
    cr_expect_eq(trace.threads[THREADS - 1].tid, THREADS);
    cr_expect_str_eq(trace.slices[THREADS - 1].name, "name 100000");
}

/* No event reports the change of the name. Each switch contains the current names of
 * both threads. */
Test(ftrace_text, threads_have_the_name_of_their_last_switch)
{
    read_all("late-7 (5) [000] d..3 1.000000: sched_switch: prev_comm=early prev_pid=7 "
             "prev_prio=120 prev_state=S ==> next_comm=early next_pid=8 next_prio=120\n"
             "late-8 (5) [000] d..3 1.000100: sched_switch: prev_comm=helper prev_pid=8 "
             "prev_prio=120 prev_state=S ==> next_comm=late next_pid=7 next_prio=120\n");
    cr_expect_str_eq(dj_trace_get_thread_name(&trace, 7), "late");
    cr_expect_str_eq(dj_trace_get_thread_name(&trace, 8), "helper");
}

/* Returns the runnable state of thread 5 after it was woken. `wake` is the time of the
 * wakeup, and `between` contains the lines before it. */
static const struct dj_trace_state *woken(const char *between, const char *wake)
{
    char text[1024];
    snprintf(text, sizeof(text),
             "a-5 [000] 1.000000: hrtimer_start: hrtimer=1 function=f "
             "expires=1010050000 softexpires=1010000000\n"
             "a-5 [000] 1.000010: sched_switch: a:5 [120] S ==> b:7 [120]\n"
             "%s"
             "b-7 [000] %s: sched_waking: comm=a pid=5 prio=120 target_cpu=000\n",
             between, wake);
    dj_trace_finish(&trace);
    trace = (struct dj_trace){0};
    read_all(text);
    for (size_t i = 0; i < trace.state_count; i++) {
        if (trace.states[i].tid == 5 && trace.states[i].state == DJ_THREAD_RUNNABLE) {
            return &trace.states[i];
        }
    }
    cr_assert_fail("thread 5 was not woken");
    return NULL;
}

Test(ftrace_text, without_flags_interrupt_events_mark_interrupts)
{
    const char *irq = "b-7 [000] 1.004000: irq_handler_entry: irq=9 name=disk\n";
    const char *over = "b-7 [000] 1.004000: irq_handler_entry: irq=9 name=disk\n"
                       "b-7 [000] 1.004500: irq_handler_exit: irq=9 ret=handled\n";
    const char *other = "c-8 [001] 1.004000: softirq_entry: vec=4 [action=BLOCK]\n";
    cr_expect(woken(irq, "1.004100")->interrupted);
    cr_expect_not(woken(over, "1.004600")->interrupted);
    cr_expect_not(woken(other, "1.004600")->interrupted);
    cr_expect(summary.without_flags);
}

Test(ftrace_text, without_flags_a_sleep_ends_when_its_timer_expires)
{
    cr_expect(woken("", "1.010060")->interrupted);
    cr_expect_eq(woken("", "1.010060")->waker, 7);
    cr_expect_not(woken("", "1.004000")->interrupted);
    cr_expect_not(woken("", "1.200000")->interrupted);
    const char *late = "a-5 [000] 1.000020: sched_switch: a:5 [120] R ==> b:7 [120]\n"
                       "b-7 [000] 1.001000: sched_switch: b:7 [120] R ==> a:5 [120]\n"
                       "a-5 [000] 1.006000: sched_switch: a:5 [120] S ==> b:7 [120]\n";
    cr_expect_not(woken(late, "1.010060")->interrupted);
    /* After a thread was woken by another thread, its timer no longer counts. */
    const char *before = "b-7 [000] 1.004000: sched_waking: comm=a pid=5 prio=120 "
                         "target_cpu=000\n"
                         "b-7 [000] 1.004010: sched_switch: b:7 [120] S ==> a:5 [120]\n"
                         "a-5 [000] 1.004020: sched_switch: a:5 [120] S ==> b:7 [120]\n";
    woken(before, "1.010060");
    cr_expect_not(trace.states[trace.state_count - 1].interrupted);
}

Test(ftrace_text, without_flags_a_timer_of_the_scheduler_replaces_no_timer_of_a_thread)
{
    const char *budget = "a-5 [000] 1.000010: hrtimer_start: hrtimer=2 "
                         "function=dl_task_timer expires=9000000000 "
                         "softexpires=9000000000 mode=ABS|HARD was_armed=0\n";
    cr_expect(woken(budget, "1.010060")->interrupted);
}

Test(ftrace_text, without_flags_wakeups_on_an_idle_cpu_are_interrupts)
{
    read_all("a-5 [000] 1.000010: sched_switch: a:5 [120] S ==> swapper/0:0 [120]\n"
             "<idle>-0 [000] 1.2: sched_waking: comm=a pid=5 prio=120 target_cpu=000\n"
             "<idle>-0 [000] 1.3: sched_switch: swapper/0:0 [120] R ==> a:5 [120]\n");
    bool seen = false;
    for (size_t i = 0; i < trace.state_count; i++) {
        seen |= trace.states[i].interrupted;
    }
    cr_expect(seen);
}

Test(ftrace_text, flags_have_priority)
{
    read_all("b-7 [000] d..1 1.0: irq_handler_entry: irq=9 name=disk\n"
             "b-7 [000] d..1 1.1: sched_waking: comm=a pid=5 prio=120 target_cpu=000\n");
    cr_expect_not(summary.without_flags);
    for (size_t i = 0; i < trace.state_count; i++) {
        cr_expect_not(trace.states[i].interrupted);
    }
}
