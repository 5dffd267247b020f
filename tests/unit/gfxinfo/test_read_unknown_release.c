/* Tests rows without a header and with an unknown number of columns. */
#include <criterion/criterion.h>

#include "support.h"

static struct dj_text text;

static void finish(void)
{
    dj_text_finish(&text);
    finish_reading();
}

TestSuite(unknown_release, .fini = finish);

/* Appends rows of 26 columns: flags and 25 timestamps. */
static void append_unknown_rows(struct dj_text *out, size_t rows)
{
    for (size_t i = 0; i < rows; i++) {
        dj_text_add(out, "0,");
        for (size_t k = 0; k < 25; k++) {
            dj_text_format(out, "%zu,", 1000000000 + 16000000 * i + k);
        }
        dj_text_add(out, "\n");
    }
}

static void expect_unreadable(size_t rows, size_t line)
{
    cr_assert_eq(parse_text(&text), 0);
    const struct dj_dump_window *window = only_window();
    cr_assert_eq(window->frame_count, 0);
    cr_assert_eq(window->rows_unreadable, rows, "%zu", window->rows_unreadable);
    cr_assert_eq(window->rows_beyond, rows);
    cr_assert_eq(window->unreadable_columns, 26);
    const struct dj_parse_warning *warning = warning_of(
        "expected 13, 14, 16, 17, 22, 23, 24 or 25 columns, found 26, so these rows");
    cr_assert_not_null(warning);
    cr_assert_eq(warning->line, line);
    cr_assert_eq(report.rows_bad, rows);
}

Test(unknown_release, rows_are_counted_and_reported_once)
{
    for (size_t rows = 1; rows <= 120; rows += 17) {
        dj_text_clear(&text);
        dj_text_add(&text, "\n---PROFILEDATA---\n");
        append_unknown_rows(&text, rows);
        dj_text_add(&text, "---PROFILEDATA---\n");
        expect_unreadable(rows, 3);
        cr_assert_eq(warnings_in(&report), 1);
    }
}

Test(unknown_release, rows_are_found_without_markers)
{
    dj_text_add(&text, "some text\n");
    append_unknown_rows(&text, 3);
    dj_text_add(&text, "some text\n");
    expect_unreadable(3, 2);
}

/* The opening marker of the next block does not close the rows above it. */
Test(unknown_release, a_block_after_the_rows_is_read)
{
    append_unknown_rows(&text, 2);
    dj_text_add(&text, "\n\n---PROFILEDATA---\n"
                       "Flags,IntendedVsync,FrameCompleted,\n0,1,2,\n"
                       "---PROFILEDATA---\n");
    cr_assert_eq(parse_text(&text), 0);
    cr_assert_eq(only_process()->window_count, 2);
    cr_assert_eq(only_process()->windows[0].rows_unreadable, 2);
    cr_assert_eq(only_process()->windows[1].frame_count, 1);
    cr_assert_not(warned_of("ignored"));
}

/* Other texts contain tables of numbers too. */
Test(unknown_release, few_or_unfinished_numbers_are_not_rows)
{
    static const char *const lines[] = {
        "0,1,2,3,4,5,6,7,8,9,10,11,\n",           /* Only 12 columns. */
        "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14\n",   /* No comma at the end. */
        "99,1,2,3,4,5,6,7,8,9,10,11,12,13,14,\n", /* The first number cannot be flags. */
        "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,x,16,\n", /* A word. */
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        cr_assert_eq(parse(lines[i]), DJ_E_NO_DATA, "line %zu", i);
    }
}
