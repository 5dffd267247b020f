/* Dates of the calendar, as days since 1970-01-01 in UTC. */
#ifndef DEJANK_BASE_DATE_H
#define DEJANK_BASE_DATE_H

#include "base/str.h"

enum { DJ_DAY_S = 24 * 3600 };

/* Converts a date to a day, which is negative before 1970. Returns false if there is no
 * such date, such as 30 February. */
bool dj_date_to_day(int64_t year, int64_t month, int64_t day_of_month, int64_t *day);

/* Parses a date of exactly the form "2026-01-31". Returns false for other texts and for
 * dates that do not exist. */
bool dj_date_parse(struct dj_str text, int64_t *day);

#endif
