#include <criterion/criterion.h>
#include <string.h>

#include "base/utf8.h"

static void expect(const char *bytes, size_t length, size_t used, int32_t code)
{
    struct dj_utf8 one = dj_utf8_at(bytes, length);
    cr_expect_eq(one.bytes, used);
    cr_expect_eq(one.code, code, "expected %x, found %x", (unsigned)code,
                 (unsigned)one.code);
}

Test(utf8, characters_of_every_length)
{
    static const struct {
        const char *bytes;
        int32_t code;
    } rows[] = {
        {"a", 'a'},
        {"\x7f", 0x7F},
        {"\xc2\x80", 0x80},
        {"\xdf\xbf", 0x7FF},
        {"\xe0\xa0\x80", 0x800},
        {"\xed\x9f\xbf", 0xD7FF},
        {"\xee\x80\x80", 0xE000},
        {"\xef\xbf\xbf", 0xFFFF},
        {"\xf0\x90\x80\x80", 0x10000},
        {"\xf4\x8f\xbf\xbf", 0x10FFFF},
    };
    expect("", 1, 1, 0);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char followed[8];
        size_t length = strlen(rows[i].bytes);
        memcpy(followed, rows[i].bytes, length);
        memset(followed + length, 'x', sizeof(followed) - length);
        expect(followed, length, length, rows[i].code);
        expect(followed, sizeof(followed), length, rows[i].code);
    }
}

Test(utf8, an_invalid_byte_has_length_one)
{
    static const char *const rows[] = {
        "\x80", /* Continuation byte without a first byte. */
        "\xbf",
        "\xff",
        "\xfe",
        "\xf8\x88\x80\x80\x80",
        "\xc0\xaf", /* Overlong. */
        "\xc1\xbf",
        "\xe0\x80\xaf",
        "\xe0\x9f\xbf",
        "\xf0\x8f\xbf\xbf",
        "\xed\xa0\x80", /* Surrogates. */
        "\xed\xbf\xbf",
        "\xf4\x90\x80\x80", /* Above U+10FFFF. */
        "\xf5\x80\x80\x80",
        "\xc3(", /* Truncated. */
        "\xe4\xb8(",
        "\xf0\x9f\x8e(",
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        expect(rows[i], strlen(rows[i]), 1, -1);
    }
}

Test(utf8, never_reads_past_the_end)
{
    static const char *const rows[] = {"\xc3\xa9", "\xe4\xb8\x96", "\xf0\x9f\x8e\x9e"};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        for (size_t length = 1; length < strlen(rows[i]); length++) {
            expect(rows[i], length, 1, -1);
        }
    }
}

Test(utf8, finds_control_and_direction_characters)
{
    static const int32_t controls[] = {0, 7, 0x1B, 0x1F, 0x7F, 0x80, 0x9B, 0x9F};
    static const int32_t marks[] = {0x061C, 0x200E, 0x200F, 0x2028, 0x2029,
                                    0x202A, 0x202E, 0x2066, 0x2069};
    static const int32_t neither[] = {-1,     ' ',    '~',    0xA0,   0x200D,
                                      0x2027, 0x202F, 0x2065, 0x206A, 0x1F39E};
    for (size_t i = 0; i < sizeof(controls) / sizeof(controls[0]); i++) {
        cr_expect(dj_utf8_is_control(controls[i]));
        cr_expect(!dj_utf8_reorders(controls[i]));
    }
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
        cr_expect(dj_utf8_reorders(marks[i]));
        cr_expect(!dj_utf8_is_control(marks[i]));
    }
    for (size_t i = 0; i < sizeof(neither) / sizeof(neither[0]); i++) {
        cr_expect(!dj_utf8_is_control(neither[i]) && !dj_utf8_reorders(neither[i]));
    }
}

Test(utf8, decoding_reverses_encoding)
{
    static const struct {
        uint32_t code;
        size_t bytes;
    } rows[] = {{0, 1},      {0x7F, 1},   {0x80, 2},    {0x7FF, 2},   {0x800, 3},
                {0xFFFD, 3}, {0xFFFF, 3}, {0x10000, 4}, {0x1F600, 4}, {0x10FFFF, 4}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char bytes[DJ_UTF8_MOST];
        cr_expect_eq(dj_utf8_write(bytes, rows[i].code), rows[i].bytes);
        struct dj_utf8 read = dj_utf8_at(bytes, rows[i].bytes);
        cr_expect_eq(read.bytes, rows[i].bytes);
        cr_expect_eq(read.code, (int32_t)rows[i].code);
    }
}
