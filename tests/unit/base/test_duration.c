#include "base/duration.h"

#include <criterion/criterion.h>

#include "base/count_of.h"

Test(duration, reads_units)
{
    static const struct {
        const char *text;
        int64_t ns;
    } cases[] = {{"10", INT64_C(10000000000)},
                 {"1.5s", 1500000000},
                 {"1.5 s", 1500000000},
                 {"200ms", 200000000},
                 {"3us", 3000},
                 {"3\u00b5s", 3000},
                 {"7ns", 7},
                 {"0", 0},
                 {"2m", INT64_C(120000000000)},
                 {"1h", INT64_C(3600000000000)},
                 {"90d", INT64_C(7776000000000000)}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int64_t ns = -1;
        cr_expect(dj_duration_parse(cases[i].text, &ns), "%s", cases[i].text);
        cr_expect_eq(ns, cases[i].ns, "%s", cases[i].text);
    }
}

Test(duration, rejects_invalid_text)
{
    static const char *const texts[] = {"",     "s",       "-1s",  "nan",  "inf",
                                        "10 x", "10s 20s", "9e9h", "10sec"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        int64_t ns;
        cr_expect_not(dj_duration_parse(texts[i], &ns), "%s", texts[i]);
    }
}
