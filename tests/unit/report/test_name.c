#include <criterion/criterion.h>
#include <string.h>

#include "memory/memory.h"
#include "report/escape/name.h"

static const struct {
    const char *name;
    const char *unicode;
    const char *ascii;
} names[] = {
    {"com.example.app", "com.example.app", "com.example.app"},
    {"it's \"quoted\"; $(x)", "it's \"quoted\"; $(x)", "it's \"quoted\"; $(x)"},
    {"Größe 漢字", "Größe 漢字", "Gr\\u00F6\\u00DFe \\u6F22\\u5B57"},
    {"a\nb\tc", "a\\x0Ab\\x09c", "a\\x0Ab\\x09c"},
    {"\033[31mred\033[0m", "\\x1B[31mred\\x1B[0m", "\\x1B[31mred\\x1B[0m"},
    {"c1 \xc2\x9b"
     "2J",
     "c1 \\u009B2J", "c1 \\u009B2J"},
    {"right \xe2\x80\xae left", "right \\u202E left", "right \\u202E left"},
    {"cut \xe6\xbc", "cut \\xE6\\xBC", "cut \\xE6\\xBC"},
    {"lone \xff", "lone \\xFF", "lone \\xFF"},
    {"overlong \xc0\xaf", "overlong \\xC0\\xAF", "overlong \\xC0\\xAF"},
    {"surrogate \xed\xa0\x80", "surrogate \\xED\\xA0\\x80", "surrogate \\xED\\xA0\\x80"},
    {"🎞", "🎞", "\\U0001F39E"},
    {"", "", ""},
};

Test(name, escapes_what_would_move_a_cursor)
{
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct dj_text unicode = {0};
        struct dj_text ascii = {0};
        dj_name_escape(&unicode, names[i].name, false);
        dj_name_escape(&ascii, names[i].name, true);
        cr_expect_str_eq(dj_text_get(&unicode), names[i].unicode);
        cr_expect_str_eq(dj_text_get(&ascii), names[i].ascii);
        dj_text_finish(&unicode);
        dj_text_finish(&ascii);
    }
}

Test(name, counts_columns_as_a_terminal_does)
{
    cr_expect_eq(dj_name_count_columns("abc"), 3);
    cr_expect_eq(dj_name_count_columns("Größe"), 5);
    cr_expect_eq(dj_name_count_columns("漢字"), 4);
    cr_expect_eq(dj_name_count_columns("e\xcc\x81"), 1,
                 "a combining accent takes no column");
    cr_expect_eq(dj_name_count_columns("🎞"), 2);
    cr_expect_eq(dj_name_count_columns(""), 0);
}

Test(name, never_reads_past_the_end)
{
    static const char cut[] = {'\xf0', '\x9f', '\x8e'};
    for (size_t length = 1; length <= sizeof(cut); length++) {
        struct dj_character one = dj_name_read_character(cut, length);
        cr_expect_eq(one.bytes, 1);
        cr_expect_eq(one.code, -1);
    }
}

Test(name, shortens_to_a_number_of_columns)
{
    struct dj_text text = {0};
    dj_text_add(&text, "äöü 日本語");
    dj_name_shorten(&text, 10);
    cr_expect_str_eq(dj_xtext(&text), "äöü 日本語");
    dj_name_shorten(&text, 9);
    cr_expect_str_eq(dj_xtext(&text), "äöü 日本…");
    dj_name_shorten(&text, 8);
    cr_expect_str_eq(dj_xtext(&text), "äöü 日…");
    dj_name_shorten(&text, 1);
    cr_expect_str_eq(dj_xtext(&text), "…");
    dj_text_finish(&text);
}
