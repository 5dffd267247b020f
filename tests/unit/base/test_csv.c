#include <criterion/criterion.h>

#include "base/csv.h"

static void expect_cell(const char *value, unsigned style, const char *want)
{
    struct dj_text text = {0};
    dj_csv_append_cell(&text, value, style);
    cr_expect_str_eq(dj_text_get(&text), want);
    dj_text_finish(&text);
}

Test(csv, formulas_get_an_apostrophe_and_numbers_do_not)
{
    static const char *const formulas[] = {
        "=1+1", "+1+1", "-2+3", "@SUM(A1)", "=",    "+",  "-",   "@",
        "-x",   "+-1",  "-1e",  "--1",      "-1 2", "-.", "-e1", "+1,5",
    };
    static const char *const plain_cells[] = {"-1",      "+1",  "-12.5", "+.5", "-1e9",
                                              "-1.5E-9", "1+1", "a=1",   "",    " =1",
                                              "0",       "'=1", "-1."};
    for (size_t i = 0; i < sizeof(formulas) / sizeof(formulas[0]); i++) {
        struct dj_text text = {0};
        dj_csv_append_cell(&text, formulas[i], 0);
        const char *cell = dj_text_get(&text);
        cr_expect(cell[0] == '\'' || (cell[0] == '"' && cell[1] == '\''), "%s", cell);
        dj_text_finish(&text);
    }
    for (size_t i = 0; i < sizeof(plain_cells) / sizeof(plain_cells[0]); i++) {
        expect_cell(plain_cells[i], 0, plain_cells[i]);
    }
}

Test(csv, quotes_are_added_if_needed_or_requested)
{
    expect_cell("a b;c", 0, "a b;c");
    expect_cell("a,b", 0, "\"a,b\"");
    expect_cell("a\nb", 0, "\"a\nb\"");
    expect_cell("say \"x\"", 0, "\"say \"\"x\"\"\"");
    expect_cell("=a,\"b\"", 0, "\"'=a,\"\"b\"\"\"");
    expect_cell("a", DJ_CSV_QUOTED, "\"a\"");
    expect_cell("-1", DJ_CSV_QUOTED, "\"-1\"");
    expect_cell("=1", DJ_CSV_QUOTED, "\"'=1\"");
    expect_cell(NULL, 0, "");
    expect_cell(NULL, DJ_CSV_QUOTED, "\"\"");
}

Test(csv, control_characters_are_escaped)
{
    expect_cell("a\x1b[2J", 0, "a\\x1b[2J");
    expect_cell("a\tb\nc", DJ_CSV_QUOTED | DJ_CSV_ONE_LINE, "\"a\\x09b\\x0ac\"");
}
