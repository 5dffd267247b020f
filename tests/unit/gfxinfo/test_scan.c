#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "gfxinfo/scan.h"

/* Reads digits one by one. Returns false if they are not an int64. */
static bool read_naively(const char **at, const char *end, int64_t *value)
{
    const char *p = *at;
    bool negative = p < end && *p == '-';
    p += negative;
    const char *first = p;
    __int128 sum = 0;
    for (; p < end && *p >= '0' && *p <= '9' && p - first < 25; p++) {
        sum = sum * 10 + (*p - '0');
    }
    sum = negative ? -sum : sum;
    if (p == first || p - first > 19 || sum < INT64_MIN || sum > INT64_MAX) {
        return false;
    }
    *value = (int64_t)sum;
    *at = p;
    return true;
}

/* The buffer ends with the text, so that a sanitizer detects each byte read after it. */
static void expect_same(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    cr_assert_not_null(copy);
    memcpy(copy, text, length);
    const char *want_at = copy;
    const char *got_at = copy;
    int64_t want = -77;
    int64_t got = -77;
    char *exact = realloc(copy, length > 0 ? length : 1);
    cr_assert_not_null(exact);
    want_at = got_at = exact;
    bool is_number = read_naively(&want_at, exact + length, &want);
    cr_assert_eq(dj_scan_int64(&got_at, exact + length, &got), is_number, "%.*s",
                 (int)length, text);
    cr_assert_eq(got, want, "%.*s", (int)length, text);
    cr_assert_eq(got_at, want_at, "%.*s", (int)length, text);
    free(exact);
}

static const char digits[] = "9182736450918273645091827364509182736450";

Test(scan, integers_of_every_length_are_read)
{
    for (size_t from = 0; from < 10; from++) {
        for (size_t length = 0; length <= 22; length++) {
            for (int follows = -1; follows < 256; follows++) {
                char text[64];
                int written =
                    snprintf(text, sizeof(text), "-%.*s", (int)length, digits + from);
                text[written] = (char)follows;
                size_t all = (size_t)written + (follows >= 0);
                expect_same(text, all);
                expect_same(text + 1, all - 1);
            }
        }
    }
}

Test(scan, integers_at_their_limits_are_read)
{
    static const char *const texts[] = {
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "-9223372036854775809",
        "18446744073709551615",
        "18446744073709551616",
        "99999999999999999999",
        "0000000000000000001",
        "00000000000000000001",
        "-0",
        "--1",
        "-",
        "",
        "+1",
        " 1",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        expect_same(texts[i], strlen(texts[i]));
    }
}

typedef bool scanner(const char *at, unsigned width, int64_t *value);

/* Tests a number of `length` digits among other digits, which must have no effect. */
static void expect_only_its_own_width(scanner *scan, size_t length, char follows)
{
    char text[64];
    memset(text, '7', sizeof(text));
    char *at = text + DJ_SCAN_BEFORE;
    memcpy(at, digits + length, length);
    at[length] = follows;
    for (unsigned guess = 1; guess <= DJ_SCAN_WIDEST; guess++) {
        const char *end = at;
        int64_t want = 0;
        int64_t got = 0;
        bool right = guess == length && follows == ',';
        cr_assert_eq(scan(at, guess, &got), right, "%zu digits, %u guessed, '%c'", length,
                     guess, follows);
        if (right) {
            cr_assert(read_naively(&end, at + length, &want));
            cr_assert_eq(got, want, "%zu digits", length);
        }
    }
}

Test(scan, a_guessed_width_is_right_or_refused)
{
    for (size_t length = 0; length <= 20; length++) {
        for (int follows = 0; follows < 256; follows++) {
            if (!dj_gfxinfo_is_digit((char)follows)) {
                expect_only_its_own_width(dj_scan_as_wide, length, (char)follows);
                expect_only_its_own_width(dj_scan_as_wide_portable, length,
                                          (char)follows);
            }
        }
    }
}

/* Tests every byte that is not a digit at every position of the number. */
Test(scan, a_guessed_width_of_other_bytes_is_refused)
{
    for (unsigned width = 1; width <= DJ_SCAN_WIDEST; width++) {
        for (size_t place = 0; place < width; place++) {
            for (int byte = 0; byte < 256; byte++) {
                char text[64] = {0};
                int64_t value;
                char *at = text + DJ_SCAN_BEFORE;
                memcpy(at, digits, width);
                at[width] = ',';
                at[place] = (char)byte;
                bool right = dj_gfxinfo_is_digit((char)byte);
                cr_assert_eq(dj_scan_as_wide(at, width, &value), right,
                             "byte %d at %zu of %u", byte, place, width);
                cr_assert_eq(dj_scan_as_wide_portable(at, width, &value), right,
                             "byte %d at %zu of %u", byte, place, width);
            }
        }
    }
}

Test(scan, words_and_decimals_are_read)
{
    struct dj_str rest = dj_str_of("HISTOGRAM: 12,5ms");
    double value;
    cr_assert_not(dj_scan_word(&rest, "histogram"));
    cr_assert(dj_scan_word(&rest, "HISTOGRAM:"));
    dj_scan_blanks(&rest);
    cr_assert(dj_scan_decimal(&rest, &value));
    cr_assert_eq(value, 12.5);
    cr_assert_eq(rest.length, 2);
    cr_assert_not(dj_scan_decimal(&rest, &value));
}

Test(scan, numbers_above_uint32_are_refused)
{
    static const struct {
        const char *text;
        bool fits;
    } texts[] = {{"4294967295", true}, {"4294967296", false}, {"-1", false}, {"0", true}};
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct dj_str rest = dj_str_of(texts[i].text);
        uint32_t value;
        cr_expect_eq(dj_scan_uint32(&rest, &value), texts[i].fits, "%s", texts[i].text);
    }
}
