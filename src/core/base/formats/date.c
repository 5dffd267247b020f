#include "base/date.h"

#include <time.h>

bool dj_date_to_day(int64_t year, int64_t month, int64_t day_of_month, int64_t *day)
{
    if (year < 0 || year > 9999 || month < 1 || month > 12 || day_of_month < 1 ||
        day_of_month > 31) {
        return false;
    }
    struct tm date = {.tm_year = (int)year - 1900,
                      .tm_mon = (int)month - 1,
                      .tm_mday = (int)day_of_month};
    *day = timegm(&date) / DJ_DAY_S;
    /* timegm() converts a date that does not exist to another date. */
    return date.tm_mday == day_of_month;
}

bool dj_date_parse(struct dj_str text, int64_t *day)
{
    static const char form[] = "0000-00-00";
    int64_t year = 0, month = 0, day_of_month = 0;
    if (text.length != sizeof(form) - 1) {
        return false;
    }
    for (size_t i = 0; i < text.length; i++) {
        bool is_digit = text.at[i] >= '0' && text.at[i] <= '9';
        if (form[i] == '0' ? !is_digit : text.at[i] != form[i]) {
            return false;
        }
    }
    dj_str_int((struct dj_str){text.at, 4}, &year);
    dj_str_int((struct dj_str){text.at + 5, 2}, &month);
    dj_str_int((struct dj_str){text.at + 8, 2}, &day_of_month);
    return dj_date_to_day(year, month, day_of_month, day);
}
