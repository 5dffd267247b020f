#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static struct dj_text text;

static void finish(void)
{
    dj_text_finish(&text);
}

TestSuite(text, .fini = finish);

Test(text, empty_text_is_an_empty_string)
{
    cr_assert_str_eq(dj_text_get(&text), "");
    dj_text_append(&text, "x", 0);
    cr_assert_str_eq(dj_text_get(&text), "");
    cr_assert_eq(text.length, 0);
    cr_assert_not(text.failed);
}

Test(text, appends_every_kind_of_value)
{
    dj_text_add(&text, "a");
    dj_text_append(&text, "bc", 1);
    dj_text_append_int(&text, -7);
    dj_text_format(&text, "%s%03d", "x", 5);
    cr_assert_str_eq(dj_text_get(&text), "ab-7x005");
    cr_assert_eq(text.length, 8);
}

Test(text, integers_at_the_limits)
{
    dj_text_append_int(&text, INT64_MIN);
    dj_text_add(&text, " ");
    dj_text_append_int(&text, INT64_MAX);
    dj_text_add(&text, " ");
    dj_text_append_int(&text, 0);
    cr_assert_str_eq(dj_text_get(&text), "-9223372036854775808 9223372036854775807 0");
}

Test(text, integers_of_every_length)
{
    int64_t value = 0;
    for (int digits = 1; digits <= 19; digits++) {
        char want[64];
        value = value * 10 + digits % 10;
        for (int step = -1; step <= 1; step++) {
            snprintf(want, sizeof(want), "%lld %lld", (long long)(value + step),
                     -(long long)(value + step));
            dj_text_clear(&text);
            dj_text_append_int(&text, value + step);
            dj_text_add(&text, " ");
            dj_text_append_int(&text, -(value + step));
            cr_assert_str_eq(dj_text_get(&text), want);
        }
    }
}

Test(text, reserved_bytes_are_filled_by_the_caller)
{
    for (int i = 0; i < 1000; i++) {
        char *room = dj_text_reserve(&text, 3);
        cr_assert_not_null(room);
        memcpy(room, "abc", 3);
    }
    cr_assert_eq(text.length, 3000);
    cr_assert_eq(strlen(dj_text_get(&text)), 3000);
    cr_assert_eq(memcmp(text.data + 2997, "abc", 4), 0);
    text.maximum = 3001;
    cr_assert_null(dj_text_reserve(&text, 2));
    cr_assert(text.failed);
    cr_assert_eq(text.length, 3000);
}

Test(text, grows_beyond_each_capacity)
{
    for (int i = 0; i < 10000; i++) {
        dj_text_append(&text, "0123456789", 10);
    }
    cr_assert_eq(text.length, 100000);
    cr_assert_eq(text.data[100000], '\0');
    cr_assert_eq(memcmp(text.data + 99990, "0123456789", 10), 0);
}

Test(text, formats_a_string_longer_than_the_capacity)
{
    char piece[1000];
    memset(piece, 'p', sizeof(piece) - 1);
    piece[sizeof(piece) - 1] = '\0';
    dj_text_format(&text, "%s", piece);
    cr_assert_eq(text.length, 999);
    cr_assert_str_eq(dj_text_get(&text), piece);
}

/* Values half-way between two results, values that gain a digit by rounding, values
 * outside the fast range, and many random ones. */
Test(text, thousandths_equal_the_output_of_printf)
{
    static const double some[] = {0,       0.0005,     0.0015, 0.0025,   0.1235,
                                  0.9995,  1.0005,     9.9995, 99.999,   1e8,
                                  9.999e8, 999999999., 1e9,    1e15,     -0.0,
                                  -1.5,    1e300,      NAN,    INFINITY, 0.00049999999};
    enum { SOME = sizeof(some) / sizeof(some[0]), MANY = 20000 };
    uint64_t chance = 1;
    for (int i = 0; i < SOME + MANY; i++) {
        chance = chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double value = i < SOME ? some[i]
                                : (double)(chance >> 33) / (i % 3 == 0   ? 1e6
                                                            : i % 3 == 1 ? 2000
                                                                         : 1e4 / 3);
        int width = i % 17;
        struct dj_text expected = {0};
        dj_text_clear(&text);
        dj_text_append_thousandths(&text, width, value);
        dj_text_format(&expected, "%*.3f", width, value);
        cr_assert_str_eq(dj_text_get(&text), dj_text_get(&expected));
        dj_text_finish(&expected);
    }
}

/* The free space fits a part of the string, but the maximum forbids more. */
Test(text, formatting_stops_at_the_maximum)
{
    text.maximum = 8;
    dj_text_format(&text, "%d", 1234);
    dj_text_format(&text, "%d", 56789);
    cr_assert(text.failed && text.full);
    cr_assert_str_eq(text.data, "1234");
    dj_text_clear(&text);
    dj_text_format(&text, "%d", 1234567);
    cr_assert(!text.failed);
    cr_assert_str_eq(text.data, "1234567");
    dj_text_format(&text, "%d", 1);
    cr_assert(text.failed);
}

Test(text, appends_bytes_including_nul)
{
    dj_text_append(&text, "a\0b", 3);
    cr_assert_eq(text.length, 3);
    cr_assert_eq(memcmp(text.data, "a\0b", 4), 0);
}

Test(text, exceeding_the_maximum_fails_permanently)
{
    text.maximum = 5;
    dj_text_add(&text, "12345");
    cr_assert_not(text.failed);
    dj_text_add(&text, "6");
    cr_assert(text.failed);
    cr_assert(text.full, "not memory");
    cr_assert_str_eq(dj_text_get(&text), "12345");
    dj_text_append(&text, "", 0);
    dj_text_clear(&text);
    cr_assert_not(text.failed);
    cr_assert_not(text.full);
    dj_text_add(&text, "1");
    cr_assert_str_eq(dj_text_get(&text), "1");
}

Test(text, finish_leaves_an_empty_text_with_the_same_maximum)
{
    text.maximum = 9;
    dj_text_add(&text, "x");
    dj_text_finish(&text);
    cr_assert_null(text.data);
    cr_assert_eq(text.maximum, 9);
    dj_text_add(&text, "y");
    cr_assert_str_eq(dj_text_get(&text), "y");
}

static void expect_escaped(const char *bytes, size_t length, const char *want)
{
    dj_text_clear(&text);
    dj_text_append_escaped(&text, bytes, length);
    cr_assert_str_eq(dj_text_get(&text), want);
}

Test(text, control_characters_are_escaped_as_hex)
{
    expect_escaped("a\tb\n", 4, "a\tb\n");
    expect_escaped("\x1b[2J", 4, "\\x1b[2J");
    expect_escaped("\r\x07\x7f\0", 4, "\\x0d\\x07\\x7f\\x00");
}

Test(text, utf8_is_kept_and_other_bytes_are_escaped)
{
    static const struct {
        const char *bytes, *want;
    } rows[] = {
        {"é", "é"},
        {"世界", "世界"},
        {"🎞", "🎞"},
        {"\xff", "\\xff"},
        {"\xc3", "\\xc3"},                            /* Truncated. */
        {"\xc0\xaf", "\\xc0\\xaf"},                   /* Overlong. */
        {"\xe0\x80\xaf", "\\xe0\\x80\\xaf"},          /* Overlong. */
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"},          /* Surrogate. */
        {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"}, /* Above U+10FFFF. */
        {"\xc2\x9b"
         "2J",
         "\\xc2\\x9b2J"}, /* C1 control character CSI. */
        {"a\xe2\x80\xae"
         "b",
         "a\\xe2\\x80\\xaeb"}, /* Changes the direction to right-to-left. */
        {"\xe4\xb8", "\\xe4\\xb8"},
        {"\xf0\x9f\x8e", "\\xf0\\x9f\\x8e"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        expect_escaped(rows[i].bytes, strlen(rows[i].bytes), rows[i].want);
    }
}

Test(text, a_missing_name_appends_nothing)
{
    dj_text_append_name(&text, " (", NULL, ")");
    dj_text_append_name(&text, " (", "", ")");
    dj_text_append_name(&text, " (", "a\tb", ")");
    cr_assert_str_eq(dj_text_get(&text), " (a\\x09b)");
}

Test(text, percent_encodes_other_characters)
{
    dj_text_append_percent(&text, "aZ09-. /%\xc3\xa4\n", "-.");
    cr_expect_str_eq(dj_text_get(&text), "aZ09-.%20%2F%25%C3%A4%0A");
}

Test(text, times_are_written_in_utc)
{
    dj_text_append_utc(&text, "at %Y-%m-%d %H:%M", 1743864360);
    dj_text_append_utc(&text, "never", INT64_MAX);
    cr_assert_str_eq(dj_text_get(&text), "at 2025-04-05 14:46");
}

Test(text, a_name_contains_no_newline_or_tab)
{
    dj_text_append_escaped_name(&text, "a\nb\tc\033 d\n");
    cr_assert_str_eq(dj_text_get(&text), "a\\x0ab\\x09c\\x1b d\\x0a");
}
