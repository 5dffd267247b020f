#include "base/date.h"
#include "fleet/session.h"

enum { DAY_MOST = 49672 /* 2105-12-31 */ };

void dj_session_append_day(struct dj_text *text, int64_t day)
{
    dj_text_append_utc(text, "%Y-%m-%d", day * DJ_DAY_S);
}

bool dj_session_parse_day(struct dj_str text, int64_t *day)
{
    return dj_date_parse(text, day) && *day >= 0 && *day <= DAY_MOST;
}
