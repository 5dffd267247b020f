#include "stacks/cfi/cursor.h"

#include <criterion/criterion.h>

#define CURSOR(...)                                                                      \
    dj_cfi_cursor_of((const uint8_t[]){__VA_ARGS__}, sizeof((uint8_t[]){__VA_ARGS__}))

Test(cursor, reads_numbers_of_any_size)
{
    struct dj_cfi_cursor cursor = CURSOR(0x01, 0x02, 0x03, 0xff, 0xff, 0x80);
    cr_expect_eq(dj_cfi_cursor_read_number(&cursor, 3), 0x030201);
    cr_expect_eq((int64_t)dj_cfi_cursor_read_signed(&cursor, 2), -1);
    cr_expect_eq(dj_cfi_cursor_rest(&cursor), 1);
    cr_expect_not(cursor.failed);
}

Test(cursor, fails_at_the_end_and_stays_there)
{
    struct dj_cfi_cursor cursor = CURSOR(1, 2);
    cr_expect_eq(dj_cfi_cursor_read_number(&cursor, 4), 0);
    cr_expect(cursor.failed);
    cr_expect_eq(dj_cfi_cursor_read_number(&cursor, 1), 0);
    cr_expect_null(dj_cfi_cursor_skip(&cursor, 0));
}

/* The examples of DWARF 5, chapter 7.6. */
Test(cursor, reads_leb128_numbers)
{
    struct dj_cfi_cursor cursor = CURSOR(2, 0x7f, 0x80, 0x01, 0xb9, 0x64);
    cr_expect_eq(dj_cfi_cursor_read_uleb(&cursor), 2);
    cr_expect_eq(dj_cfi_cursor_read_uleb(&cursor), 127);
    cr_expect_eq(dj_cfi_cursor_read_uleb(&cursor), 128);
    cr_expect_eq(dj_cfi_cursor_read_uleb(&cursor), 12857);
    cursor = CURSOR(2, 0x7e, 0xff, 0x00, 0x81, 0x7f, 0x80, 0x7f);
    cr_expect_eq((int64_t)dj_cfi_cursor_read_sleb(&cursor), 2);
    cr_expect_eq((int64_t)dj_cfi_cursor_read_sleb(&cursor), -2);
    cr_expect_eq((int64_t)dj_cfi_cursor_read_sleb(&cursor), 127);
    cr_expect_eq((int64_t)dj_cfi_cursor_read_sleb(&cursor), -127);
    cr_expect_eq((int64_t)dj_cfi_cursor_read_sleb(&cursor), -128);
}

Test(cursor, ignores_bits_of_leb128_beyond_the_64th)
{
    struct dj_cfi_cursor cursor =
        CURSOR(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f);
    cr_expect_eq(dj_cfi_cursor_read_uleb(&cursor), UINT64_MAX);
    cr_expect_not(cursor.failed);
    cursor = CURSOR(0x80, 0x80);
    dj_cfi_cursor_read_uleb(&cursor);
    cr_expect(cursor.failed);
    cr_expect_eq(dj_cfi_cursor_read_sleb(&cursor), 0, "nothing is left");
}

Test(cursor, reads_pointers_relative_to_themselves_and_to_data)
{
    static const uint8_t bytes[] = {0xfc, 0xff, 0xff, 0xff, 0x10, 0, 0, 0, 0x34, 0x12};
    const struct dj_cfi_section section = {bytes, sizeof(bytes), 0x1000};
    struct dj_cfi_cursor cursor = dj_cfi_cursor_of(bytes, sizeof(bytes));
    cr_expect_eq(dj_cfi_cursor_read_pointer(&cursor, 0x1b, &section, 0), 0xffc);
    cr_expect_eq(dj_cfi_cursor_read_pointer(&cursor, 0x3b, &section, 0x2000), 0x2010);
    cr_expect_eq(dj_cfi_cursor_read_pointer(&cursor, 0x02, &section, 0), 0x1234);
    cr_expect_not(cursor.failed);
}

Test(cursor, refuses_unknown_pointer_encodings)
{
    static const uint8_t encodings[] = {0x05, 0x0f, 0x20, 0x40, 0x50, 0x6b};
    static const uint8_t bytes[8];
    const struct dj_cfi_section section = {bytes, sizeof(bytes), 0};
    for (size_t i = 0; i < sizeof(encodings); i++) {
        struct dj_cfi_cursor cursor = dj_cfi_cursor_of(bytes, sizeof(bytes));
        dj_cfi_cursor_read_pointer(&cursor, encodings[i], &section, 0);
        cr_expect(cursor.failed, "encoding %#x", encodings[i]);
    }
}
