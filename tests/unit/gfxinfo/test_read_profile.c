#include <criterion/criterion.h>
#include <string.h>

#include "support.h"

TestSuite(parse_profile, .fini = finish_reading);

Test(parse_profile, simple_dumps_of_4_and_5_are_read)
{
    cr_assert_eq(
        parse("Profile data in ms:\n\n\ta "
              "(visibility=0)\n\tDraw\tPrepare\tProcess\tExecute\n"
              "\t1.25\t0.30\t12.00\t50.00\n\t0,35 0,01 2,00 3\n\n\tb (visibility=0)\n"
              "\tDraw\tProcess\tExecute\n\t1.00\t2.00\t3.00\n\t1.00\t2.00\n"
              "View hierarchy:\n  12 13 14\n"),
        0);
    const struct dj_dump_process *process = &dump.processes[0];
    cr_assert_eq(process->window_count, 2);
    const struct dj_dump_window *window = &process->windows[0];
    cr_assert(window->has_profile);
    cr_assert_eq(window->profile_count, 2);
    cr_assert_float_eq(window->profile[0].draw_ms, 1.25F, 1e-6F);
    cr_assert_float_eq(window->profile[0].execute_ms, 50.0F, 1e-6F);
    cr_assert_float_eq(window->profile[1].draw_ms, 0.35F, 1e-6F);
    cr_assert_float_eq(window->profile[1].execute_ms, 3.0F, 1e-6F);
    window = &process->windows[1];
    cr_assert_eq(window->profile_count, 2);
    cr_assert(window->profile_lacks_prepare);
    cr_assert_lt(window->profile[0].prepare_ms, 0);
    cr_assert_float_eq(window->profile[1].process_ms, 2.0F, 1e-6F);
    cr_assert_lt(window->profile[1].execute_ms, 0, "cut, so unknown");
    cr_assert_float_eq(window->profile[0].process_ms, 2.0F, 1e-6F);
    cr_assert_eq(report.rows_bad, 1);
}

static void expect_ms(const struct dj_profile_row *row, double draw, double prepare,
                      double process, double execute)
{
    cr_expect_float_eq((double)row->draw_ms, draw, 1e-5, "draw: %f",
                       (double)row->draw_ms);
    cr_expect_float_eq((double)row->prepare_ms, prepare, 1e-5, "prepare: %f",
                       (double)row->prepare_ms);
    cr_expect_float_eq((double)row->process_ms, process, 1e-5, "process: %f",
                       (double)row->process_ms);
    cr_expect_float_eq((double)row->execute_ms, execute, 1e-5, "execute: %f",
                       (double)row->execute_ms);
}

/* Parses rows of a table with this header, of Android 5 or 4. */
static const struct dj_dump_window *parse_rows_of(const char *header, const char *rows)
{
    struct dj_text text = {0};
    dj_text_format(&text,
                   "Profile data in ms:\n\n\ta (visibility=0)\n%s\n%s\n"
                   "View hierarchy:\n",
                   header, rows);
    cr_assert_eq(parse_text(&text), 0);
    dj_text_finish(&text);
    return only_window();
}

#define FOUR "\tDraw\tPrepare\tProcess\tExecute"
#define THREE "\tDraw\tProcess\tExecute"

Test(parse_profile, headers_may_have_any_spacing)
{
    static const char *const headers[] = {
        FOUR,
        "Draw Prepare Process Execute",
        "        Draw    Prepare Process Execute",
        "Draw\tPrepare\tProcess\tExecute\t",
        "\tDraw\tPrepare\tProcess\tExecute\r",
        "> \tDraw\tPrepare\tProcess\tExecute",
    };
    for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
        const struct dj_dump_window *window =
            parse_rows_of(headers[i], "\t1.00\t2.00\t3.00\t4.00");
        cr_assert(window->has_profile, "\"%s\"", headers[i]);
        cr_assert_not(window->profile_lacks_prepare);
        cr_assert_eq(window->profile_count, 1);
        expect_ms(&window->profile[0], 1, 2, 3, 4);
    }
    cr_assert_not(parse_rows_of("\tDraw\tPrepare\tProcess", "\t1.00")->has_profile);
    cr_assert_not(
        parse_rows_of("\tDraw\tPrepare\tProcess\tExecute\tmore", "1.00")->has_profile);
}

Test(parse_profile, numbers_of_real_devices_are_read)
{
    const struct dj_dump_window *window =
        parse_rows_of(FOUR, "\t0,35\t0,01\t12,00\t50,00\n"
                            "0.35 0.01 12.00 50.00\n"
                            "  0.35\t 0.01   12.00  50.00  \n"
                            "\t0.00\t0.00\t0.00\t0.00\n"
                            "\t123456789012345678901234567890.00\t0.10\t0.20\t0.30");
    cr_assert_eq(window->profile_count, 5);
    for (size_t i = 0; i < 3; i++) {
        expect_ms(&window->profile[i], 0.35, 0.01, 12, 50);
    }
    expect_ms(&window->profile[3], 0, 0, 0, 0);
    cr_assert_float_eq((double)window->profile[4].draw_ms, 1e9, 1e3);
    cr_assert_float_eq((double)window->profile[4].execute_ms, 0.3, 1e-5);
    cr_assert_eq(report.rows, 5);
    cr_assert_eq(report.rows_bad, 0);
}

Test(parse_profile, remarks_after_rows_are_ignored)
{
    const struct dj_dump_window *window =
        parse_rows_of(FOUR, "\t1.00\t2.00\t3.00\t4.00  // the list opens\n"
                            "\t1.00\t2.00\t3.00\t4.00 # 12.00\n"
                            "\t1.00\t2.00\t3.00 // cut\n"
                            "\t1.00\t2.00\t3.0 // cut in a number\n");
    cr_assert_eq(window->profile_count, 4);
    expect_ms(&window->profile[0], 1, 2, 3, 4);
    expect_ms(&window->profile[1], 1, 2, 3, 4);
    expect_ms(&window->profile[2], 1, 2, 3, -1);
    expect_ms(&window->profile[3], 1, 2, -1, -1);
    cr_assert_eq(report.rows_bad, 2);
    cr_assert_eq(warnings_in(&report), 2);
    cr_assert_eq(report.warning[0].line, 7);
}

/* An unknown value is −1, never 0. */
Test(parse_profile, truncated_rows_have_unknown_values)
{
    const struct dj_dump_window *window =
        parse_rows_of(FOUR, "\t1.00\t2.00\t3.00\n\t1.00\t2.00\t3.0\n\t1.00\n\t1.\n\t1\n"
                            "\t1.00\t2.00\t3.00\t4.00\t5.00\n"
                            "\t1.00\t2.00\t3.00\t4.00\t5.00\t6.00\t7.00");
    cr_assert_eq(report.rows, 7);
    cr_assert_eq(report.rows_bad, 7);
    cr_assert_eq(warnings_in(&report), 7);
    cr_assert_eq(window->profile_count, 7);
    expect_ms(&window->profile[0], 1, 2, 3, -1);
    expect_ms(&window->profile[1], 1, 2, -1, -1);
    expect_ms(&window->profile[2], 1, -1, -1, -1);
    for (size_t i = 3; i < 7; i++) {
        expect_ms(&window->profile[i], -1, -1, -1, -1);
    }
}

Test(parse_profile, rows_of_three_columns_are_read)
{
    const struct dj_dump_window *window = parse_rows_of(
        THREE, "\t1.00\t2.00\t3.00\n\t1.00\t2.00\n\t1,00\t2,0\n\t1.00\t2.00\t3.00\t4.00");
    cr_assert(window->profile_lacks_prepare);
    cr_assert_eq(window->profile_count, 4);
    expect_ms(&window->profile[0], 1, -1, 2, 3);
    expect_ms(&window->profile[1], 1, -1, 2, -1);
    expect_ms(&window->profile[2], 1, -1, -1, -1);
    expect_ms(&window->profile[3], -1, -1, -1, -1);
    cr_assert_eq(report.rows_bad, 3);
}

/* If the text is truncated anywhere, complete rows are right, and no number of the last
 * row lacks digits. */
Test(parse_profile, a_table_truncated_anywhere_has_no_wrong_number)
{
    static const char text[] = "\ta (visibility=0)\n\tDraw\tPrepare\tProcess\tExecute\n"
                               "\t1.25\t10.50\t3.75\t50.00\n\t2.25\t11.50\t4.75\t6.25\n";
    static const double want[2][4] = {{1.25, 10.5, 3.75, 50}, {2.25, 11.5, 4.75, 6.25}};
    size_t header = (size_t)(strstr(text, "Execute") - text) + strlen("Execute");
    for (size_t length = header; length < sizeof(text); length++) {
        cr_assert_eq(parse_bytes(text, length), 0);
        const struct dj_dump_window *window = only_window();
        cr_assert(window->has_profile);
        for (size_t i = 0; i < window->profile_count; i++) {
            const struct dj_profile_row *row = &window->profile[i];
            const float got[4] = {row->draw_ms, row->prepare_ms, row->process_ms,
                                  row->execute_ms};
            for (size_t k = 0; k < 4; k++) {
                cr_assert(got[k] < 0 ? i + 1 == window->profile_count
                                     : (double)got[k] == want[i][k],
                          "truncated at %zu: row %zu, column %zu is %f", length, i, k,
                          (double)got[k]);
            }
        }
    }
}

/* Android 4 prints no visibility after a title, and the view hierarchy contains the same
 * names. */
Test(parse_profile, titles_of_4_are_read)
{
    cr_assert_eq(parse("** Graphics info for pid 1 [com.x] **\n\nProfile data in ms:\n\n"
                       "\tcom.x/com.x.Main/android.view.ViewRootImpl@4273b328\n" THREE
                       "\n\t1.00\t2.00\t3.00\n\n"
                       "\tcom.x/com.x.Other/android.view.ViewRootImpl@42f0a1c0\n" THREE
                       "\n\t4.00\t5.00\t6.00\n\t7.00\t8.00\t9.00\n\n"
                       "View hierarchy:\n\n"
                       "  com.x/com.x.Main/android.view.ViewRootImpl@4273b328\n"
                       "  12 views, 3.45 kB of display lists\n\n"
                       "Total ViewRootImpl: 2\n"),
                 0);
    const struct dj_dump_process *process = only_process();
    cr_assert_eq(process->window_count, 2);
    cr_assert_str_eq(process->windows[0].title,
                     "com.x/com.x.Main/android.view.ViewRootImpl@4273b328");
    cr_assert_eq(process->windows[0].visibility, -1);
    cr_assert_eq(process->windows[0].profile_count, 1);
    cr_assert_eq(process->windows[1].profile_count, 2);
    expect_ms(&process->windows[1].profile[1], 7, -1, 8, 9);
    cr_assert_null(dump.dialect, "no dialect prints three columns");
    cr_assert_eq(warnings_in(&report), 0);
}

Test(parse_profile, a_second_table_belongs_to_another_window)
{
    cr_assert_eq(
        parse(FOUR "\n\t1.00\t2.00\t3.00\t4.00\n" FOUR "\n\t5.00\t6.00\t7.00\t8.00\n"),
        0);
    cr_assert_eq(only_process()->window_count, 2);
    expect_ms(&only_process()->windows[0].profile[0], 1, 2, 3, 4);
    expect_ms(&only_process()->windows[1].profile[0], 5, 6, 7, 8);
}

Test(parse_profile, a_title_may_look_like_a_row)
{
    cr_assert_eq(parse(FOUR "\n\t1.00\t2.00\t3.00\t4.00\n\t5.00 // 6 (visibility=4)\n"),
                 0);
    cr_assert_eq(only_process()->window_count, 2);
    cr_assert_eq(only_process()->windows[0].profile_count, 1);
    cr_assert_str_eq(only_process()->windows[1].title, "5.00 // 6");
}

/* A table and framestats after one title belong to one window. */
Test(parse_profile, table_statistics_and_rows_belong_to_one_window)
{
    cr_assert_eq(
        parse("\ta (visibility=0)\n" FOUR "\n\t1.00\t2.00\t3.00\t4.00\n\nWindow: "
              "a\nTotal frames rendered: 9\n---PROFILEDATA---\n"
              "Flags,IntendedVsync,FrameCompleted,\n0,1,2,\n---PROFILEDATA---\n"),
        0);
    cr_assert_eq(only_window()->profile_count, 1);
    cr_assert_eq(only_window()->frame_count, 1);
    cr_assert_eq(only_window()->stats.stats.counter[DJ_COUNTER_TOTAL], 9);
    cr_assert_eq(report.rows, 2);
}
