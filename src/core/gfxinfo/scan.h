/* Scanning numbers and words out of a span that no NUL ends. Each advances *at on success
 * only. */
#ifndef DEJANK_GFXINFO_SCAN_H
#define DEJANK_GFXINFO_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool dj_is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static inline bool dj_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static inline void dj_scan_blanks(const char **at, const char *end)
{
    while (*at < end && dj_is_blank(**at)) {
        (*at)++;
    }
}

static inline bool dj_scan_word(const char **at, const char *end, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(end - *at) < length || memcmp(*at, word, length) != 0) {
        return false;
    }
    *at += length;
    return true;
}

/* True if all eight bytes of a little-endian word are digits, and their value. */
static inline bool dj_eight_digits(uint64_t word, uint64_t *value)
{
    uint64_t digits = word - UINT64_C(0x3030303030303030);
    /* A byte below '0' borrows or sets its top bit; one above '9' sets it when 0x76 is
     * added. */
    if (((word & UINT64_C(0xF0F0F0F0F0F0F0F0)) != UINT64_C(0x3030303030303030)) ||
        (((digits + UINT64_C(0x7676767676767676)) & UINT64_C(0x8080808080808080)) != 0)) {
        return false;
    }
    digits = digits * 10 + (digits >> 8);
    *value = (((digits & UINT64_C(0x000000FF000000FF)) * UINT64_C(0x000F424000000064)) +
              (((digits >> 16) & UINT64_C(0x000000FF000000FF)) *
               UINT64_C(0x0000271000000001))) >>
             32;
    return true;
}

/* A decimal int64; false where there is none or it does not fit. */
static inline bool dj_scan_int64(const char **at, const char *end, int64_t *value)
{
    const char *p = *at;
    bool negative = p < end && *p == '-';
    p += negative;
    const char *first = p;
    uint64_t sum = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    while (end - p >= 8 && p - first <= 8) {
        uint64_t word;
        uint64_t eight;
        memcpy(&word, p, sizeof(word));
        if (!dj_eight_digits(word, &eight)) {
            break;
        }
        sum = sum * 100000000 + eight;
        p += 8;
    }
#endif
    /* 19 digits always fit a uint64; a 20th never fits an int64. */
    for (; p < end && dj_is_digit(*p) && p - first < 20; p++) {
        sum = sum * 10 + (uint64_t)(*p - '0');
    }
    if (p == first || p - first > 19 || sum > (uint64_t)INT64_MAX + negative) {
        return false;
    }
    *value = (int64_t)(negative ? 0 - sum : sum);
    *at = p;
    return true;
}

static inline bool dj_scan_uint32(const char **at, const char *end, uint32_t *value)
{
    const char *p = *at;
    int64_t number;
    if (!dj_scan_int64(&p, end, &number) || number < 0 || number > UINT32_MAX) {
        return false;
    }
    *value = (uint32_t)number;
    *at = p;
    return true;
}

/* "12", "0.35", "0,35"; a sign is not part of it. Digits past what a double holds change
 * nothing. */
static inline bool dj_scan_decimal(const char **at, const char *end, double *value)
{
    const char *p = *at;
    double sum = 0;
    double scale = 1;
    while (p < end && dj_is_digit(*p)) {
        sum = sum * 10 + (*p++ - '0');
    }
    if (p == *at) {
        return false;
    }
    if (end - p >= 2 && (*p == '.' || *p == ',') && dj_is_digit(p[1])) {
        for (p++; p < end && dj_is_digit(*p); p++) {
            sum = scale < 1e12 ? sum * 10 + (*p - '0') : sum;
            scale = scale < 1e12 ? scale * 10 : scale;
        }
    }
    *value = sum / scale;
    *at = p;
    return true;
}

#endif
