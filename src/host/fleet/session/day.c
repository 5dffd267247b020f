#include "fleet/session.h"

#include <time.h>

enum { DAY_S = 24 * 3600, DAY_TEXT = 10, DAY_MOST = 49672 /* 2105-12-31 */ };

void dj_session_append_day(struct dj_text *text, int64_t day)
{
    dj_text_append_utc(text, "%Y-%m-%d", day * DAY_S);
}

bool dj_session_parse_day(struct dj_str text, int64_t *day)
{
    static const char form[DAY_TEXT + 1] = "0000-00-00";
    if (text.length != DAY_TEXT) {
        return false;
    }
    for (size_t i = 0; i < DAY_TEXT; i++) {
        bool is_digit = text.at[i] >= '0' && text.at[i] <= '9';
        if (form[i] == '0' ? !is_digit : text.at[i] != '-') {
            return false;
        }
    }
    int64_t year = 0, month = 0, number = 0;
    dj_str_int(dj_str_between(text.at, text.at + 4), &year);
    dj_str_int(dj_str_between(text.at + 5, text.at + 7), &month);
    dj_str_int(dj_str_between(text.at + 8, text.at + 10), &number);
    struct tm date = {
        .tm_year = (int)year - 1900, .tm_mon = (int)month - 1, .tm_mday = (int)number};
    int64_t midnight_s = timegm(&date);
    /* timegm() converts a date that does not exist to another date. */
    bool exists = date.tm_mon == (int)month - 1 && date.tm_mday == (int)number;
    *day = midnight_s / DAY_S;
    return exists && midnight_s >= 0 && *day <= DAY_MOST;
}
