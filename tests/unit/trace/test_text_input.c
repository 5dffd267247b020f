/*
 * Tests Chrome's JSON format with kernel text inside and outside of it, and HTML pages
 * that contain one of the two in compressed form.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "trace/model/builder.h"
#include "trace/text/input.h"

static struct dj_trace trace;
static struct dj_text_summary summary;
static uint64_t overlaps;

static void finish(void)
{
    dj_trace_finish(&trace);
}

TestSuite(text_input, .fini = finish);

static void read_pieces(const char *text, size_t length, size_t piece)
{
    struct dj_error err = {0};
    dj_trace_finish(&trace);
    struct dj_trace_builder built = {.trace = &trace};
    struct dj_event_sink sink = {dj_builder_add_event, &built};
    struct dj_chrome_events events = {.sink = sink};
    struct dj_text_input input = {.sink = sink, .events = &events};
    for (size_t at = 0; at < length; at += piece) {
        size_t rest = length - at < piece ? length - at : piece;
        cr_assert_eq(dj_text_input_read(&input, text + at, rest, &err), 0);
    }
    cr_assert_eq(dj_text_input_end(&input, &err), 0);
    cr_assert_eq(dj_chrome_events_flush(&events, &err), 0);
    summary = dj_text_input_get_summary(&input);
    overlaps = events.overlaps;
    dj_text_input_finish(&input);
    dj_chrome_events_finish(&events);
    cr_assert_eq(dj_builder_complete(&built, &err), 0, "%s", err.message);
}

static void read_all(const char *text)
{
    read_pieces(text, strlen(text), SIZE_MAX / 2);
}

static const struct dj_trace_slice *slice_named(const char *name)
{
    for (size_t i = 0; i < trace.slice_count; i++) {
        if (strcmp(trace.slices[i].name, name) == 0) {
            return &trace.slices[i];
        }
    }
    cr_assert_fail("no section is called %s", name);
    return NULL;
}

static void has_slice(const char *name, int64_t start_ns, int64_t end_ns, uint32_t depth)
{
    const struct dj_trace_slice *slice = slice_named(name);
    cr_expect_eq(slice->start_ns, start_ns, "%s: %lld", name, (long long)slice->start_ns);
    cr_expect_eq(slice->end_ns, end_ns, "%s: %lld", name, (long long)slice->end_ns);
    cr_expect_eq(slice->depth, depth, "%s: %u", name, slice->depth);
}

#define EVENTS                                                                           \
    "{\"ph\":\"M\",\"pid\":10,\"tid\":11,\"name\":\"thread_name\","                      \
    "\"args\":{\"name\":\"ui\"}},"                                                       \
    "{\"ph\":\"M\",\"pid\":10,\"name\":\"process_name\",\"args\":{\"name\":\"app\"}},"   \
    "{\"ph\":\"E\",\"ts\":9,\"pid\":10,\"tid\":11},"                                     \
    "{\"ph\":\"B\",\"ts\":1.5,\"pid\":10,\"tid\":11,\"name\":\"late\"},"                 \
    "{\"args\":{\"value\":-3,\"b\":{\"value\":9},\"x\":2.9},\"ph\":\"C\",\"ts\":4,"      \
    "\"pid\":10,\"tid\":11,\"name\":\"c\"},"                                             \
    "{\"ph\":\"b\",\"ts\":2,\"pid\":10,\"tid\":11,\"cat\":\"n\",\"id\":\"0x5\","         \
    "\"name\":\"load\"},"                                                                \
    "{\"ph\":\"e\",\"ts\":3.25,\"pid\":10,\"tid\":11,\"cat\":\"n\",\"id\":5,"            \
    "\"name\":\"load\"}"

static void has_events(void)
{
    cr_assert_eq(summary.unreadable, 0, "%s", summary.damage);
    cr_expect_eq(summary.events, 5);
    cr_assert_eq(trace.slice_count, 2);
    has_slice("late", 1500, 9000, 0);
    has_slice("load", 2000, 3250, 0);
    cr_expect(slice_named("load")->async);
    cr_expect_eq(slice_named("load")->cookie, 5);
    cr_assert_eq(trace.count_count, 2);
    cr_expect_str_eq(trace.counts[0].name, "c");
    cr_expect_eq(trace.counts[0].value, -3);
    cr_expect_str_eq(trace.counts[1].name, "c x");
    cr_expect_eq(trace.counts[1].value, 2);
    cr_expect_eq(trace.backwards, 0);
    cr_expect_str_eq(dj_trace_get_thread_name(&trace, 11), "ui");
    cr_expect_str_eq(dj_trace_get_process_name(&trace, 10), "app");
}

Test(text_input, events_in_any_order_are_read_in_pieces_of_any_size)
{
    static const char *const texts[] = {
        "[" EVENTS "]", " \n[ " EVENTS ",",
        "\xEF\xBB\xBF{\"traceEvents\":[" EVENTS "],\"displayTimeUnit\":\"ns\"}",
        "{\"a\":[{\"ph\":\"B\"}],\"traceEvents\":[" EVENTS "]}"};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        for (size_t piece = 1; piece <= strlen(texts[i]); piece += 1 + piece / 8) {
            read_pieces(texts[i], strlen(texts[i]), piece);
            has_events();
        }
    }
}

Test(text_input, complete_sections_nest_in_any_order)
{
    read_all("[{\"ph\":\"X\",\"ts\":10,\"dur\":5,\"pid\":1,\"tid\":1,\"name\":\"in\"},"
             "{\"ph\":\"X\",\"ts\":10,\"dur\":20,\"pid\":1,\"tid\":1,\"name\":\"out\"},"
             "{\"ph\":\"X\",\"ts\":15,\"dur\":15,\"pid\":1,\"tid\":1,\"name\":\"next\"},"
             "{\"ph\":\"X\",\"ts\":30,\"dur\":0,\"pid\":1,\"tid\":1,\"name\":\"none\"},"
             "{\"ph\":\"X\",\"ts\":30,\"dur\":1.001,\"pid\":1,\"tid\":1,"
             "\"name\":\"then\"},{}]");
    cr_assert_eq(summary.unreadable, 0, "%s", summary.damage);
    has_slice("out", 10000, 30000, 0);
    has_slice("in", 10000, 15000, 1);
    has_slice("next", 15000, 30000, 1);
    has_slice("then", 30000, 31001, 0);
    has_slice("none", 30000, 30000, 1);
    cr_expect_eq(trace.endings, 0);
    cr_expect_eq(slice_named("out")->self_ns, 0);
}

Test(text_input, overlapping_sections_are_shortened_and_counted)
{
    static const char format[] =
        "[{\"ph\":\"X\",\"ts\":10,\"dur\":10,\"pid\":1,\"tid\":1,\"name\":\"first\"},"
        "{\"ph\":\"X\",\"ts\":15,\"dur\":%s,\"pid\":1,\"tid\":1,\"name\":\"second\"}]";
    char text[sizeof(format) + 16];
    snprintf(text, sizeof(text), format, "10");
    read_all(text);
    has_slice("first", 10000, 20000, 0);
    has_slice("second", 15000, 20000, 1);
    cr_expect_eq(overlaps, 1);
    snprintf(text, sizeof(text), format, "6"); /* Durations are rounded. */
    read_all(text);
    has_slice("second", 15000, 20000, 1);
    cr_expect_eq(overlaps, 0);
}

Test(text_input, equal_thread_ids_in_two_processes_are_two_threads)
{
    read_all("[{\"ph\":\"B\",\"ts\":1,\"pid\":1,\"tid\":1,\"name\":\"a\"},"
             "{\"ph\":\"B\",\"ts\":2,\"pid\":2,\"tid\":1,\"name\":\"b\"},"
             "{\"ph\":\"B\",\"ts\":3,\"pid\":2,\"tid\":\"main\",\"name\":\"c\"},"
             "{\"ph\":\"E\",\"ts\":4,\"pid\":1,\"tid\":1},"
             "{\"ph\":\"E\",\"ts\":5,\"pid\":2,\"tid\":1}]");
    has_slice("a", 1000, 4000, 0);
    has_slice("b", 2000, 5000, 0);
    cr_expect(slice_named("c")->open);
    cr_expect_eq(slice_named("a")->tid, 1);
    cr_expect_gt(slice_named("b")->tid, 1 << 22);
    cr_expect_neq(slice_named("b")->tid, slice_named("c")->tid);
}

/* Perfetto's importer and Chrome accept these forms. */
Test(text_input, forms_of_other_programs_are_accepted)
{
    read_all(
        "[{\"ph\":\"XXX\",\"ts\":5.1,\"dur\":500.1,\"pid\":\"foo\",\"tid\":"
        "\"bar\",\"name\":\"exec\"},"
        "{\"ph\":\"X\",\"ts\":1,\"dur\":5,\"pid\":1,\"name\":\"child\"},"
        "{\"ph\":\"X\",\"ts\":1,\"dur\":10,\"pid\":1,\"tid\":1,"
        "\"name\":\"parent\"},"
        "{\"ph\":\"C\",\"ts\":7,\"pid\":1,\"name\":\"c\",\"args\":{\"a\":\".75\","
        "\"b\":\"246.\",\"d\":\"050\",\"e\":\"+10.5\",\"f\":\"1.5e\",\"g\":\"-\"}}]");
    cr_assert_eq(summary.unreadable, 0, "%s", summary.damage);
    has_slice("exec", 5100, 505200, 0);
    cr_expect_str_eq(dj_trace_get_thread_name(&trace, slice_named("exec")->tid), "bar");
    has_slice("parent", 1000, 11000, 0);
    has_slice("child", 1000, 6000, 1);
    cr_assert_eq(trace.count_count, 4);
    for (size_t i = 0; i < 4; i++) {
        static const int64_t values[] = {0, 246, 50, 10};
        cr_expect_eq(trace.counts[i].value, values[i]);
    }
}

Test(text_input, async_sections_may_end_in_other_processes_unless_local)
{
    static const char format[] =
        "[{\"ph\":\"b\",\"ts\":1,\"pid\":2,\"tid\":2,\"cat\":\"r\",%s,\"name\":\"E\"},"
        "{\"ph\":\"e\",\"ts\":2,\"pid\":3,\"tid\":4,\"cat\":\"r\",%s,\"name\":\"E\"}]";
    static const char *const ids[] = {"\"id\":\"1a\"", "\"id2\":{\"local\":\"1\"}"};
    for (size_t i = 0; i < 2; i++) {
        char text[sizeof(format) + 64];
        snprintf(text, sizeof(text), format, ids[i], ids[i]);
        read_all(text);
        cr_expect_eq(slice_named("E")->open, i == 1);
        cr_expect_eq(trace.endings, i);
        cr_expect_eq(dj_trace_find_thread_at(&trace, 4, 0)->pid, 3);
    }
}

Test(text_input, missing_fields_are_reported_with_their_place)
{
    read_all("[{\"ph\":\"B\",\"ts\":1,\"tid\":1,\"name\":\"a\"},{\"ph\":\"E\",\"tid\":1},"
             "{\"ts\":1},{\"ph\":\"X\",\"ts\":1,\"dur\":-1}]");
    cr_expect_eq(summary.events, 1);
    cr_expect_eq(summary.unreadable, 3);
    cr_expect_str_eq(summary.damage, "byte 55: expected a time in microseconds (ts)");
}

Test(text_input, stamps_in_any_number_format_become_nanoseconds)
{
    read_all("[{\"ph\":\"B\",\"ts\":1234567890123456.789,\"tid\":1,\"name\":\"a\"},"
             "{\"ph\":\"B\",\"ts\":1.5e3,\"tid\":2,\"name\":\"b\"},"
             "{\"ph\":\"B\",\"ts\":-2.5,\"tid\":3,\"name\":\"c\"},"
             "{\"ph\":\"B\",\"ts\":\"7.25\",\"tid\":4,\"name\":\"d\"},"
             "{\"ph\":\"B\",\"ts\":1e300,\"tid\":4,\"name\":\"e\"}]");
    cr_expect_eq(slice_named("a")->start_ns, 1234567890123456789);
    cr_expect_eq(slice_named("b")->start_ns, 1500000);
    cr_expect_eq(slice_named("c")->start_ns, -2500);
    cr_expect_eq(slice_named("d")->start_ns, 7250);
    cr_expect_eq(summary.unreadable, 1);
}

Test(text_input, chromes_clock_is_reported)
{
    read_all("{\"traceEvents\":[" EVENTS
             "],\"metadata\":{\"clock-domain\":\"LINUX_CLOCK_MONOTONIC\"}}");
    cr_expect(trace.clock.known);
    cr_expect_eq(trace.clock.to_mono_ns, 0);
}

#define LINE(at, words) "a-11 (10) [000] ...1 0.0000" at ": tracing_mark_write: " words
#define KERNEL                                                                           \
    "\"# tracer: nop\\n" LINE("05", "B|10|kernel \\\"\\u00e9\\\"") "\\n" LINE(           \
        "07", "E|10") "\\n\""

Test(text_input, kernel_text_is_merged_into_the_events)
{
    static const char *const texts[] = {
        "{\"traceEvents\":[" EVENTS "],\"systemTraceEvents\":" KERNEL
        ",\"controllerTraceDataKey\":\"systraceController\"}",
        "{\"systemTraceEvents\":" KERNEL ",\"androidProcessDump\":"
        "\"USER PID PPID VSZ RSS WCHAN ADDR S NAME\\nu0 10 1 0 0 0 0 S com.app\\n\"}"};
    for (size_t i = 0; i < 2; i++) {
        for (size_t piece = 1; piece <= strlen(texts[i]); piece += 1 + piece / 8) {
            read_pieces(texts[i], strlen(texts[i]), piece);
            cr_assert_eq(summary.unreadable, 0, "%s", summary.damage);
            has_slice("kernel \"\xc3\xa9\"", 5000, 7000, i == 0 ? 1 : 0);
            cr_expect_eq(trace.backwards, 0);
            cr_expect_eq(trace.slice_count, i == 0 ? 3 : 1);
            cr_expect_str_eq(dj_trace_get_process_name(&trace, 10),
                             i == 0 ? "app" : "com.app");
        }
    }
}

Test(text_input, a_damaged_line_of_embedded_text_is_reported_by_number)
{
    read_all("{\"systemTraceEvents\":\"# tracer: nop\\n" LINE(
        "05", "B|10|x") "\\nnonsense\\n\"}");
    cr_expect_eq(summary.unreadable, 1);
    cr_expect_eq(summary.first_unreadable_line, 0);
    cr_expect_str_eq(summary.damage, "line 3 of systemTraceEvents");
}

Test(text_input, fuchsias_system_events_are_ignored)
{
    read_all("{\"traceEvents\":[" EVENTS "],\"systemTraceEvents\":{\"type\":\"fuchsia\","
             "\"events\":[{\"ph\":\"p\",\"pid\":1}]}}");
    has_events();
}

Test(text_input, a_name_in_brackets_is_not_json)
{
    read_all("[a]-7 (5) [000] ...1 1.000001: tracing_mark_write: B|5|x\n");
    cr_expect_eq(summary.events, 1);
    cr_expect_eq(trace.slice_count, 1);
}

/* Base64 of "[{"ph":"B","ts":1,"pid":1,"tid":1,"name":"x"}]", not compressed. */
#define PLAIN "W3sicGgiOiJCIiwidHMiOjEsInBpZCI6MSwidGlkIjoxLCJuYW1lIjoieCJ9XQ=="
#define PAGE(data)                                                                       \
    "<!DOCTYPE html>\n<html><script>var a = '<script id=\"viewer-data\" ' + "            \
    "1;</script>\n"                                                                      \
    "<script id=\"viewer-data\" type=\"application/json\">\n" data

Test(text_input, a_page_contains_base64)
{
    static const char text[] = PAGE(PLAIN) "\n</script>\n</html>\n";
    for (size_t piece = 1; piece < sizeof(text); piece += 1 + piece / 8) {
        read_pieces(text, sizeof(text) - 1, piece);
        cr_assert_eq(summary.unreadable, 0, "%s", summary.damage);
        cr_assert_eq(trace.slice_count, 1);
        cr_expect_str_eq(trace.slices[0].name, "x");
    }
}

Test(text_input, invalid_base64_is_reported)
{
    read_all(PAGE("W3si*cGgi\n</script>\n"));
    cr_expect_eq(summary.events, 0);
    cr_expect_str_eq(
        summary.damage,
        "character 4 of the page's base64 data: expected a base64 character");
    read_all(PAGE(PLAIN));
    cr_expect_eq(summary.events, 1);
    cr_expect_eq(summary.unreadable, 1); /* The end of the page is missing. */
}

Test(text_input, scripts_in_pages_may_have_long_lines)
{
    static char page[(1 << 20) + 4096];
    int length = snprintf(page, sizeof(page), "<html>\n");
    memset(page + length, 'x', (1 << 20) + 1);
    snprintf(page + length + (1 << 20) + 1, 2048,
             "\n<script class=\"trace-data\" "
             "type=\"application/text\">\n%s\n  </script>\n",
             LINE("05", "B|10|x"));
    read_all(page);
    cr_expect_eq(summary.unreadable, 0);
    cr_expect_eq(trace.slice_count, 1);
}
