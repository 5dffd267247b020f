/* Stores pages and reads them again. */
#include "capture/linux/page_spool.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 64, MANY = 20000 };

static char folder[] = "/tmp/dejank-spool-XXXXXX";
static char output[64];
static struct dj_spool spool;
static struct dj_error err;

static void set_up(void)
{
    cr_assert(mkdtemp(folder) != NULL);
    snprintf(output, sizeof(output), "%s/out.pftrace", folder);
}

static void tear_down(void)
{
    dj_page_spool_close(&spool);
    cr_expect(rmdir(folder) == 0, "a spool leaves no file in its folder");
}

TestSuite(spool, .init = set_up, .fini = tear_down);

static void open_spool(size_t pages, bool rolling)
{
    cr_assert(dj_page_spool_open(&spool, output, PAGE, (int64_t)pages * PAGE, rolling,
                                 &err) == 0,
              "%s", err.message);
}

static void push_page(int32_t cpu, int64_t stamp_ns)
{
    uint8_t page[PAGE];
    memset(page, (int)(stamp_ns & 0xff), sizeof(page));
    memcpy(page, &stamp_ns, sizeof(stamp_ns));
    cr_assert(dj_page_spool_push(&spool, cpu, page, &err) == 0, "%s", err.message);
}

static void keep_span(int64_t from_ns, int64_t to_ns)
{
    cr_assert(dj_janky_keep_add_frame(&spool.keep, from_ns, to_ns, 0, 0, &err) == 0, "%s",
              err.message);
}

static int64_t lost_at_ns;

static int store_loss(void *user, const struct dj_event *event)
{
    (void)user;
    cr_expect_eq(event->kind, DJ_EVENT_LOST);
    lost_at_ns = event->at_ns;
    return 0;
}

/* Lists the pages of a CPU by their times, such as "100 200 !400 ". A "!" is before a
 * page after a gap, and at the end if pages after the last one are missing. */
static const char *list_pages(int32_t cpu)
{
    static char text[512];
    struct dj_spool_cursor cursor = {.spool = &spool, .cpu = cpu};
    uint8_t *page = NULL;
    size_t used = 0;
    text[0] = '\0';
    do {
        bool gap;
        int64_t stamp_ns;
        cr_assert(dj_page_spool_next(&cursor, &page, &gap, &err) == 0, "%s", err.message);
        if (page != NULL) {
            memcpy(&stamp_ns, page, sizeof(stamp_ns));
            cr_expect(page[PAGE - 1] == (uint8_t)stamp_ns, "all of the page is there");
            used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%lld ",
                                     gap ? "!" : "", (long long)stamp_ns);
        }
    } while (page != NULL);
    cr_assert_eq(
        dj_page_spool_write_gap(&cursor, 77, (struct dj_event_sink){store_loss, NULL}),
        0);
    if (lost_at_ns != 0) {
        snprintf(text + used, sizeof(text) - used, "!");
        lost_at_ns = 0;
    }
    dj_page_spool_cursor_finish(&cursor);
    return text;
}

Test(spool, each_cpus_pages_are_returned_in_order)
{
    open_spool(16, false);
    push_page(0, 100);
    push_page(1, 150);
    push_page(0, 200);
    push_page(3, 50);
    push_page(1, 250);
    cr_expect_str_eq(list_pages(0), "100 200 ");
    cr_expect_str_eq(list_pages(1), "150 250 ");
    cr_expect_str_eq(list_pages(2), "");
    cr_expect_str_eq(list_pages(3), "50 ");
    cr_expect(!spool.full);
}

Test(spool, a_full_spool_refuses_pages)
{
    open_spool(16, false);
    for (int i = 0; i < 18; i++) {
        push_page(0, i);
    }
    cr_expect(spool.full);
    cr_expect_eq(spool.count, 16);
}

Test(spool, a_rolling_spool_keeps_requested_spans)
{
    open_spool(16, true);
    keep_span(210, 290);
    for (int i = 0; i < 100; i++) {
        push_page(0, i * 100);
    }
    /* Only the page 200 … 300 contains the start of the span. */
    cr_expect_str_eq(list_pages(0), "!200 !");
    cr_expect(!spool.full);
}

Test(spool, a_rolling_spool_reports_gaps_between_spans)
{
    open_spool(16, true);
    for (int i = 0; i < 10; i++) {
        push_page(0, i * 100);
    }
    keep_span(150, 250);
    keep_span(610, 640);
    keep_span(720, 730);
    cr_expect_str_eq(list_pages(0), "!100 200 !600 700 !");
}

Test(spool, a_rolling_spool_keeps_spans_in_the_future)
{
    open_spool(16, true);
    for (int i = 0; i < 40; i++) {
        push_page(0, i * 100);
    }
    keep_span(3850, 4150); /* The span starts in stored pages and ends in the future. */
    for (int i = 40; i < 80; i++) {
        push_page(0, i * 100);
    }
    cr_expect_str_eq(list_pages(0), "!3800 3900 4000 4100 !");
}

Test(spool, a_rolling_spool_is_full_if_all_pages_are_kept)
{
    open_spool(16, true);
    keep_span(0, 100000);
    for (int i = 0; i < 20; i++) {
        push_page(0, i * 100);
    }
    cr_expect(spool.full);
    cr_expect_eq(spool.count, 16);
}

/* Neither the file nor the list may grow with the number of pages. */
Test(spool, a_rolling_spool_stays_small)
{
    open_spool(32, true);
    keep_span(5000, 5000);
    for (int i = 0; i < MANY; i++) {
        push_page(i % 2, i * 10);
    }
    cr_expect(spool.count < 4096, "%zu pages are listed", spool.count);
    cr_expect(lseek(spool.file.file - 1, 0, SEEK_END) <= 33 * PAGE);
    keep_span((MANY - 3) * 10, (MANY - 1) * 10);
    char expected[64];
    snprintf(expected, sizeof(expected), "!4980 5000 !%d %d ", (MANY - 4) * 10,
             (MANY - 2) * 10);
    cr_expect_str_eq(list_pages(0), expected);
}

Test(spool, an_unwritable_folder_is_an_error)
{
    struct dj_spool none = {0};
    int code =
        dj_page_spool_open(&none, "/nowhere/out.pftrace", PAGE, 1 << 20, false, &err);
    cr_expect_eq(code, DJ_E_OUTPUT);
    cr_expect(strstr(err.message, "/nowhere/out.pftrace") != NULL, "%s", err.message);
    dj_page_spool_close(&none);
}

/* Returns the size of the spool's file on the disk. */
static int64_t get_disk_bytes(void)
{
    struct stat status;
    cr_assert(fstat(spool.file.file - 1, &status) == 0);
    return (int64_t)status.st_blocks * 512;
}

Test(spool, pages_are_freed_after_reading_on_a_full_disk)
{
    enum { LARGE = 4096, PAGES = 32 };
    static uint8_t page[LARGE];
    cr_assert(dj_page_spool_open(&spool, output, LARGE, (int64_t)PAGES * LARGE, false,
                                 &err) == 0);
    int64_t reserved = get_disk_bytes();
    for (int64_t i = 0; i < PAGES; i++) {
        memcpy(page, &i, sizeof(i));
        cr_assert(dj_page_spool_push(&spool, 0, page, &err) == 0, "%s", err.message);
    }
    cr_expect(get_disk_bytes() >= reserved + PAGES * LARGE);
    dj_page_spool_free_space(&spool);
    cr_expect(!spool.frees, "there is enough");
    cr_expect(get_disk_bytes() >= PAGES * LARGE &&
                  (reserved == 0 || get_disk_bytes() < reserved + PAGES * LARGE),
              "what was reserved is given back, and no page");
    struct dj_spool_cursor cursor = {.spool = &spool, .cpu = 0};
    spool.frees = true; /* As dj_page_spool_free_space() does on a full disk. */
    uint8_t *found = NULL;
    int64_t count = 0;
    do {
        bool gap;
        int64_t stamp_ns = count;
        cr_assert(dj_page_spool_next(&cursor, &found, &gap, &err) == 0, "%s",
                  err.message);
        if (found != NULL) {
            memcpy(&stamp_ns, found, sizeof(stamp_ns));
        }
        cr_expect_eq(stamp_ns, count);
        count += found != NULL;
    } while (found != NULL);
    dj_page_spool_cursor_finish(&cursor);
    cr_expect_eq(count, PAGES);
    cr_expect(reserved == 0 || get_disk_bytes() < PAGES * LARGE, "%lld bytes",
              (long long)get_disk_bytes());
}
