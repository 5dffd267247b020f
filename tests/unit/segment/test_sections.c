#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "segment/sections_reader.h"
#include "segment/sections_writer.h"

enum { KEEP = DJ_SECTIONS_KEEP_MIN };

static char folder[64], segment[96], path[128];
static struct dj_sections_writer writer;
static struct dj_sections sections;

static void set_up(void)
{
    struct dj_error err = {0};
    snprintf(folder, sizeof(folder), "/tmp/dejank-sections-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(segment, sizeof(segment), "%s/1.2", folder);
    snprintf(path, sizeof(path), "%s.sections", segment);
    const struct dj_sections_options options = {.segment = segment,
                                                .name = "org.example",
                                                .program = "example",
                                                .keep = KEEP,
                                                .now_ns = 5};
    cr_assert_eq(dj_segment_sections_create(&writer, &options, &err), 0, "%s",
                 err.message);
}

static void tear_down(void)
{
    dj_segment_sections_finish(&sections);
    dj_segment_sections_unmap(&writer);
    unlink(path);
    rmdir(folder);
}

TestSuite(sections, .init = set_up, .fini = tear_down);

static struct dj_section_ring *acquire_ring(uint32_t tid)
{
    struct dj_section_ring *ring = dj_segment_ring_acquire(&writer, tid, "worker", 1);
    cr_assert_not_null(ring);
    return ring;
}

static void write_event(struct dj_section_ring *ring, uint32_t tid, int64_t at_ns,
                        enum dj_section_kind kind, const char *name, int64_t value)
{
    const struct dj_section_data note = {kind, name, strlen(name), value};
    dj_segment_ring_write(ring, KEEP - 1, tid, at_ns, &note);
}

static void read_all(void)
{
    struct dj_error err = {0};
    dj_segment_sections_finish(&sections);
    cr_assert_eq(dj_segment_sections_read(path, geteuid(), &sections, &err), 0, "%s",
                 err.message);
}

static const char *name_of(size_t event)
{
    return sections.names.data + sections.events[event].name;
}

static const char *thread_name(uint32_t tid)
{
    for (size_t i = 0; i < sections.thread_count; i++) {
        if (sections.threads[i].tid == tid) {
            return sections.threads[i].name;
        }
    }
    return "";
}

Test(sections, written_events_are_read)
{
    struct dj_section_ring *ring = acquire_ring(7);
    write_event(ring, 7, 10, DJ_SECTION_BEGIN, "layout", 0);
    write_event(ring, 7, 20, DJ_SECTION_COUNTER, "queued", -3);
    write_event(ring, 7, 30, DJ_SECTION_END, "", 0);
    write_event(ring, 7, 40, DJ_SECTION_ASYNC_BEGIN, "load", INT64_MIN);
    read_all();
    cr_assert_eq(sections.count, 4);
    cr_assert_str_eq(name_of(0), "layout");
    cr_assert_eq(sections.events[0].at_ns, 10);
    cr_assert_eq(sections.events[0].tid, 7);
    cr_assert_eq(sections.events[1].value, -3);
    cr_assert_eq(sections.events[2].kind, DJ_SECTION_END);
    cr_assert_eq(sections.events[3].value, INT64_MIN);
    cr_assert_str_eq(sections.name, "org.example");
    cr_assert_str_eq(sections.program, "example");
    cr_assert_str_eq(thread_name(7), "worker");
    cr_assert_str_eq(thread_name(8), "");
    cr_assert_eq(sections.overwritten + sections.damaged + sections.dropped, 0);
    cr_assert_eq(sections.pid, getpid());
    cr_assert_not(sections.ended);
}

Test(sections, names_of_every_length_are_read)
{
    char name[DJ_SECTIONS_NAME + 1];
    struct dj_section_ring *ring = acquire_ring(1);
    for (size_t length = 0; length <= DJ_SECTIONS_NAME; length++) {
        memset(name, 'a' + (int)(length % 26), length);
        name[length] = '\0';
        write_event(ring, 1, 100 + (int64_t)length, DJ_SECTION_BEGIN, name, 0);
    }
    read_all();
    cr_assert_eq(sections.count, DJ_SECTIONS_NAME + 1);
    for (size_t length = 0; length <= DJ_SECTIONS_NAME; length++) {
        cr_assert_eq(strlen(name_of(length)), length);
        cr_assert_eq(strspn(name_of(length), (char[]){(char)('a' + length % 26), 0}),
                     length);
    }
}

Test(sections, rings_are_merged_by_time)
{
    struct dj_section_ring *one = acquire_ring(1);
    struct dj_section_ring *two = acquire_ring(2);
    write_event(one, 1, 30, DJ_SECTION_BEGIN, "c", 0);
    write_event(two, 2, 20, DJ_SECTION_BEGIN, "b", 0);
    write_event(two, 2, 40, DJ_SECTION_BEGIN, "d", 0);
    write_event(one, 1, 40, DJ_SECTION_END, "", 0);
    read_all();
    cr_assert_eq(sections.count, 4);
    cr_assert_str_eq(name_of(0), "b");
    cr_assert_str_eq(name_of(1), "c");
    for (size_t i = 1; i < sections.count; i++) {
        cr_assert_geq(sections.events[i].at_ns, sections.events[i - 1].at_ns);
    }
}

/* Names of two and three slots do not divide the size of the ring, so the oldest slot
 * that remains is often the rest of a name. */
Test(sections, overwritten_slots_are_counted_and_not_returned)
{
    static const char three_slots[] =
        "one of three slots, which is longer than thirty-two";
    static const char *const names[] = {"a", "a name of two slots", three_slots};
    struct dj_section_ring *ring = acquire_ring(1);
    for (int i = 0; i < 3 * KEEP; i++) {
        write_event(ring, 1, 100 + i, DJ_SECTION_COUNTER, names[i % 3], i);
        if (i % 97 == 0 && i > KEEP) {
            read_all();
            cr_assert_eq(sections.damaged, 0, "after %d", i);
            cr_assert_gt(sections.overwritten, 0);
            cr_assert_eq(sections.events[sections.count - 1].value, i);
            cr_assert_eq(sections.whole_from_ns, sections.events[0].at_ns);
            for (size_t k = 0; k < sections.count; k++) {
                int64_t value = sections.events[sections.count - 1 - k].value;
                cr_assert_eq(value, i - (int64_t)k);
                cr_assert_str_eq(name_of(sections.count - 1 - k), names[value % 3]);
            }
        }
    }
}

Test(sections, a_released_ring_is_reused_and_keeps_its_contents)
{
    for (uint32_t tid = 1; tid <= 200; tid++) {
        struct dj_section_ring *ring = acquire_ring(tid);
        write_event(ring, tid, 10 * tid, DJ_SECTION_BEGIN, "task", 0);
        dj_segment_ring_release(ring, 10 * tid + 1);
    }
    cr_assert_lt(atomic_load(&writer.header->used), 16,
                 "a thread per task reserves no memory per task");
    read_all();
    cr_assert_eq(sections.count, 200);
    for (uint32_t i = 0; i < 200; i++) {
        cr_assert_eq(sections.events[i].tid, i + 1);
    }
    cr_assert_str_eq(thread_name(3), "worker");
}

Test(sections, threads_beyond_the_number_of_rings_get_no_ring)
{
    for (uint32_t tid = 1; tid <= DJ_SECTIONS_RINGS; tid++) {
        acquire_ring(tid);
    }
    cr_assert_null(dj_segment_ring_acquire(&writer, 99, "late", 1));
    dj_segment_sections_count_dropped(&writer);
    read_all();
    cr_assert_eq(sections.dropped, 1);
    cr_assert_eq(sections.thread_count, DJ_SECTIONS_RINGS);
}

Test(sections, slots_without_an_event_are_skipped_and_counted)
{
    struct dj_section_ring *ring = acquire_ring(1);
    for (int i = 0; i < 10; i++) {
        write_event(ring, 1, 10 + i, DJ_SECTION_COUNTER, "n", i);
    }
    struct dj_section_slot *slots = (struct dj_section_slot *)((char *)ring + 4096);
    atomic_store(&slots[3].word[1], UINT64_C(0xff00000001)); /* Unknown kind. */
    atomic_store(&slots[5].word[0], UINT64_MAX);             /* Negative time. */
    /* Name of 200 bytes. */
    atomic_store(&slots[7].word[1], UINT64_C(0x0001c80500000001));
    read_all();
    cr_assert_eq(sections.count, 7);
    cr_assert_eq(sections.damaged, 3);
}

static int read_changed(off_t offset, uint32_t value, struct dj_error *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    cr_assert_eq(pwrite(fd, &value, sizeof(value), offset), (ssize_t)sizeof(value));
    close(fd);
    dj_segment_sections_finish(&sections);
    return dj_segment_sections_read(path, geteuid(), &sections, err);
}

Test(sections, a_wrong_header_is_refused)
{
    static const struct {
        size_t offset;
        uint32_t value;
        int code;
    } rows[] = {
        {0, 0x58585858, DJ_E_INVALID},
        {offsetof(struct dj_sections_header, byte_order), 0x04030201, DJ_E_VERSION},
        {offsetof(struct dj_sections_header, version), 2, DJ_E_VERSION},
        {offsetof(struct dj_sections_header, header_bytes), 0, DJ_E_INVALID},
        {offsetof(struct dj_sections_header, ring_bytes), 64, DJ_E_INVALID},
        {offsetof(struct dj_sections_header, rings), 65, DJ_E_INVALID},
        {offsetof(struct dj_sections_header, keep), 1500, DJ_E_INVALID},
        {offsetof(struct dj_sections_header, keep), 1U << 31, DJ_E_INVALID},
        {offsetof(struct dj_sections_header, used), 65, DJ_E_INVALID},
    };
    acquire_ring(1);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct dj_error err = {0};
        uint32_t before;
        memcpy(&before, (char *)writer.header + rows[i].offset, sizeof(before));
        cr_assert_eq(read_changed((off_t)rows[i].offset, rows[i].value, &err),
                     rows[i].code, "row %zu: %s", i, err.message);
        cr_assert(err.has_offset, "row %zu", i);
        cr_assert_eq(read_changed((off_t)rows[i].offset, before, &err), 0, "row %zu", i);
    }
}

Test(sections, a_truncated_file_is_an_error)
{
    struct dj_error err = {0};
    write_event(acquire_ring(1), 1, 10, DJ_SECTION_BEGIN, "x", 0);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    dj_segment_sections_unmap(&writer);
    cr_assert_eq(ftruncate(fd, 4096 + 4096 + 16), 0);
    close(fd);
    cr_assert_eq(dj_segment_sections_read(path, geteuid(), &sections, &err),
                 DJ_E_TRUNCATED);
}

Test(sections, only_a_regular_file_of_the_owner_is_read)
{
    struct dj_error err = {0};
    char link[160];
    snprintf(link, sizeof(link), "%s.link", segment);
    cr_assert_eq(symlink(path, link), 0);
    cr_expect_lt(dj_segment_sections_read(link, geteuid(), &sections, &err), 0);
    unlink(link);
    cr_expect_eq(dj_segment_sections_read(path, geteuid() + 1, &sections, &err),
                 DJ_E_OWNER);
    cr_expect_eq(dj_segment_sections_read(folder, DJ_ANY_OWNER, &sections, &err),
                 DJ_E_OWNER);
    cr_expect_eq(dj_segment_sections_read(path, DJ_ANY_OWNER, &sections, &err), 0);
}

Test(sections, an_older_file_of_the_name_is_replaced)
{
    write_event(acquire_ring(1), 1, 10, DJ_SECTION_BEGIN, "old", 0);
    const struct dj_sections_options options = {
        .segment = segment, .name = "new", .program = "new", .keep = KEEP, .now_ns = 6};
    dj_segment_sections_unmap(&writer);
    cr_assert_eq(dj_segment_sections_create(&writer, &options, NULL), 0);
    read_all();
    cr_assert_eq(sections.count, 0);
    cr_assert_str_eq(sections.name, "new");
}

Test(sections, sizes_out_of_range_are_refused)
{
    static const uint32_t keeps[] = {0, 512, 1500, 2 * DJ_SECTIONS_KEEP_MAX};
    for (size_t i = 0; i < sizeof(keeps) / sizeof(keeps[0]); i++) {
        struct dj_sections_writer other = {0};
        const struct dj_sections_options options = {
            .segment = segment, .name = "x", .program = "x", .keep = keeps[i]};
        cr_assert_eq(dj_segment_sections_create(&other, &options, NULL), DJ_E_LIMIT);
    }
}
