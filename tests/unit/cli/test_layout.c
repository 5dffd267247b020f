#include "cli/layout.h"

#include <criterion/criterion.h>

static void expect_text(struct dj_text *text, const char *expected)
{
    cr_assert_str_eq(dj_text_get(text), expected);
    dj_text_finish(text);
}

#define TEN "123456789 "

Test(layout, words_fill_80_columns)
{
    struct dj_text text = {0};
    dj_layout_wrap(&text, dj_str_of(TEN TEN TEN TEN TEN TEN TEN "1234567890 x"), 0, 2);
    expect_text(&text, TEN TEN TEN TEN TEN TEN TEN "1234567890\n  x\n");
}

Test(layout, a_word_beyond_80_columns_starts_a_line)
{
    struct dj_text text = {0};
    dj_layout_wrap(&text, dj_str_of(TEN TEN TEN TEN TEN TEN TEN "12345678901 x"), 0, 2);
    expect_text(&text, TEN TEN TEN TEN TEN TEN "123456789\n  12345678901 x\n");
}

Test(layout, a_character_of_several_bytes_is_one_column)
{
    cr_assert_eq(dj_str_count_characters(dj_str_of("ARG…")), 4);
}

Test(layout, short_brackets_are_not_broken)
{
    struct dj_text text = {0};
    dj_layout_wrap(&text, dj_str_of("option (default: 5)"), 70, 4);
    expect_text(&text, "option\n    (default: 5)\n");
}

Test(layout, long_brackets_are_broken)
{
    struct dj_text text = {0};
    dj_layout_wrap(&text, dj_str_of("(a text of more than twenty-four columns)"), 60, 4);
    expect_text(&text, "(a text of more than\n    twenty-four columns)\n");
}

Test(layout, a_long_term_has_its_own_line)
{
    struct dj_text text = {0};
    dj_layout_append_item(&text, dj_str_of("a"), dj_str_of("short"), 6);
    dj_layout_append_item(&text, dj_str_of("abcd"), dj_str_of("long"), 6);
    expect_text(&text, "  a   short\n  abcd\n      long\n");
}

Test(layout, a_description_has_paragraphs_and_lists)
{
    struct dj_text text = {0};
    dj_layout_append(&text, "Two forms:\none\tthe first\nthree\tthe last\nThe end.\n");
    expect_text(&text,
                "\nTwo forms:\n  one    the first\n  three  the last\n\nThe end.\n");
}
