#include "base/hex.h"

#include <criterion/criterion.h>

#include "base/count_of.h"

Test(hex, writes_and_reads_every_byte)
{
    uint8_t bytes[256], read[256];
    char digits[2 * sizeof(bytes) + 1];
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (uint8_t)i;
    }
    dj_hex_write(digits, bytes, sizeof(bytes));
    cr_assert_eq(strlen(digits), 512);
    cr_expect_eq(strncmp(digits, "000102", 6), 0);
    cr_expect_str_eq(digits + 506, "fdfeff");
    cr_assert(dj_hex_read(dj_str_of(digits), read, sizeof(read)));
    cr_expect_arr_eq(read, bytes, sizeof(bytes));
}

Test(hex, accepts_upper_case)
{
    uint8_t bytes[3];
    cr_assert(dj_hex_read(dj_str_of("aBCdEF"), bytes, 3));
    cr_expect_arr_eq(bytes, ((uint8_t[]){0xab, 0xcd, 0xef}), 3);
    cr_expect(dj_hex_read(dj_str_of(""), bytes, 0));
}

Test(hex, rejects_other_lengths_and_characters)
{
    static const char *const texts[] = {"",     "a",    "abc",  "abcde", "abcdef",
                                        "0x12", " abc", "abc ", "-123",  "abc\n",
                                        "ab:d", "abcg", "@bcd", "`bcd",  "abcG"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        uint8_t bytes[2];
        cr_expect_not(dj_hex_read(dj_str_of(texts[i]), bytes, 2), "%s", texts[i]);
    }
    cr_expect_not(dj_hex_read((struct dj_str){"a\0cd", 4}, (uint8_t[2]){0}, 2));
}
