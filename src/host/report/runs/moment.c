#include "report/moment.h"

#include <time.h>

void dj_report_moment(int64_t unix_ms, char text[DJ_MOMENT])
{
    time_t seconds = (time_t)(unix_ms / 1000);
    struct tm local;
    text[0] = '\0';
    if (localtime_r(&seconds, &local) != NULL) {
        strftime(text, DJ_MOMENT, "%Y-%m-%d %H:%M", &local);
    }
}
