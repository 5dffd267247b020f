#include "base/date.h"

#include <criterion/criterion.h>

#include "base/count_of.h"

Test(date, parses_dates_that_exist)
{
    static const struct {
        const char *text;
        int64_t day;
    } cases[] = {{"1970-01-01", 0},      {"1969-12-31", -1},     {"2000-02-29", 11016},
                 {"2026-11-28", 20785},  {"2105-12-31", 49672},  {"9999-12-31", 2932896},
                 {"1900-03-01", -25508}, {"0000-01-01", -719528}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int64_t day = 0;
        cr_expect(dj_date_parse(dj_str_of(cases[i].text), &day), "%s", cases[i].text);
        cr_expect_eq(day, cases[i].day, "%s: %lld", cases[i].text, (long long)day);
    }
}

Test(date, rejects_dates_that_do_not_exist_and_other_forms)
{
    static const char *const texts[] = {
        "2026-02-29", "1900-02-29", "2026-02-30",  "2026-04-31",
        "2026-13-01", "2026-00-10", "2026-01-00",  "2026-01-32",
        "",           "2026-1-1",   "2026/01/01",  "26-01-01",
        "2026-01-1 ", "+026-01-01", "2026-01-01T", "20260101"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        int64_t day;
        cr_expect_not(dj_date_parse(dj_str_of(texts[i]), &day), "%s", texts[i]);
    }
}
