/* Tests the choice of the instance to read in trace.dat files that are written by hand.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "trace/kernel/trace_dat.h"

enum { PAGE = 4096, CPUS_DATA = 2 * PAGE };

static uint8_t file[8 * PAGE];
static size_t size;
static int64_t got[8];
static size_t got_count;
static struct dj_trace_ring_summary summary;

static int store_event(void *user, const struct dj_event *event)
{
    (void)user;
    if (event->kind != DJ_EVENT_CLOCK && got_count < 8) {
        got[got_count++] = event->at_ns;
    }
    return 0;
}

static void append(const void *bytes, size_t length)
{
    cr_assert_leq(size + length, sizeof(file));
    memcpy(file + size, bytes, length);
    size += length;
}

static void write_number(uint64_t number, size_t bytes)
{
    append(&number,
           /* Uses the byte order of the machine, because these files are little-endian.
            */
           bytes);
}

static void write_sized(const char *text)
{
    write_number(strlen(text), 8);
    append(text, strlen(text));
}

static void write_head(const char *version)
{
    size = 0;
    append("\x17\x08\x44tracing", 10);
    append(version, 2);
    append("\0\x08", 2);
    write_number(PAGE, 4);
}

static void write_headers(void)
{
    append("header_page", 12);
    write_number(0, 8);
    append("header_event", 13);
    write_number(0, 8);
}

static const char print_format[] =
    "name: print\nID: 5\nformat:\n"
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
    "\tfield:char buf[];\toffset:8;\tsize:0;\tsigned:0;\n";

/* Writes a page that contains one marker with the time at_ns. */
static void write_page(size_t place, uint64_t at_ns)
{
    size = place;
    memset(file + place, 0, PAGE);
    write_number(at_ns, 8);
    write_number(16, 8);
    write_number(3, 4); /* The length is three words. */
    write_number(5, 2);
    write_number(0, 2);
    write_number(7, 4);
    append("E|1", 4);
    size = place + PAGE;
}

static void write_cpu(uint64_t place, bool has_events)
{
    write_number(place, 8);
    write_number(has_events ? PAGE : 0, 8);
}

/* Writes a file of version 6 with one CPU, for the main trace and two instances. An
 * argument is true if that one has a page with an event. */
static void write_version_6(bool first, bool second, bool third)
{
    write_head("6");
    write_headers();
    write_number(1, 4);
    write_sized(print_format);
    write_number(0, 4); /* Number of systems. */
    write_number(0, 4); /* Size of the kernel's symbols. */
    write_number(0, 4); /* Size of the printk formats. */
    write_number(0, 8); /* Size of the thread names. */
    write_number(1, 4); /* Number of CPUs. */
    append("options  ", 10);
    for (uint64_t i = 0; i < 2; i++) {
        write_number(3, 2);
        write_number(8 + 2, 4);
        write_number(PAGE + 64 * i, 8);
        append(i == 0 ? "a" : "b", 2);
    }
    write_number(0, 2);
    append("flyrecord", 10);
    write_cpu(CPUS_DATA, first);
    cr_assert_lt(size, PAGE);
    for (size_t i = 0; i < 2; i++) {
        size = PAGE + 64 * i;
        append("flyrecord", 10);
        write_cpu(CPUS_DATA + (i + 1) * PAGE, i == 0 ? second : third);
    }
    for (size_t i = 0; i < 3; i++) {
        write_page(CPUS_DATA + i * PAGE, 1000 * (i + 1));
    }
}

static void write_section(uint64_t id, uint64_t bytes)
{
    write_number(id, 2);
    write_number(0, 6);
    write_number(bytes, 8);
}

static void write_version_7(bool first, bool second, bool third)
{
    const bool has[] = {first, second, third};
    write_head("7");
    append("none", 5);
    append("", 1);
    size_t options_at = size;
    write_number(0, 8);
    uint64_t headers = size;
    write_section(16, 41);
    write_headers();
    uint64_t formats = size;
    write_section(17, 4 + 8 + strlen(print_format));
    write_number(1, 4);
    write_sized(print_format);
    uint64_t options = size;
    write_section(0, 2 * 14 + 3 * (6 + 8 + 2 + 5 + 8 + 20) + 14);
    write_number(16, 2);
    write_number(8, 4);
    write_number(headers, 8);
    write_number(17, 2);
    write_number(8, 4);
    write_number(formats, 8);
    for (size_t i = 0; i < 3; i++) {
        write_number(3, 2);
        write_number(8 + 2 + 5 + 8 + 20, 4);
        write_number(0, 8);
        append("a", 2);
        append("mono", 5);
        write_number(PAGE, 4);
        write_number(1, 4);
        write_number(0, 4);
        write_cpu(CPUS_DATA + i * PAGE, has[i]);
    }
    write_number(0, 2);
    write_number(8, 4);
    write_number(0, 8);
    cr_assert_lt(size, CPUS_DATA);
    memcpy(file + options_at, &options, 8);
    for (size_t i = 0; i < 3; i++) {
        write_page(CPUS_DATA + i * PAGE, 1000 * (i + 1));
    }
}

static int read_file(void)
{
    const struct dj_trace_file bytes = {file, size, false};
    struct dj_error err = {0};
    got_count = 0;
    summary = (struct dj_trace_ring_summary){0};
    int code = dj_trace_dat_read(&bytes, (struct dj_event_sink){store_event, NULL},
                                 &summary, &err);
    cr_expect_eq(code, 0, "%s", err.message);
    return code;
}

Test(trace_dat, the_first_instance_with_events_is_read_and_others_are_counted)
{
    static const struct {
        bool has[3];
        int64_t at_ns;
        uint64_t unread;
    } cases[] = {{{true, false, false}, 1000, 0}, {{true, true, true}, 1000, 2},
                 {{true, false, true}, 1000, 1},  {{false, true, false}, 2000, 0},
                 {{false, false, true}, 3000, 0}, {{false, true, true}, 2000, 1},
                 {{false, false, false}, 0, 0}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (int version = 6; version <= 7; version++) {
            (version == 6 ? write_version_6 : write_version_7)(
                cases[i].has[0], cases[i].has[1], cases[i].has[2]);
            read_file();
            cr_expect_eq(got_count, cases[i].at_ns != 0, "%zu of %d", i, version);
            cr_expect_eq(cases[i].at_ns == 0 || got[0] == cases[i].at_ns, true,
                         "%zu of %d", i, version);
            cr_expect_eq(summary.unread, cases[i].unread, "%zu of %d", i, version);
            cr_expect_eq(summary.damaged, 0);
        }
    }
}

/* An instance is ignored if its offset is wrong or refers to other data. */
Test(trace_dat, wrong_offsets_of_instances_are_ignored)
{
    write_version_6(true, true, true);
    memset(file + PAGE, 0, 10);
    size = CPUS_DATA + PAGE;
    read_file();
    cr_expect_eq(got_count, 1);
    cr_expect_eq(summary.unread, 1);
    write_version_6(true, true, true);
    size = PAGE + 70;
    read_file();
    cr_expect_eq(got_count, 0);
    cr_expect_eq(summary.damaged, 2, "its own events, and those of the instance");
}
