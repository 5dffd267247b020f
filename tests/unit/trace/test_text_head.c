/* Tests the text before the event's name in layouts of trace-cmd, and placeholders for
 * names. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "trace/model/builder.h"
#include "trace/text/ftrace.h"
#include "trace/text/line.h"
#include "trace/text/numbers.h"

static struct dj_event event;
static struct dj_trace trace;

static void finish(void)
{
    dj_trace_finish(&trace);
}

TestSuite(text_head, .fini = finish);

static enum dj_text_line read_line(const char *line)
{
    return dj_text_line_read((struct dj_str){line, strlen(line)}, &event);
}

static bool is_words(struct dj_str words, const char *text)
{
    return dj_str_is(words, text);
}

/* Layout of trace-cmd report -l: the flags have no brackets. The time follows without a
 * space, unless it is in seconds or short. The fifth flag may be a digit. */
Test(text_head, the_latency_format_is_parsed)
{
    static const struct {
        const char *line, *task;
        int32_t tid, cpu;
        int64_t at_ns;
        int interrupted;
    } rows[] = {
        {" ui-main-18450   0.....2142687068873: x:   y", "ui-main", 18450, 0,
         2142687068873, 0},
        {"  <idle>-0       1d.h2.2142687647381: x:   y", "<idle>", 0, 1, 2142687647381,
         1},
        {"kworker/-7      12dN.312142687658858: x:   y", "kworker/", 7, 12, 2142687658858,
         0},
        {" perl-x--8       0d..212142687661482: x:   y", "perl-x-", 8, 0, 2142687661482,
         0},
        {"migratio-18      2d..3. 106439.675613: x:   y", "migratio", 18, 2,
         106439675613000, 0},
        {"a-1 0b-9       103dNs1..     9129931: x:   y", "a-1 0b", 9, 103, 9129931, 1},
        {"    grep-18443   0d..2.           0: x:   y", "grep", 18443, 0, 0, 0},
        {"  trunc-71       2d..2  2142.675613: x:   y", "trunc", 71, 2, 2142675613000, 0},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        enum dj_text_line read = read_line(rows[i].line);
        cr_assert(read == DJ_LINE_EVENT || read == DJ_LINE_COUNTED, "%s", rows[i].line);
        cr_expect(is_words(event.task, rows[i].task), "%s", rows[i].line);
        cr_expect_eq(event.tid, rows[i].tid, "%s", rows[i].line);
        cr_expect_eq(event.cpu, rows[i].cpu, "%s", rows[i].line);
        cr_expect_eq(event.at_ns, rows[i].at_ns, "%s: %lld", rows[i].line,
                     (long long)event.at_ns);
        cr_expect_eq(event.interrupted, rows[i].interrupted, "%s", rows[i].line);
        cr_expect(is_words(event.name, "x"), "%s", rows[i].line);
    }
}

/* systrace.py writes full names of processes. The kernel truncates names of Android
 * processes to the last 15 bytes, and names of programs to the first 15. */
Test(text_head, names_may_have_any_length)
{
    static const struct {
        const char *column, *task;
    } rows[] = {
        {"com.google.android.gms.persistent", ".gms.persistent"},
        {"com.google.android.apps.messaging:rcs_service-with-dashes-12",
         "-with-dashes-12"},
        {"com.example (debug) [2] build 7", "ug) [2] build 7"},
        {"/system/vendor/bin/hw/android.hardware.graphics.composer@2.1-service",
         "android.hardware.graphics.composer@2.1-service"},
        {"1234567890123456789012345678901234567890", "678901234567890"},
        {"a name with many spaces, which goes on", ", which goes on"},
        {"kworker/u16:3-events_unbound", "kworker/u16:3-events_unbound"},
        {"fifteen-bytes-x", "fifteen-bytes-x"},
    };
    static const char *const layouts[] = {"%s-1234 ( 1200) [001] d..3 10.000100: x: y",
                                          "   %s-1234  [001] .... 10.000100: x: y",
                                          "%s-1234 (-----) [001] 10.000100: x: y"};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        for (size_t k = 0; k < sizeof(layouts) / sizeof(layouts[0]); k++) {
            char line[256];
            snprintf(line, sizeof(line), layouts[k], rows[i].column);
            cr_assert_eq(read_line(line), DJ_LINE_EVENT, "%s", line);
            cr_expect(is_words(event.task, rows[i].task), "%s: %.*s", line,
                      (int)event.task.length, event.task.at);
            cr_expect_eq(event.tid, 1234, "%s", line);
            cr_expect_eq(event.cpu, 1, "%s", line);
            cr_expect_eq(event.at_ns, INT64_C(10000100000), "%s", line);
        }
    }
}

Test(text_head, text_similar_to_the_latency_format_is_refused)
{
    static const char *const lines[] = {
        /* With options -l -R, the end of the flags is ambiguous. */
        "a-1 0-0x252142687658858: x: y",
        "a-1 0d..",
        "a-1 d..2. 1.0: x: y",
        "a-1 0d..2.: x: y",
        "a-1 0d..2.soon: x: y",
        "a-1 0d..2.........5: x: y",
        "a-99999999999 0d..2. 1.0: x: y",
        "-1 0",
        "2026-11-22 10:20.3: it was: so"};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        cr_expect_eq(read_line(lines[i]), DJ_LINE_STRANGE, "%s", lines[i]);
    }
}

/* Layout of trace-cmd report --ts-diff. */
Test(text_head, times_since_the_previous_line_are_skipped)
{
    static const char *const lines[] = {
        "a-7 [000]21: (+578)   sched_wakeup_new:     work:9 [120] CPU:003",
        "a-7 [000]21:          sched_wakeup_new:     work:9 [120] CPU:003",
        "a-7 [000]21: (-12)    sched_wakeup_new:     work:9 [120] CPU:003",
        "a-7       0d..2.21: (+578508) sched_wakeup_new:     work:9 [120] CPU:003"};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        cr_assert_eq(read_line(lines[i]), DJ_LINE_COUNTED, "%s", lines[i]);
        cr_expect_eq(event.kind, DJ_EVENT_WAKE_NEW, "%s", lines[i]);
        cr_expect_eq(event.other, 9);
        cr_expect_eq(event.value, 3);
        cr_expect_eq(event.at_ns, 21);
    }
    cr_expect_eq(read_line("a-7 [000]21: (+57"), DJ_LINE_STRANGE);
    cr_expect_eq(read_line("a-7 [000]21: (+"), DJ_LINE_STRANGE);
}

static void build(const char *text)
{
    struct dj_error err = {0};
    struct dj_trace_builder built = {.trace = &trace};
    struct dj_ftrace_text reader = {.sink = {dj_builder_add_event, &built}};
    cr_assert_eq(dj_ftrace_text_read(&reader, text, strlen(text), &err), 0);
    cr_assert_eq(dj_ftrace_text_end(&reader, &err), 0);
    dj_ftrace_text_finish(&reader);
    cr_assert_eq(dj_builder_complete(&built, &err), 0, "%s", err.message);
}

/* A thread may have any name, and the kernel writes placeholders for names that it does
 * not know any more. */
Test(text_head, names_in_angle_brackets_may_be_real)
{
    build("<anon>-7 (7) [000] ...1 1.000001: tracing_mark_write: B|7|x\n"
          "<-8 (8) [000] ...1 1.000002: tracing_mark_write: B|8|x\n"
          "<...>-9 (9) [000] ...1 1.000003: tracing_mark_write: B|9|x\n"
          "<idle>-10 (9) [000] ...1 1.000004: tracing_mark_write: B|9|x\n"
          "<...>-7 (7) [000] ...1 1.000005: tracing_mark_write: E|7\n");
    cr_expect_str_eq(dj_trace_get_thread_name(&trace, 7), "<anon>");
    cr_expect_str_eq(dj_trace_get_thread_name(&trace, 8), "<");
    cr_expect_str_eq(dj_trace_get_thread_name(&trace, 9), "");
    cr_expect_str_eq(dj_trace_get_thread_name(&trace, 10), "");
}

/* If trace-cmd reports several instances, it writes the name of the instance before
 * each line. */
Test(text_head, names_of_instances_are_skipped)
{
    cr_expect_eq(read_line("an-instance-with-a-long-name:     RenderThread-100   "
                           "[000]5000000000000: x:   y"),
                 DJ_LINE_COUNTED);
    cr_expect(is_words(event.task, "RenderThread"));
    cr_expect_eq(event.tid, 100);
    cr_expect_eq(read_line("app:  fifteen-chars-x-156   [001]5: x:   y"),
                 DJ_LINE_COUNTED);
    cr_expect(is_words(event.task, "fifteen-chars-x"));
    cr_expect_eq(read_line("      n:  1-156   [001]5: x:   y"), DJ_LINE_COUNTED);
    cr_expect(is_words(event.task, "n:  1"), "a name of its own");
}
