#include "base/duration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count_of.h"

bool dj_duration_parse(const char *text, int64_t *ns)
{
    static const struct {
        const char *suffix;
        double ns;
    } units[] = {{"", 1e9},        {"s", 1e9},       {"ms", 1e6}, {"us", 1e3},
                 {"\u00b5s", 1e3}, {"\u03bcs", 1e3}, {"ns", 1},   {"m", 60e9},
                 {"h", 3600e9},    {"d", 86400e9}};
    char *end;
    double number = strtod(text, &end);
    if (end == text || !isfinite(number) || number < 0) {
        return false;
    }
    end += strspn(end, " ");
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        if (strcmp(end, units[i].suffix) == 0 && number * units[i].ns < 9e18) {
            *ns = (int64_t)llround(number * units[i].ns);
            return true;
        }
    }
    return false;
}
