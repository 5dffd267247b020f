/* Tests the reader of simpleperf's report with hand-made records. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "pf_bytes.h"
#include "trace/model/builder.h"
#include "trace/perf/report_sample.h"

static struct pf file;
static struct dj_trace trace;
static struct dj_report_sample_summary summary;

static void add_bytes(const char *bytes, size_t length)
{
    memcpy(file.bytes + file.length, bytes, length);
    file.length += length;
}

static void add_size(uint32_t size)
{
    const char bytes[] = {(char)size, (char)(size >> 8), (char)(size >> 16),
                          (char)(size >> 24)};
    add_bytes(bytes, sizeof(bytes));
}

static void start(void)
{
    trace.keep_samples = true;
    add_bytes("SIMPLEPERF\1\0", 12);
}

static void finish(void)
{
    dj_trace_finish(&trace);
}

TestSuite(report_sample, .init = start, .fini = finish);

static int read_file(struct dj_error *err)
{
    const struct dj_trace_file bytes = {.bytes = (const uint8_t *)file.bytes,
                                        .size = file.length};
    struct dj_trace_builder build = {.trace = &trace};
    const struct dj_event_sink sink = {dj_builder_add_event, &build};
    int code = dj_report_sample_read(&bytes, sink, &summary, err);
    if (code != 0) {
        dj_builder_finish(&build);
        return code;
    }
    return dj_builder_complete(&build, err);
}

static void add_record(uint32_t kind, struct pf *body)
{
    struct pf record = {0};
    pf_message(&record, kind, body);
    add_size((uint32_t)record.length);
    add_bytes((const char *)record.bytes, record.length);
}

static void add_meta(const char *first, const char *second)
{
    struct pf body = {0};
    pf_string(&body, 1, first);
    pf_string(&body, 1, second);
    pf_string(&body, 2, "com.example");
    add_record(5, &body);
}

static void add_sample(int64_t at_ns, int event, int64_t count, int symbol)
{
    struct pf body = {0}, inner = {0}, outer = {0};
    pf_int(&body, 1, at_ns);
    pf_int(&body, 2, 8);
    pf_int(&inner, 1, 0x100);
    pf_int(&inner, 2, 3);
    pf_int(&inner, 3, symbol);
    pf_message(&body, 3, &inner);
    pf_int(&outer, 1, 0x200);
    pf_int(&outer, 2, 3);
    pf_int(&outer, 3, 1);
    pf_message(&body, 3, &outer);
    pf_int(&body, 4, count);
    pf_int(&body, 5, event);
    add_record(1, &body);
}

static void add_names(void)
{
    struct pf binary = {0}, thread = {0};
    pf_int(&binary, 1, 3);
    pf_string(&binary, 2, "/lib/a.so");
    pf_string(&binary, 3, "draw");
    pf_string(&binary, 3, "main");
    add_record(3, &binary);
    pf_int(&thread, 1, 8);
    pf_int(&thread, 2, 7);
    pf_string(&thread, 3, "render");
    add_record(4, &thread);
}

static const struct dj_calls_function *get_function(size_t sample, bool caller)
{
    uint32_t node = trace.samples[sample].node;
    node = caller ? trace.calls.nodes[node].parent : node;
    return &trace.calls.functions[trace.calls.nodes[node].function];
}

Test(report_sample, names_after_the_samples_are_used)
{
    add_meta("cpu-clock", "cpu-clock");
    add_sample(2000, 0, 500, -1);
    add_sample(1000, 0, 500, 0);
    add_names();
    add_size(0);
    cr_assert_eq(read_file(NULL), 0);
    cr_assert_eq(trace.sample_count, 2);
    cr_expect(trace.samples[0].at_ns == 1000 && trace.samples[0].ns == 500);
    cr_expect(trace.samples[0].tid == 8 && trace.samples[0].pid == 7);
    cr_expect_str_eq(get_function(0, false)->name, "draw");
    cr_expect_str_eq(get_function(0, false)->module, "/lib/a.so");
    cr_expect_str_eq(get_function(0, true)->name, "main");
    cr_expect_str_eq(get_function(1, false)->name, "a.so!0x100");
    cr_expect_str_eq(dj_trace_get_thread_name(&trace, 8), "render");
    cr_expect(!trace.clock.known && summary.damaged == 0 && summary.events == 2);
}

Test(report_sample, only_the_best_event_shows_time)
{
    add_meta("instructions", "cpu-cycles:u");
    add_sample(1000, 0, 500, 0);
    add_sample(2000, 1, 500, 0);
    add_sample(3000, 7, 500, 0);
    add_size(0);
    cr_assert_eq(read_file(NULL), 0);
    cr_assert_eq(trace.sample_count, 1);
    cr_expect(trace.samples[0].at_ns == 2000 && trace.samples[0].ns == 0);
}

Test(report_sample, switches_are_states_and_losses_are_counted)
{
    struct pf on = {0}, off = {0}, lost = {0};
    pf_int(&on, 1, 1);
    pf_int(&on, 2, 1000);
    pf_int(&on, 3, 8);
    pf_int(&off, 2, 5000);
    pf_int(&off, 3, 8);
    pf_int(&lost, 1, 10);
    pf_int(&lost, 2, 4);
    add_record(6, &off);
    add_record(6, &on);
    add_record(2, &lost);
    add_size(0);
    cr_assert_eq(read_file(NULL), 0);
    cr_assert_geq(trace.state_count, 1);
    cr_expect(trace.states[0].state == DJ_THREAD_RUNNING && trace.states[0].tid == 8);
    cr_expect(trace.states[0].start_ns == 1000 && trace.states[0].end_ns == 5000);
    cr_expect_eq(trace.samples_lost, 4);
}

Test(report_sample, only_what_is_passed_on_is_counted)
{
    struct pf nobody = {0}, lost = {0};
    add_meta("page-faults", "cpu-clock");
    add_sample(1000, 0, 1, 0);
    pf_int(&nobody, 1, 1);
    pf_int(&nobody, 2, 1000);
    add_record(6, &nobody);
    pf_int(&lost, 2, 4);
    add_record(2, &lost);
    add_size(0);
    cr_assert_eq(read_file(NULL), 0);
    cr_expect_eq(summary.events, 0);
    cr_expect_eq(summary.unused, 1);
    cr_expect_eq(summary.lost, 4);
    cr_expect(trace.sample_count == 0 && trace.samples_lost == 4);
}

Test(report_sample, damage_has_a_place_and_the_rest_is_read)
{
    struct dj_error err = {0};
    add_meta("cpu-clock", "x");
    size_t at = file.length;
    add_size(3);
    add_bytes("\x0a\x7f\x01", 3);
    add_sample(1000, 0, 500, 0);
    add_size(1000);
    cr_assert_eq(read_file(&err), 0);
    char expected[64];
    snprintf(expected, sizeof(expected), "byte %zu: expected a record", at + 4);
    cr_expect_eq(strncmp(summary.damage, expected, strlen(expected)), 0, "%s",
                 summary.damage);
    cr_expect(summary.damaged == 2 && trace.sample_count == 1);
}

Test(report_sample, a_file_without_its_end_is_damaged)
{
    add_meta("cpu-clock", "x");
    cr_assert_eq(read_file(NULL), 0);
    cr_expect_eq(summary.damaged, 1);
}

Test(report_sample, other_versions_are_refused)
{
    struct dj_error err = {0};
    file.bytes[10] = 2;
    cr_expect(dj_report_sample_sniff((const char *)file.bytes, file.length));
    cr_expect_not(dj_report_sample_sniff((const char *)file.bytes, 11));
    cr_assert_eq(read_file(&err), DJ_E_UNSUPPORTED);
    cr_expect_str_eq(err.message,
                     "byte 10: expected version 1 of simpleperf's report, found 2");
}
