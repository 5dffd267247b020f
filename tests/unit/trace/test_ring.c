/* Tests ring-buffer pages that are written by hand. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "trace/kernel/raw_pages.h"
#include "trace/ring.h"
#include "trace/text/numbers.h"

enum { PAGE = 4096, HEAD = 16, MOST = 32 };

static uint8_t page[2][PAGE];
static size_t at;
static struct dj_event got[MOST];
static size_t got_count;
static struct dj_trace_ring_summary summary;
static struct dj_trace_formats formats;

static const char format_text[] =
    "name: print\nID: 5\nformat:\n"
    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
    "\n\tfield:char buf[];\toffset:8;\tsize:0;\tsigned:0;\n\nprint fmt: \"%s\"\n";

static void write_number(size_t index, uint64_t number, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        page[index][at++] = (uint8_t)(number >> (8 * i));
    }
}

static void begin_page(size_t index, uint64_t stamp_ns)
{
    memset(page[index], 0, PAGE);
    at = 0;
    write_number(index, stamp_ns, 8);
    at = HEAD;
}

static void end_page(size_t index, uint64_t flags)
{
    size_t end = at;
    at = 8;
    write_number(index, (end - HEAD) | flags, 8);
    at = end;
}

static void add_entry(size_t index, uint32_t type, uint32_t delta)
{
    write_number(index, type | delta << 5, 4);
}

/* Adds an event with the marker "E" of thread 7. It has four words. */
static void add_marker(size_t index, uint32_t delta)
{
    add_entry(index, 3, delta);
    write_number(index, 5, 2);
    write_number(index, 0x08, 1); /* Flags of an event in an interrupt. */
    write_number(index, 0, 1);
    write_number(index, 7, 4);
    write_number(index, 'E', 4);
}

struct pages {
    size_t next, count, first;
};

static int next_page(void *user, const uint8_t **bytes, struct dj_error *err)
{
    struct pages *pages = user;
    (void)err;
    *bytes = pages->next < pages->count ? page[pages->first + pages->next++] : NULL;
    return 0;
}

static int store_event(void *user, const struct dj_event *event)
{
    (void)user;
    if (got_count < MOST) {
        got[got_count++] = *event;
    }
    return 0;
}

static void read_cpus(struct pages *pages, size_t count)
{
    struct dj_error err = {0};
    struct dj_trace_ring_layout layout;
    struct dj_trace_ring_cpu cpus[2] = {0};
    cr_assert_eq(dj_trace_ring_read_layout((struct dj_str){NULL, 0}, &layout, &err), 0);
    cr_assert_eq(
        dj_trace_formats_add(&formats,
                             (struct dj_str){format_text, sizeof(format_text) - 1}, &err),
        0);
    for (size_t i = 0; i < count; i++) {
        cpus[i].cpu = (int32_t)i;
        cpus[i].source = (struct dj_trace_ring_source){next_page, &pages[i]};
    }
    cr_assert_eq(dj_trace_ring_read(&layout, &formats, cpus, count,
                                    (struct dj_event_sink){store_event, NULL}, &summary,
                                    &err),
                 0);
}

static void finish(void)
{
    dj_trace_formats_finish(&formats);
}

/* ---- files ---- */

static void write_file(const char *folder, const char *name, const void *bytes,
                       size_t length)
{
    char path[96];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    cr_assert(file != NULL && fwrite(bytes, 1, length, file) == length);
    fclose(file);
}

static void remove_file(const char *folder, const char *name)
{
    char path[96];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    remove(path);
}

/* Reads two pages of which the second one is truncated after `left` bytes. */
static int read_truncated(size_t left, struct dj_error *err)
{
    char folder[] = "/tmp/dejank-ring-XXXXXX", formats_of[64], path[64];
    uint8_t bytes[2 * PAGE];
    memcpy(bytes, page[0], PAGE);
    memcpy(bytes + PAGE, page[1], PAGE);
    cr_assert(mkdtemp(folder) != NULL);
    snprintf(formats_of, sizeof(formats_of), "%s/formats", folder);
    snprintf(path, sizeof(path), "%s/t_cpu0.raw", folder);
    cr_assert_eq(mkdir(formats_of, 0700), 0);
    write_file(formats_of, "ftrace.print.format", format_text, sizeof(format_text) - 1);
    write_file(folder, "t_cpu0.raw", bytes, PAGE + left);
    got_count = 0;
    summary = (struct dj_trace_ring_summary){0};
    cr_expect(dj_raw_pages_sniff(bytes, sizeof(bytes), PAGE + left));
    int code =
        dj_raw_pages_read(path, (struct dj_event_sink){store_event, NULL}, &summary, err);
    remove_file(folder, "t_cpu0.raw");
    remove_file(formats_of, "ftrace.print.format");
    remove(formats_of);
    remove(folder);
    return code;
}

TestSuite(ring, .fini = finish);

Test(ring, all_kinds_of_entries)
{
    struct pages pages = {.count = 1};
    begin_page(0, 1000);
    add_marker(0, 5);
    add_entry(0, 30, 3); /* An extended time: (2 << 27) + 3. */
    write_number(0, 2, 4);
    add_marker(0, 1);
    add_entry(0, 29, 9); /* Padding of 4 words. */
    write_number(0, 16, 4);
    at += 12;
    add_marker(0, 0);
    add_entry(0, 31, 77); /* An absolute time. */
    write_number(0, 1000, 4);
    add_marker(0, 1);
    add_entry(0, 0, 2); /* A long record. Its length is in the next word. */
    write_number(0, 15, 4);
    write_number(0, 5, 2);
    write_number(0, 0, 2);
    write_number(0, 8, 4);
    write_number(0, 'E', 3);
    at += 1;
    add_entry(0, 29, 0); /* Padding up to the end of the page. */
    at += 40;
    end_page(0, 0);
    read_cpus(&pages, 1);
    const int64_t extended = 1005 + (INT64_C(2) << 27) + 3;
    const int64_t absolute = (INT64_C(1000) << 27) + 77;
    const int64_t stamps[] = {1005, extended + 1, extended + 10, absolute + 1,
                              absolute + 3};
    cr_assert_eq(got_count, 5);
    for (size_t i = 0; i < 5; i++) {
        cr_expect_eq(got[i].at_ns, stamps[i], "%zu: %lld", i, (long long)got[i].at_ns);
        cr_expect_eq(got[i].kind, DJ_EVENT_END, "%zu", i);
    }
    cr_expect(got[0].tid == 7 && got[0].interrupted == 1);
    cr_expect(got[4].tid == 8 && got[4].interrupted == 0);
    cr_expect(summary.events == 5 && summary.damaged == 0);
}

Test(ring, losses_have_their_number_if_known)
{
    struct pages pages = {.count = 2};
    begin_page(0, 1000);
    add_marker(0, 5);
    write_number(0, 42, 8); /* The number of lost events follows the data. */
    at -= 8;
    end_page(0, UINT64_C(1) << 31 | UINT64_C(1) << 30);
    begin_page(1, 2000);
    add_marker(1, 5);
    end_page(1, UINT64_C(1) << 31);
    read_cpus(&pages, 1);
    cr_assert_eq(got_count, 4);
    cr_expect(got[0].kind == DJ_EVENT_LOST && got[0].value == 42);
    cr_expect(got[2].kind == DJ_EVENT_LOST && got[2].value == 1);
}

Test(ring, cpus_are_merged_by_time)
{
    struct pages pages[2] = {{.count = 1}, {.count = 1, .first = 1}};
    begin_page(0, 1000);
    add_marker(0, 5);
    add_marker(0, 10);
    end_page(0, 0);
    begin_page(1, 1001);
    add_marker(1, 0);
    add_marker(1, 100);
    end_page(1, 0);
    read_cpus(pages, 2);
    const int64_t stamps[] = {1001, 1005, 1015, 1101};
    cr_assert_eq(got_count, 4);
    for (size_t i = 0; i < 4; i++) {
        cr_expect_eq(got[i].at_ns, stamps[i]);
    }
    cr_expect_eq(got[3].cpu, 1);
}

Test(ring, damage_ends_only_its_own_page)
{
    static const struct {
        uint32_t type, delta, word;
    } rows[] = {{0, 1, 2}, {0, 1, 5000}, {28, 1, 0}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct pages pages = {.count = 2};
        got_count = 0;
        summary = (struct dj_trace_ring_summary){0};
        begin_page(0, 1000);
        add_entry(0, rows[i].type, rows[i].delta);
        write_number(0, rows[i].word, 4);
        end_page(0, 0);
        begin_page(1, 2000);
        add_marker(1, 5);
        end_page(1, 0);
        read_cpus(&pages, 1);
        cr_expect_eq(summary.damaged, 1, "%zu", i);
        cr_expect_eq(got_count, 1, "%zu", i);
        dj_trace_formats_finish(&formats);
    }
}

Test(ring, a_length_beyond_the_page_is_damage)
{
    struct pages pages = {.count = 1};
    begin_page(0, 1000);
    add_marker(0, 5);
    at = 8;
    write_number(0, 100000, 8);
    read_cpus(&pages, 1);
    cr_expect_geq(summary.damaged, 1);
    cr_expect_geq(got_count, 1);
}

static int layout_of(const char *text, struct dj_trace_ring_layout *layout)
{
    return dj_trace_ring_read_layout((struct dj_str){text, strlen(text)}, layout, NULL);
}

Test(ring, impossible_page_layouts_are_refused)
{
    struct dj_trace_ring_layout layout;
    cr_assert_eq(layout_of("\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
                           "\tfield: local_t commit;\toffset:8;\tsize:4;\tsigned:1;\n"
                           "\tfield: char data;\toffset:12;\tsize:4084;\tsigned:0;\n",
                           &layout),
                 0);
    cr_expect(layout.page_size == 4096 && layout.commit_size == 4 &&
              layout.data_offset == 12);
    cr_expect_eq(layout_of("nothing", &layout), DJ_E_INVALID);
    cr_expect_eq(
        layout_of(" commit;\toffset:8;\tsize:4; data;\toffset:2;\tsize:9;", &layout),
        DJ_E_INVALID);
}

Test(ring, formats_define_the_state_bits)
{
    static const char text[] =
        "name: sched_switch\nID: 9\nformat:\n"
        "\tfield:long prev_state;\toffset:8;\tsize:8;\tsigned:1;\n"
        "\tfield:pid_t next_pid;\toffset:16;\tsize:4;\tsigned:1;\n"
        "\tfield:__data_loc char[] next_comm;\toffset:20;\tsize:4;\tsigned:0;\n"
        "print fmt: \"%s\", __print_flags(x, \"|\", { 0x01, \"S\" }, { 2, \"D\" }, "
        "{ 0x80, \"X\" }) : \"R\"\n";
    static const struct {
        uint8_t bits;
        enum dj_task_state state;
    } rows[] = {{0, DJ_TASK_RUNNABLE},
                {1, DJ_TASK_SLEEPING},
                {2, DJ_TASK_BLOCKED},
                {0x80, DJ_TASK_DEAD},
                {0x40, DJ_TASK_RUNNABLE}};
    uint8_t record[] = {9, 0, 0, 0, 0, 0, 0,  0, 0, 0, 0,   0,   0, 0,
                        0, 0, 6, 0, 0, 0, 24, 0, 3, 0, 'a', 'b', 0};
    cr_assert_eq(
        dj_trace_formats_add(&formats, (struct dj_str){text, sizeof(text) - 1}, NULL), 0);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct dj_event event = {0};
        record[8] = rows[i].bits;
        cr_assert(dj_trace_formats_read_record(&formats, record, sizeof(record), &event));
        cr_expect_eq(event.kind, DJ_EVENT_SWITCH);
        cr_expect_eq(event.state, rows[i].state, "%zu", i);
        cr_expect_eq(event.other, 6);
        cr_expect(dj_str_is(event.other_name, "ab"));
    }
    /* The text is outside of the record, so it is ignored. */
    struct dj_event event = {0};
    record[20] = 200;
    cr_assert(dj_trace_formats_read_record(&formats, record, sizeof(record), &event));
    cr_expect_eq(event.other_name.length, 0);
}

/* Kernels sign-extend the flag for missing events, so all higher bits are set, too. */
Test(ring, a_page_after_losses_is_recognized)
{
    uint8_t begin[16] = {0x58, 0xb2, 0xc7, 0xef, 0xd5, 0x32, 0, 0, 0xc8, 0x0f, 0, 0xc0};
    cr_expect(dj_raw_pages_sniff(begin, sizeof(begin), 8192));
    memset(begin + 12, 0xff, 4);
    cr_expect(dj_raw_pages_sniff(begin, sizeof(begin), 8192));
    begin[11] = 0;
    cr_expect_not(dj_raw_pages_sniff(begin, sizeof(begin), 8192));
    memset(begin + 12, 0x7f, 4);
    begin[11] = 0xc0;
    cr_expect_not(dj_raw_pages_sniff(begin, sizeof(begin), 8192));
}

Test(ring, complete_events_of_a_truncated_page_are_read)
{
    static const struct {
        size_t left, events;
    } cases[] = {{0, 2},         {5, 2},         {HEAD, 2},      {HEAD + 4, 2},
                 {HEAD + 16, 3}, {HEAD + 31, 3}, {HEAD + 32, 4}, {PAGE - 1, 4}};
    struct dj_error err = {0};
    for (size_t i = 0; i < 2; i++) {
        begin_page(i, 1000 + 1000 * i);
        add_marker(i, 5);
        add_marker(i, 5);
        end_page(i, 0);
    }
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        cr_assert_eq(read_truncated(cases[i].left, &err), 0, "%s", err.message);
        cr_expect_eq(got_count, cases[i].events, "%zu of %zu", got_count, cases[i].left);
        cr_expect_eq(summary.damaged > 0, cases[i].left > 0);
    }
    cr_expect_str_eq(summary.damage, "t_cpu0.raw: byte 4096: expected a page of 4096 "
                                     "bytes, found 4095 bytes");
}

Test(ring, an_archive_is_not_a_truncated_page)
{
    static const uint8_t zip[16] = {'P', 'K', 3, 4, 20, 0, 8, 0, 8};
    cr_expect_not(dj_raw_pages_sniff(zip, sizeof(zip), 5000));
}

/* 32-bit kernels have a shorter page header. Other kernels may have longer pages. */
Test(ring, other_layouts_are_recognized_by_their_header_page)
{
    static const char header[] =
        "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
        "\tfield: local_t commit;\toffset:8;\tsize:4;\tsigned:1;\n"
        "\tfield: char data;\toffset:12;\tsize:8180;\tsigned:1;\n";
    /* Length of the data: 8180 bytes. */
    uint8_t begin[16] = {[8] = 0xf4, [9] = 0x1f, [12] = 0x66};
    char folder[] = "/tmp/dejank-ring-XXXXXX", events[64], path[64];
    cr_assert(mkdtemp(folder) != NULL);
    snprintf(events, sizeof(events), "%s/events", folder);
    snprintf(path, sizeof(path), "%s/t_cpu0.raw", folder);
    cr_expect_not(dj_raw_pages_sniff_described(path, begin, sizeof(begin), 8192));
    cr_assert_eq(mkdir(events, 0700), 0);
    write_file(events, "header_page", header, sizeof(header) - 1);
    cr_expect(dj_raw_pages_sniff_described(path, begin, sizeof(begin), 8192));
    cr_expect_not(dj_raw_pages_sniff(begin, sizeof(begin), 8192));
    begin[8] = 0xf8;
    cr_expect_not(dj_raw_pages_sniff_described(path, begin, sizeof(begin), 8192));
    begin[8] = 0xf0;
    begin[11] = 0x80; /* Flag for missing events before the page. */
    cr_expect(dj_raw_pages_sniff_described(path, begin, sizeof(begin), 8192));
    begin[11] = 0x20;
    cr_expect_not(dj_raw_pages_sniff_described(path, begin, sizeof(begin), 8192));
    cr_expect_not(dj_raw_pages_sniff_described(path, begin, 10, 8192));
    remove_file(events, "header_page");
    remove(events);
    remove(folder);
}
