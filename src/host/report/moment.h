/* Formats a time as local time. */
#ifndef DEJANK_REPORT_MOMENT_H
#define DEJANK_REPORT_MOMENT_H

#include <stdint.h>

/* Writes a time such as "2026-11-22 00:31", in local time. */
enum { DJ_MOMENT = 32 };
void dj_report_moment(int64_t unix_ms, char text[DJ_MOMENT]);

#endif
