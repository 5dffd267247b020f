#include <criterion/criterion.h>

#include "report/terminal/lines.h"
#include "report/trace/table.h"

static const struct dj_trace_column columns[] = {{"count", NULL, 9, 7},
                                                 {"total", "ms", 12, 10}};
static const struct dj_trace_table by_text = {columns, 2, "section", false};
static const struct dj_trace_table by_number = {columns, 2, "share", true};

static void add_row(struct dj_table_writer *paper, const char *count, const char *total,
                    const char *words)
{
    dj_trace_table_begin_row(paper);
    dj_text_format(&paper->text, "%9s", count);
    dj_trace_table_end_number(paper);
    dj_text_format(&paper->text, "%12s", total);
    dj_trace_table_end_number(paper);
    dj_text_add(&paper->text, words);
    dj_trace_table_end_row(paper);
}

/* Writes a table of two rows. A width of 0 is that of an output without a terminal. */
static void expect_table(const struct dj_trace_table *table, int width,
                         const char *expected)
{
    const struct dj_terminal_style style = {.width = width > 0 ? width : 80};
    struct dj_table_writer paper = {.style = &style, .fits_width = width > 0};
    dj_trace_table_begin(&paper, table);
    add_row(&paper, "12", "3.250", "draw  the list of names");
    add_row(&paper, "", "open", "wait");
    cr_expect_str_eq(dj_text_get(&paper.text), expected);
    dj_text_finish(&paper.text);
}

Test(trace_table, without_a_terminal_a_row_is_one_line)
{
    expect_table(&by_text, 0,
                 "\n    count     total ms  section\n"
                 "       12        3.250  draw  the list of names\n"
                 "                  open  wait\n");
}

Test(trace_table, on_a_terminal_the_text_has_as_many_lines_as_it_needs)
{
    expect_table(&by_text, 60,
                 "\n  count   total ms  section\n"
                 "     12      3.250  draw  the list of names\n"
                 "              open  wait\n");
    expect_table(&by_text, 40,
                 "\n  count   total ms  section\n"
                 "     12      3.250  draw  the list of\n"
                 "                    names\n"
                 "              open  wait\n");
}

Test(trace_table, a_narrow_terminal_has_no_columns)
{
    expect_table(&by_text, 36,
                 "\nsection\ndraw  the list of names\n"
                 "  count 12, total 3.250 ms\n"
                 "wait\n"
                 "  total open\n");
    expect_table(&by_text, 20,
                 "\nsection\ndraw  the list of\n"
                 "  names\n"
                 "  count 12,\n"
                 "  total 3.250 ms\n"
                 "wait\n"
                 "  total open\n");
}

Test(trace_table, a_first_number_that_names_the_row_is_its_title)
{
    expect_table(&by_number, 36,
                 "\ncount 12\n"
                 "  total 3.250 ms, share: draw  the\n"
                 "  list of names\n"
                 "\n"
                 "  total open, share: wait\n");
}

Test(trace_table, a_row_with_a_number_beyond_its_column_is_not_cut)
{
    const struct dj_terminal_style style = {.width = 40};
    struct dj_table_writer paper = {.style = &style, .fits_width = true};
    dj_trace_table_begin(&paper, &by_text);
    add_row(&paper, "1", "9223372036854.775", "draw");
    cr_expect_str_eq(dj_text_get(&paper.text), "\n  count   total ms  section\n"
                                               "draw\n"
                                               "  count 1, total 9223372036854.775 ms\n");
    dj_text_finish(&paper.text);
}

Test(trace_table, a_glued_pair_stays_on_one_line)
{
    const struct dj_terminal_style style = {.width = 40};
    struct dj_table_writer paper = {.style = &style, .fits_width = true};
    dj_trace_table_begin(&paper, &by_text);
    add_row(&paper, "1", "2.000", "1200.0:" DJ_GLUE "50.0 %, 600.0:" DJ_GLUE "50.0 %");
    cr_expect_str_eq(dj_text_get(&paper.text), "\n  count   total ms  section\n"
                                               "      1      2.000  1200.0: 50.0 %,\n"
                                               "                    600.0: 50.0 %\n");
    dj_text_finish(&paper.text);
}
