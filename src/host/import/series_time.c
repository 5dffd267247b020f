#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "import/series.h"

enum { FIRST_YEAR = 1970, LAST_YEAR = 2199, DAY_S = 86400 };

struct moment {
    int year, month, day, hour, minute;
    double second;
};

static bool finish(const struct moment *moment, int64_t offset_s, int64_t *unix_ms)
{
    struct tm date = {.tm_year = moment->year - 1900,
                      .tm_mon = moment->month - 1,
                      .tm_mday = moment->day};
    /* timegm() accepts dates that do not exist and moves them. */
    int64_t midnight_s = timegm(&date);
    if (moment->year < FIRST_YEAR || moment->year > LAST_YEAR ||
        date.tm_mon != moment->month - 1 || date.tm_mday != moment->day ||
        moment->hour > 24 || moment->minute > 59 || moment->second >= 61) {
        return false;
    }
    int64_t seconds = midnight_s + moment->hour * 3600 + moment->minute * 60 - offset_s;
    *unix_ms = seconds * 1000 + (int64_t)llround(moment->second * 1000);
    return true;
}

/* Reads exactly `count` digits. */
static bool digits(const char **at, int count, int *number)
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

static bool take(const char **at, char c)
{
    bool there = **at == c;
    *at += there;
    return there;
}

/* "Z", "+02:00", "-0530", " UTC", or nothing. */
static bool read_zone(const char **at, int64_t *offset_s)
{
    int hours = 0;
    int minutes = 0;
    *offset_s = 0;
    *at += strspn(*at, " ");
    if (**at == '\0' || take(at, 'Z') || take(at, 'z')) {
        return true;
    }
    if (strncasecmp(*at, "UTC", 3) == 0 || strncasecmp(*at, "GMT", 3) == 0) {
        *at += 3;
        return true;
    }
    int sign = **at == '-' ? -1 : 1;
    if ((!take(at, '+') && !take(at, '-')) || !digits(at, 2, &hours)) {
        return false;
    }
    take(at, ':');
    if (**at != '\0' && !digits(at, 2, &minutes)) {
        return false;
    }
    *offset_s = sign * (hours * 3600 + minutes * 60);
    return hours <= 14 && minutes <= 59;
}

static bool read_second(const char **at, struct moment *moment)
{
    int second;
    double part = 0.1;
    if (!digits(at, 2, &second)) {
        return false;
    }
    moment->second = second;
    if (take(at, '.') || take(at, ',')) {
        while (isdigit((unsigned char)**at)) {
            moment->second += (*(*at)++ - '0') * part;
            part /= 10;
        }
    }
    return true;
}

/* "2021-03-04" and what may follow. */
static bool read_date(const char *at, int64_t *unix_ms)
{
    struct moment moment = {0};
    int64_t offset_s = 0;
    if (!digits(&at, 4, &moment.year) || (!take(&at, '-') && !take(&at, '/')) ||
        !digits(&at, 2, &moment.month) || (!take(&at, '-') && !take(&at, '/')) ||
        !digits(&at, 2, &moment.day)) {
        return false;
    }
    if (take(&at, 'T') || take(&at, 't') || take(&at, ' ')) {
        if (!digits(&at, 2, &moment.hour) || !take(&at, ':') ||
            !digits(&at, 2, &moment.minute) ||
            (take(&at, ':') && !read_second(&at, &moment)) ||
            !read_zone(&at, &offset_s)) {
            return false;
        }
    }
    return *at == '\0' && finish(&moment, offset_s, unix_ms);
}

/* "20210304", "20210304050607". */
static bool read_compact(const char *text, int64_t *unix_ms)
{
    struct moment moment = {0};
    const char *at = text;
    int second = 0;
    size_t length = strspn(text, "0123456789");
    if (text[length] != '\0' || (length != 8 && length != 14) ||
        !digits(&at, 4, &moment.year) || !digits(&at, 2, &moment.month) ||
        !digits(&at, 2, &moment.day)) {
        return false;
    }
    if (length == 14 && (!digits(&at, 2, &moment.hour) ||
                         !digits(&at, 2, &moment.minute) || !digits(&at, 2, &second))) {
        return false;
    }
    moment.second = second;
    return finish(&moment, 0, unix_ms);
}

/* By size: seconds until 5138, milliseconds from 1973 on, and so on. */
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
                   ms < (LAST_YEAR + 1.0 - FIRST_YEAR) * 365.2425 * DAY_S * 1e3;
        }
    }
    return false;
}

bool dj_import_parse_time(const char *text, int64_t *unix_ms)
{
    return read_date(text, unix_ms) || read_compact(text, unix_ms) ||
           read_number(text, unix_ms);
}
