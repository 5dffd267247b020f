/* Tests printing and parsing "View hierarchy:" in the form of each release. */
#include <criterion/criterion.h>
#include <string.h>

#include "gfxinfo/parse.h"
#include "gfxinfo/print.h"

static struct dj_text text;
static struct dj_dump got;
static struct dj_parse_report report;

static void finish(void)
{
    dj_text_finish(&text);
    dj_gfxinfo_dump_finish(&got);
}

TestSuite(hierarchy, .fini = finish);

static struct dj_dump_window windows[3];

static void print(const char *release)
{
    const struct dj_print_options options = {.dialect = dj_frame_dialect_find(release)};
    struct dj_dump_process process = {
        .pid = 7, .name = "com.x", .windows = windows, .window_count = 3, .expected = -1};
    dj_gfxinfo_print_process(&text, &process, &options);
}

static void fill(void)
{
    windows[0] =
        (struct dj_dump_window){.title = "com.x/a", .views = 21, .views_kb = 31.36};
    windows[1] = (struct dj_dump_window){.title = "com.x/untold", .visibility = 8};
    windows[2] = (struct dj_dump_window){.title = "com.x/b", .views = 2, .views_kb = 0.5};
}

static void expect_tail(const char *want)
{
    size_t length = strlen(want);
    cr_assert_geq(text.length, length);
    cr_assert_str_eq(dj_text_get(&text) + text.length - length, want);
}

Test(hierarchy, releases_until_10_print_display_lists)
{
    fill();
    print("10");
    expect_tail("\n\tcom.x/b (visibility=0)\n"
                "\nView hierarchy:\n\n"
                "  com.x/a\n  21 views, 31.36 kB of display lists\n\n"
                "  com.x/b\n  2 views, 0.50 kB of display lists\n\n"
                "\nTotal ViewRootImpl: 2\nTotal Views:        23\n"
                "Total DisplayList:  31.86 kB\n\n");
}

Test(hierarchy, releases_since_11_print_render_nodes)
{
    fill();
    print("11");
    expect_tail("\nView hierarchy:\n\n"
                "  com.x/a\n  21 views, 31.36 kB of render nodes\n\n"
                "  com.x/b\n  2 views, 0.50 kB of render nodes\n\n"
                "\nTotal ViewRootImpl   : 2\nTotal attached Views : 23\n"
                "Total RenderNode     : 31.86 kB (used) / 31.86 kB (capacity)\n\n");
}

Test(hierarchy, unknown_memory_is_printed_as_a_note)
{
    fill();
    windows[0].views_kb = -1;
    windows[2].views_kb = -1;
    print("11");
    expect_tail("Total RenderNode     : 0.00 kB (used) / 0.00 kB (capacity)\n\n"
                "Note: memory of views: not recorded\n");
}

Test(hierarchy, the_hierarchy_is_not_printed_without_view_counts)
{
    fill();
    windows[0].views = 0;
    windows[2].views = 0;
    print("11");
    cr_assert_null(strstr(dj_text_get(&text), "hierarchy"));
    cr_assert_null(strstr(dj_text_get(&text), "memory"));
}

static void read_text(const char *dump)
{
    struct dj_error err = {0};
    cr_assert_eq(dj_gfxinfo_parse_dump(dump, strlen(dump), &got, &report, &err), 0);
}

#define WINDOWS                                                                          \
    "** Graphics info for pid 7 [com.x] **\nProfile data in ms:\n"                       \
    "\n\tcom.x/a (visibility=0)\n\tcom.x/b (visibility=0)\n"

Test(hierarchy, the_hierarchy_of_a_device_is_read)
{
    read_text(WINDOWS "\nView hierarchy:\n\n  com.x/a\n  47 views, 74,63 kB of render "
                      "nodes\n\n  com.x/b\n  3 views, 1.00 kB of render nodes\n\n\n"
                      "Total ViewRootImpl   : 2\nTotal attached Views : 50\n");
    cr_assert_eq(got.processes[0].windows[0].views, 47);
    cr_assert_float_eq(got.processes[0].windows[0].views_kb, 74.63, 1e-6);
    cr_assert_eq(got.processes[0].windows[1].views, 3);
    cr_assert_eq(got.processes[0].section_count, 4, "all lines are also stored as text");
}

Test(hierarchy, a_root_without_a_window_is_ignored)
{
    read_text(WINDOWS "\nView hierarchy:\n\n  com.x/z\n  47 views, 74.63 kB of render "
                      "nodes\n\n  com.x/b\n  3 views, 1.00 kB of render nodes\n");
    cr_assert_eq(got.processes[0].windows[0].views, 0);
    cr_assert_eq(got.processes[0].windows[1].views, 3);
}

Test(hierarchy, a_title_cannot_create_a_line)
{
    fill();
    windows[0].title = "Total frames rendered: 12";
    windows[2].title = "** Graphics info for pid 3 [x] **";
    print("11");
    read_text(dj_text_get(&text));
    cr_assert_eq(got.process_count, 1);
    cr_assert_not(got.processes[0].stats.present);
    cr_assert_eq(got.processes[0].windows[0].views, 21);
    cr_assert_eq(got.processes[0].windows[2].views, 2);
}
