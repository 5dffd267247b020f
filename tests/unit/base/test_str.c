#include "base/str.h"
#include "base/text.h"

#include <criterion/criterion.h>

/* A view of text without a NUL after it. */
#define STR(literal) ((struct dj_str){(literal), sizeof(literal) - 1})

Test(str, equality_compares_all_bytes)
{
    struct dj_str mono = {"mono_raw", 4};
    cr_expect(dj_str_is(mono, "mono") && !dj_str_is(mono, "mono_raw"));
    cr_expect(!dj_str_is(mono, "mon") && !dj_str_is(mono, ""));
    cr_expect(dj_str_is((struct dj_str){0}, "") && !dj_str_is((struct dj_str){0}, "a"));
    cr_expect(!dj_str_is(STR("a\0b"), "a"));
    cr_expect(dj_str_equal(mono, STR("mono")) && !dj_str_equal(mono, STR("mona")));
    cr_expect(dj_str_equal((struct dj_str){0}, STR("")) && !dj_str_equal(mono, STR("")));
    cr_expect(dj_str_is_caseless(STR("FrameTime"), "frametime"));
    cr_expect(!dj_str_is_caseless(STR("FrameTime"), "frametimes"));
    cr_expect(dj_str_is_caseless((struct dj_str){0}, ""));
    cr_expect(dj_str_is(dj_str_of("a b"), "a b"));
}

Test(str, prefix_and_suffix_stay_within_the_text)
{
    struct dj_str text = {"abcdef", 3};
    cr_expect(dj_str_begins(text, "") && dj_str_begins(text, "abc"));
    cr_expect(!dj_str_begins(text, "abcd") && !dj_str_begins(text, "b"));
    cr_expect(dj_str_ends(text, "") && dj_str_ends(text, "bc"));
    cr_expect(!dj_str_ends(text, "def") && !dj_str_ends(text, "xabc"));
    cr_expect(dj_str_begins((struct dj_str){0}, "") &&
              !dj_str_ends((struct dj_str){0}, "a"));
}

Test(str, trims_blanks_tabs_and_carriage_returns)
{
    cr_expect(dj_str_is(dj_str_trim(STR(" \t\r a b\r \t")), "a b"));
    cr_expect(dj_str_is(dj_str_trim(STR(" \t\r")), ""));
    cr_expect(dj_str_is(dj_str_trim((struct dj_str){0}), ""));
    cr_expect(dj_str_is(dj_str_trim(STR("\na")), "\na"));
}

/* UBSan would report an offset from NULL. */
Test(str, leaves_out_the_first_bytes)
{
    cr_expect(dj_str_is(dj_str_from(STR("abc"), 1), "bc"));
    cr_expect(dj_str_is(dj_str_from(STR("abc"), 3), ""));
    cr_expect(dj_str_is(dj_str_from((struct dj_str){0}, 0), ""));
}

Test(str, splits_lines)
{
    struct dj_str rest = STR("one\r\n\n two \nthree"), line;
    static const char *const lines[] = {"one", "", "two", "three"};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        cr_assert(dj_str_next_line(&rest, &line));
        cr_expect(dj_str_is(line, lines[i]), "%.*s", (int)line.length, line.at);
    }
    cr_expect(!dj_str_next_line(&rest, &line));
    cr_expect(dj_str_is(line, "three"));
}

Test(str, after_and_until_split_at_a_word)
{
    struct dj_str rest = {0};
    cr_expect(dj_str_after(STR("a=1 a=2"), "a=", &rest) && dj_str_is(rest, "1 a=2"));
    cr_expect(!dj_str_after((struct dj_str){"a=", 1}, "a=", &rest));
    cr_expect(!dj_str_after((struct dj_str){0}, "a", &rest) && dj_str_is(rest, "1 a=2"));
    cr_expect(dj_str_is(dj_str_until(STR(" a b,c;d"), ";,"), "a b"));
    cr_expect(dj_str_is(dj_str_until(STR("a b"), ";,"), "a b"));
    cr_expect(dj_str_is(dj_str_until(STR(";"), ";,"), ""));
}

Test(str, reads_whole_numbers)
{
    int64_t value;
    cr_expect(dj_str_int(STR(" 12ms"), &value) && value == 12);
    cr_expect(dj_str_int(STR("-5"), &value) && value == -5);
    cr_expect(dj_str_int((struct dj_str){"1234", 2}, &value) && value == 12);
    cr_expect(dj_str_int(STR("999999999999999999"), &value));
    cr_expect(value == INT64_C(999999999999999999));
    cr_expect(!dj_str_int(STR("1000000000000000000"), &value));
    cr_expect(!dj_str_int(STR("-"), &value) && !dj_str_int(STR("+1"), &value));
    cr_expect(!dj_str_int((struct dj_str){0}, &value));
}

Test(str, reads_fractions_in_any_locale)
{
    double value;
    cr_expect(dj_str_double(STR("59.94 Hz"), &value) && value == 59.94);
    cr_expect(dj_str_double(STR("-.5"), &value) && value == -0.5);
    cr_expect(dj_str_double(STR("1.2.3"), &value) && value == 1.2);
    cr_expect(dj_str_double(STR("1,5"), &value) && value == 1);
    cr_expect(!dj_str_double(STR("."), &value) && !dj_str_double(STR(""), &value));
}

Test(str, copy_is_truncated_to_the_capacity)
{
    char room[6];
    dj_text_copy_escaped(STR(" ab "), room, sizeof(room));
    cr_expect_str_eq(room, "ab");
    dj_text_copy_escaped(STR("abcdefgh"), room, sizeof(room));
    cr_expect_str_eq(room, "abcde");
    dj_text_copy_escaped(STR("\x1b["), room, sizeof(room));
    cr_expect_str_eq(room, "\\x1b[");
    dj_text_copy_escaped(STR("ab"), room, 1);
    cr_expect_str_eq(room, "");
}
