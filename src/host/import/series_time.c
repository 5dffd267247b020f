#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "import/series.h"

enum { FIRST_YEAR = 1970, LAST_YEAR = 2199 };

struct moment {
    int year, month, day, hour, minute;
    double second;
};

static bool compute_unix_ms(const struct moment *moment, int64_t offset_s,
                            int64_t *unix_ms)
{
    int64_t day;
    if (moment->year < FIRST_YEAR || moment->year > LAST_YEAR ||
        !dj_date_to_day(moment->year, moment->month, moment->day, &day) ||
        moment->hour > 24 || moment->minute > 59 || moment->second >= 61) {
        return false;
    }
    int64_t seconds =
        day * DJ_DAY_S + moment->hour * 3600 + moment->minute * 60 - offset_s;
    *unix_ms = seconds * 1000 + (int64_t)llround(moment->second * 1000);
    return true;
}

/* Reads exactly `count` digits. */
static bool read_digits(const char **at, int count, int *number)
{
    *number = 0;
    for (int i = 0; i < count; i++) {
        if (!isdigit((unsigned char)**at)) {
            return false;
        }
        *number = *number * 10 + (*(*at)++ - '0');
    }
    return true;
}

static bool skip_character(const char **at, char c)
{
    bool is_there = **at == c;
    *at += is_there;
    return is_there;
}

/* Reads a time zone: "Z", "+02:00", "-0530", " UTC", or nothing. */
static bool read_zone(const char **at, int64_t *offset_s)
{
    int hours = 0;
    int minutes = 0;
    *offset_s = 0;
    *at += strspn(*at, " ");
    if (**at == '\0' || skip_character(at, 'Z') || skip_character(at, 'z')) {
        return true;
    }
    if (strncasecmp(*at, "UTC", 3) == 0 || strncasecmp(*at, "GMT", 3) == 0) {
        *at += 3;
        return true;
    }
    int sign = **at == '-' ? -1 : 1;
    if ((!skip_character(at, '+') && !skip_character(at, '-')) ||
        !read_digits(at, 2, &hours)) {
        return false;
    }
    skip_character(at, ':');
    if (**at != '\0' && !read_digits(at, 2, &minutes)) {
        return false;
    }
    *offset_s = sign * (hours * 3600 + minutes * 60);
    return hours <= 14 && minutes <= 59;
}

static bool read_second(const char **at, struct moment *moment)
{
    int second;
    double part = 0.1;
    if (!read_digits(at, 2, &second)) {
        return false;
    }
    moment->second = second;
    if (skip_character(at, '.') || skip_character(at, ',')) {
        while (isdigit((unsigned char)**at)) {
            moment->second += (*(*at)++ - '0') * part;
            part /= 10;
        }
    }
    return true;
}

/* Reads a date such as "2021-03-04", which a time and a zone may follow. */
static bool read_date(const char *at, int64_t *unix_ms)
{
    struct moment moment = {0};
    int64_t offset_s = 0;
    if (!read_digits(&at, 4, &moment.year) ||
        (!skip_character(&at, '-') && !skip_character(&at, '/')) ||
        !read_digits(&at, 2, &moment.month) ||
        (!skip_character(&at, '-') && !skip_character(&at, '/')) ||
        !read_digits(&at, 2, &moment.day)) {
        return false;
    }
    if (skip_character(&at, 'T') || skip_character(&at, 't') ||
        skip_character(&at, ' ')) {
        if (!read_digits(&at, 2, &moment.hour) || !skip_character(&at, ':') ||
            !read_digits(&at, 2, &moment.minute) ||
            (skip_character(&at, ':') && !read_second(&at, &moment)) ||
            !read_zone(&at, &offset_s)) {
            return false;
        }
    }
    return *at == '\0' && compute_unix_ms(&moment, offset_s, unix_ms);
}

/* Reads "20210304" or "20210304050607". */
static bool read_compact(const char *text, int64_t *unix_ms)
{
    struct moment moment = {0};
    const char *at = text;
    int second = 0;
    size_t length = strspn(text, "0123456789");
    if (text[length] != '\0' || (length != 8 && length != 14) ||
        !read_digits(&at, 4, &moment.year) || !read_digits(&at, 2, &moment.month) ||
        !read_digits(&at, 2, &moment.day)) {
        return false;
    }
    if (length == 14 &&
        (!read_digits(&at, 2, &moment.hour) || !read_digits(&at, 2, &moment.minute) ||
         !read_digits(&at, 2, &second))) {
        return false;
    }
    moment.second = second;
    return compute_unix_ms(&moment, 0, unix_ms);
}

/* Reads a number. Numbers below 1e11 are seconds since 1970 (until the year 5138), larger
 * ones are ms, µs or ns. */
static bool read_number(const char *text, int64_t *unix_ms)
{
    static const struct {
        double below, per_ms;
    } scales[] = {{1e11, 0.001}, {1e14, 1}, {1e17, 1e3}, {1e20, 1e6}};
    char *end;
    if (text[0] == '\0' || text[strspn(text, "0123456789.eE+")] != '\0') {
        return false;
    }
    double number = strtod(text, &end);
    for (size_t i = 0; *end == '\0' && i < COUNT_OF(scales); i++) {
        if (number < scales[i].below) {
            double ms = number / scales[i].per_ms;
            *unix_ms = (int64_t)llround(ms);
            return ms >= 0 &&
                   ms < (LAST_YEAR + 1.0 - FIRST_YEAR) * 365.2425 * DJ_DAY_S * 1e3;
        }
    }
    return false;
}

bool dj_import_parse_time(const char *text, int64_t *unix_ms)
{
    return read_date(text, unix_ms) || read_compact(text, unix_ms) ||
           read_number(text, unix_ms);
}
