/* Reads numbers and words from text without a final NUL. Each dj_scan_ function that
 * gets a pointer to the text moves it past the match, and leaves it unchanged if there
 * is no match. */
#ifndef DEJANK_GFXINFO_SCAN_H
#define DEJANK_GFXINFO_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"
#ifdef __x86_64__
#include <emmintrin.h>
#endif

static inline bool dj_gfxinfo_is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static inline bool dj_scan_is_letter(char c)
{
    return (unsigned)((unsigned char)c | 0x20) - 'a' <= 'z' - 'a';
}

static inline bool dj_scan_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static inline void dj_scan_blanks(struct dj_str *rest)
{
    size_t blanks = 0;
    while (blanks < rest->length && dj_scan_is_blank(rest->at[blanks])) {
        blanks++;
    }
    *rest = dj_str_from(*rest, blanks);
}

static inline bool dj_scan_word(struct dj_str *rest, const char *word)
{
    size_t length = strlen(word);
    if (rest->length < length || memcmp(rest->at, word, length) != 0) {
        return false;
    }
    *rest = dj_str_from(*rest, length);
    return true;
}

/* Removes leading blanks and the word after them. Returns the word, which is empty at
 * the end of the text. */
static inline struct dj_str dj_scan_until_blank(struct dj_str *rest)
{
    dj_scan_blanks(rest);
    struct dj_str found = {rest->at, 0};
    while (found.length < rest->length && !dj_scan_is_blank(found.at[found.length])) {
        found.length++;
    }
    *rest = dj_str_from(*rest, found.length);
    return found;
}

/* Loads eight characters as a number. The first character is the lowest byte on every
 * machine. */
static inline uint64_t dj_scan_eight_bytes(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* Returns whether all of the eight bytes are below 10. */
static inline bool dj_scan_are_digits(uint64_t bytes)
{
    /* If a byte is 10 or more, its top bit is set, either before or after the addition.
     * The addition overflows into the next byte only if the result is false anyway. */
    return (((bytes + UINT64_C(0x7676767676767676)) | bytes) &
            UINT64_C(0x8080808080808080)) == 0;
}

/* Converts eight digits of 0 … 9 to a number: combines pairs of digits, then pairs of
 * the results, then the last two. */
static inline uint64_t dj_scan_eight_digits(uint64_t digits)
{
    digits = digits * 10 + (digits >> 8);
    return (((digits & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x000F424000000064)) +
            (((digits >> 16) & UINT64_C(0x000000FF000000FF)) *
             UINT64_C(0x0000271000000001))) >>
           32;
}

/* Loads eight characters and XORs each with 0x30. A digit becomes 0 … 9, and any other
 * character becomes greater than 9. */
static inline uint64_t dj_scan_digits_at(const char *at)
{
    return dj_scan_eight_bytes(at) ^ UINT64_C(0x3030303030303030);
}

/* Reads a number with exactly `width` digits (1 … 15) and a comma after it. Returns
 * false, with an undefined *value, if the text is different.
 *
 * Numbers in a table usually have as many digits as those in the row above. If the width
 * is known in advance, the CPU can start to read a number before it has finished the
 * previous one.
 *
 * The function also reads DJ_SCAN_BEFORE bytes before `at` and DJ_SCAN_AHEAD bytes from
 * `at`. */
enum { DJ_SCAN_WIDEST = 15, DJ_SCAN_BEFORE = 15, DJ_SCAN_AHEAD = 16 };

static inline bool dj_scan_as_wide_portable(const char *at, unsigned width,
                                            int64_t *value)
{
    /* The shift moves zeros before the first digits, and drops the characters after the
     * number. */
    if (width <= 8) {
        uint64_t digits = dj_scan_digits_at(at) << (64 - 8 * width);
        *value = (int64_t)dj_scan_eight_digits(digits);
        return at[width] == ',' && dj_scan_are_digits(digits);
    }
    uint64_t high = dj_scan_digits_at(at) << (128 - 8 * width);
    uint64_t low = dj_scan_digits_at(at + width - 8);
    *value =
        (int64_t)(dj_scan_eight_digits(high) * 100000000 + dj_scan_eight_digits(low));
    return at[width] == ',' && dj_scan_are_digits(high) && dj_scan_are_digits(low);
}

#ifdef __x86_64__

/* Converts sixteen digits to a number with SSE2, which every x86-64 CPU has: combines
 * digits to pairs, fours and eights, then the two eights. The first digit is in the
 * lowest byte. */
static inline int64_t dj_scan_sixteen_digits(__m128i digits)
{
    __m128i tens = _mm_mullo_epi16(digits, _mm_set1_epi16(10));
    __m128i pairs = _mm_and_si128(_mm_add_epi16(tens, _mm_srli_epi16(digits, 8)),
                                  _mm_set1_epi16(0xFF));
    __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(1 << 16 | 100));
    __m128i eights =
        _mm_madd_epi16(_mm_packs_epi32(fours, fours), _mm_set1_epi32(1 << 16 | 10000));
    uint64_t both = (uint64_t)_mm_cvtsi128_si64(eights);
    return (int64_t)((both & UINT32_MAX) * 100000000 + (both >> 32));
}

static inline __m128i dj_scan_sixteen_bytes(const void *at)
{
    return _mm_loadu_si128((const __m128i *)at);
}

static inline bool dj_scan_as_wide(const char *at, unsigned width, int64_t *value)
{
    /* The 16 bytes from index n on are a mask. It clears the first 16 − n bytes and
     * retains the last n bytes. */
    static const uint8_t last[32] = {[16] = 255, 255, 255, 255, 255, 255, 255, 255,
                                     255,        255, 255, 255, 255, 255, 255, 255};
    __m128i bytes =
        _mm_sub_epi8(dj_scan_sixteen_bytes(at + width - 16), _mm_set1_epi8('0'));
    __m128i number = _mm_and_si128(bytes, dj_scan_sixteen_bytes(last + width));
    __m128i digits = _mm_cmpeq_epi8(_mm_min_epu8(number, _mm_set1_epi8(9)), number);
    *value = dj_scan_sixteen_digits(number);
    return at[width] == ',' && _mm_movemask_epi8(digits) == 0xFFFF;
}

#else

static inline bool dj_scan_as_wide(const char *at, unsigned width, int64_t *value)
{
    return dj_scan_as_wide_portable(at, width, value);
}

#endif

/* Reads a decimal int64. Returns false if there is none or if it is too large. */
static inline bool dj_scan_int64(const char **at, const char *end, int64_t *value)
{
    const char *p = *at;
    bool negative = p < end && *p == '-';
    p += negative;
    const char *first = p;
    uint64_t sum = 0;
    while (end - p >= 8 && p - first <= 8 && dj_scan_are_digits(dj_scan_digits_at(p))) {
        sum = sum * 100000000 + dj_scan_eight_digits(dj_scan_digits_at(p));
        p += 8;
    }
    /* 19 digits always fit into a uint64, and 20 digits never fit into an int64. */
    for (; p < end && dj_gfxinfo_is_digit(*p) && p - first < 20; p++) {
        sum = sum * 10 + (uint64_t)(*p - '0');
    }
    if (p == first || p - first > 19 || sum > (uint64_t)INT64_MAX + negative) {
        return false;
    }
    *value = (int64_t)(negative ? 0 - sum : sum);
    *at = p;
    return true;
}

/* Read a decimal number from a dj_str: any int64, an int64 of 0 or more, or a uint32. */
static inline bool dj_scan_number(struct dj_str *rest, int64_t *value)
{
    const char *end = rest->at + rest->length;
    bool found = dj_scan_int64(&rest->at, end, value);
    rest->length = (size_t)(end - rest->at);
    return found;
}

static inline bool dj_scan_count(struct dj_str *rest, int64_t *value)
{
    struct dj_str after = *rest;
    int64_t number;
    if (!dj_scan_number(&after, &number) || number < 0) {
        return false;
    }
    *value = number;
    *rest = after;
    return true;
}

static inline bool dj_scan_uint32(struct dj_str *rest, uint32_t *value)
{
    struct dj_str after = *rest;
    int64_t number;
    if (!dj_scan_count(&after, &number) || number > UINT32_MAX) {
        return false;
    }
    *value = (uint32_t)number;
    *rest = after;
    return true;
}

/* Reads "12", "0.35" or "0,35" without a sign. Digits beyond the precision of a double
 * are ignored. */
static inline bool dj_scan_decimal(struct dj_str *rest, double *value)
{
    const char *p = rest->at;
    const char *end = p + rest->length;
    double sum = 0;
    double scale = 1;
    while (p < end && dj_gfxinfo_is_digit(*p)) {
        sum = sum * 10 + (*p++ - '0');
    }
    if (p == rest->at) {
        return false;
    }
    if (end - p >= 2 && (*p == '.' || *p == ',') && dj_gfxinfo_is_digit(p[1])) {
        for (p++; p < end && dj_gfxinfo_is_digit(*p); p++) {
            sum = scale < 1e12 ? sum * 10 + (*p - '0') : sum;
            scale = scale < 1e12 ? scale * 10 : scale;
        }
    }
    *value = sum / scale;
    *rest = dj_str_between(p, end);
    return true;
}

/* Returns whether the text ends in a number with two decimals. hwui prints two decimals,
 * so a number with fewer is truncated. */
static inline bool dj_scan_ends_in_hundredths(const char *text, size_t length)
{
    const char *end = text + length;
    return length >= 4 && (end[-3] == '.' || end[-3] == ',') &&
           dj_gfxinfo_is_digit(end[-2]) && dj_gfxinfo_is_digit(end[-1]);
}

#endif
