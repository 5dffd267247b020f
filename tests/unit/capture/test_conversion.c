/* Cuts packets and text of a device to spans of time. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/android/config_writer.h"
#include "capture/android/conversion.h"
#include "trace/read.h"

#define SLEPT_NS INT64_C(1000000000000)
#define MS INT64_C(1000000)

static char folder[] = "/tmp/dejank-shape-XXXXXX";
static char in[64], out[64];
static struct dj_text bytes;
static struct dj_config_writer writer;
static struct dj_keep keep;
static struct dj_capture_converted converted;
static struct dj_error err;

static void setup(void)
{
    cr_assert_not_null(mkdtemp(folder));
    snprintf(in, sizeof(in), "%s/in", folder);
    snprintf(out, sizeof(out), "%s/out", folder);
    writer = (struct dj_config_writer){.out = &bytes, .binary = true};
    err = (struct dj_error){0};
}

static void teardown(void)
{
    char command[80];
    dj_text_finish(&bytes);
    dj_janky_keep_finish(&keep);
    snprintf(command, sizeof(command), "rm -rf %s", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(android_shape, .init = setup, .fini = teardown);

static void write_clock(uint32_t id, int64_t at_ns)
{
    dj_config_writer_open(&writer, 1, "");
    dj_config_writer_int(&writer, 1, "", id);
    dj_config_writer_int(&writer, 2, "", (uint64_t)at_ns);
    dj_config_writer_close(&writer);
}

static void write_snapshot(int64_t mono_ns)
{
    dj_config_writer_open(&writer, 1, "packet");
    dj_config_writer_open(&writer, 6, "clock_snapshot");
    write_clock(3, mono_ns);
    write_clock(6, mono_ns + SLEPT_NS);
    dj_config_writer_close(&writer);
    dj_config_writer_close(&writer);
}

/* Writes a bundle of a CPU that contains one section of thread 42, with a duration of
 * 1 ms. */
static void write_bundle(int64_t mono_ns, uint64_t cpu)
{
    static const char *const texts[] = {"B|42|work\n", "E|42\n"};
    dj_config_writer_open(&writer, 1, "packet");
    dj_config_writer_open(&writer, 1, "ftrace_events");
    dj_config_writer_int(&writer, 1, "cpu", cpu);
    for (int i = 0; i < 2; i++) {
        dj_config_writer_open(&writer, 2, "event");
        dj_config_writer_int(&writer, 1, "timestamp",
                             (uint64_t)(mono_ns + i * MS + SLEPT_NS));
        dj_config_writer_int(&writer, 2, "pid", 42);
        dj_config_writer_open(&writer, 3, "print");
        dj_config_writer_string(&writer, 2, "buf", texts[i]);
        dj_config_writer_close(&writer);
        dj_config_writer_close(&writer);
    }
    dj_config_writer_close(&writer);
    dj_config_writer_close(&writer);
}

static void write_instant(uint32_t number, int64_t at_ns, uint64_t clock)
{
    dj_config_writer_open(&writer, 1, "packet");
    dj_config_writer_int(&writer, 8, "timestamp", (uint64_t)at_ns);
    if (clock != 0) {
        dj_config_writer_int(&writer, 58, "timestamp_clock_id", clock);
    }
    dj_config_writer_open(&writer, number, "");
    dj_config_writer_close(&writer);
    dj_config_writer_close(&writer);
}

static void write_input(const char *data, size_t length)
{
    FILE *file = fopen(in, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(data, 1, length, file), length);
    fclose(file);
}

static int convert_with(struct dj_trace_clock clock, bool text)
{
    int fd = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    cr_assert_geq(fd, 0);
    const struct dj_capture_conversion conversion = {
        .input = in, .output = fd, .name = out, .keep = &keep, .clock = clock};
    int code = text ? dj_conversion_convert_text(&conversion, &converted, &err)
                    : dj_conversion_cut_packets(&conversion, &converted, &err);
    close(fd);
    return code;
}

static int convert(void)
{
    write_input(bytes.data, bytes.length);
    return convert_with((struct dj_trace_clock){.known = false}, false);
}

static void keep_span(int64_t from_ns, int64_t to_ns)
{
    cr_assert_eq(dj_janky_keep_add_frame(&keep, from_ns, to_ns, 0, 0, &err), 0);
}

static struct dj_trace read_output(void)
{
    struct dj_trace trace = {0};
    cr_assert_eq(dj_trace_read(out, &trace, &err), 0, "%s", err.message);
    return trace;
}

Test(android_shape, packets_of_other_times_are_dropped_and_the_gap_is_marked)
{
    write_snapshot(1000 * MS);
    write_bundle(1000 * MS, 0);
    write_bundle(2000 * MS, 0);
    write_bundle(2000 * MS, 1);
    write_instant(76, 2000 * MS + SLEPT_NS, 0);
    write_instant(2, 2000 * MS + SLEPT_NS, 0); /* A process tree is valid at all times. */
    write_bundle(3000 * MS, 0);
    keep_span(1000 * MS, 1001 * MS);
    keep_span(3000 * MS, 3001 * MS);
    keep_span(100 * MS, 101 * MS);
    cr_assert_eq(convert(), 0, "%s", err.message);
    cr_assert_eq(converted.dropped, 3);
    cr_assert_eq(converted.kept, 4);
    cr_assert_eq(converted.too_old, 1);
    struct dj_trace trace = read_output();
    cr_assert_eq(trace.slice_count, 2);
    cr_assert_eq(trace.slices[0].start_ns + trace.clock.to_mono_ns, 1000 * MS);
    cr_assert_eq(trace.slices[1].start_ns + trace.clock.to_mono_ns, 3000 * MS);
    cr_assert_gt(trace.overwritten, 0, "a trace with holes says so");
    dj_trace_finish(&trace);
}

Test(android_shape, instants_of_unknown_clocks_are_kept)
{
    write_snapshot(1000 * MS);
    write_instant(76, 1000 * MS, 3); /* The clock 3 is CLOCK_MONOTONIC. */
    write_instant(76, 2000 * MS, 3);
    /* The clock 64 belongs to one sequence, and its offset is unknown. */
    write_instant(76, 5, 64);
    keep_span(1000 * MS, 1000 * MS);
    cr_assert_eq(convert(), 0);
    cr_assert_eq(converted.kept, 3);
    cr_assert_eq(converted.dropped, 1);
}

Test(android_shape, times_of_compact_switches_are_differences)
{
    write_snapshot(1000 * MS);
    for (int i = 0; i < 2; i++) {
        struct dj_text list = {0};
        dj_proto_add_varint(&list, (uint64_t)(SLEPT_NS + (1000 + i * 1000) * MS));
        dj_proto_add_varint(&list, 5 * (uint64_t)MS);
        dj_config_writer_open(&writer, 1, "packet");
        dj_config_writer_open(&writer, 1, "ftrace_events");
        dj_config_writer_int(&writer, 1, "cpu", 0);
        dj_config_writer_open(&writer, 4, "compact_sched");
        dj_config_writer_open(&writer, 1, "switch_timestamp");
        dj_text_append(&bytes, list.data, list.length);
        dj_config_writer_close(&writer);
        dj_config_writer_close(&writer);
        dj_config_writer_close(&writer);
        dj_config_writer_close(&writer);
        dj_text_finish(&list);
    }
    keep_span(2004 * MS, 2100 * MS);
    cr_assert_eq(convert(), 0);
    cr_assert_eq(converted.kept, 2);
    cr_assert_eq(converted.dropped, 1);
}

Test(android_shape, without_a_clock_nothing_is_cut)
{
    write_bundle(1000 * MS, 0);
    keep_span(1000 * MS, 1001 * MS);
    cr_assert_eq(convert(), DJ_E_NO_DATA);
}

Test(android_shape, damaged_packets_never_crash, .timeout = 60)
{
    write_snapshot(1000 * MS);
    write_bundle(1000 * MS, 0);
    write_bundle(2000 * MS, 0);
    write_bundle(3000 * MS, 0);
    keep_span(3000 * MS, 3001 * MS);
    for (size_t length = 1; length < bytes.length; length++) {
        write_input(bytes.data, length);
        int code = convert_with((struct dj_trace_clock){.known = false}, false);
        cr_assert(code == 0 || code == DJ_E_NO_DATA, "%zu bytes: %d", length, code);
    }
    for (size_t i = 0; i < 8 * bytes.length; i++) {
        bytes.data[i / 8] = (char)(bytes.data[i / 8] ^ 1 << i % 8);
        write_input(bytes.data, bytes.length);
        int code = convert_with((struct dj_trace_clock){.known = false}, false);
        cr_assert(code == 0 || code == DJ_E_NO_DATA, "bit %zu: %d", i, code);
        bytes.data[i / 8] = (char)(bytes.data[i / 8] ^ 1 << i % 8);
    }
}

static const char text[] =
    "TRACE:\n# tracer: nop\n#\n"
    "   app-42  (   42) [000] ...1 10.000000: tracing_mark_write: B|42|work\n"
    "   app-42  (   42) [000] ...1 10.001000: tracing_mark_write: E|42\n"
    "   app-42  (   42) [000] ...1 20.000000: tracing_mark_write: B|42|work\n"
    "   app-42  (   42) [000] ...1 20.001000: tracing_mark_write: E|42\n";

Test(android_shape, text_is_cut_with_a_given_clock)
{
    const struct dj_trace_clock clock = {.known = true, .to_mono_ns = 5000 * MS};
    write_input(text, sizeof(text) - 1);
    keep_span(25000 * MS, 25001 * MS);
    keep_span(14000 * MS, 14001 * MS);
    cr_assert_eq(convert_with(clock, true), 0, "%s", err.message);
    cr_assert_eq(converted.dropped, 2);
    cr_assert_eq(converted.too_old, 1);
    struct dj_trace trace = read_output();
    cr_assert_eq(trace.slice_count, 1);
    cr_assert_eq(trace.slices[0].start_ns + trace.clock.to_mono_ns, 25000 * MS);
    dj_trace_finish(&trace);
}

Test(android_shape, text_with_an_unknown_clock_is_not_cut)
{
    write_input(text, sizeof(text) - 1);
    keep_span(25000 * MS, 25001 * MS);
    cr_assert_eq(convert_with((struct dj_trace_clock){.known = false}, true),
                 DJ_E_NO_DATA);
}
