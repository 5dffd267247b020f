#include "trace/clock_unit.h"

#include <string.h>

struct dj_str dj_clock_chosen(struct dj_str clocks)
{
    const char *end = clocks.at + clocks.length;
    const char *open = clocks.length > 0 ? memchr(clocks.at, '[', clocks.length) : NULL;
    const char *close = open != NULL ? memchr(open, ']', (size_t)(end - open)) : NULL;
    if (close != NULL) {
        return (struct dj_str){open + 1, (size_t)(close - open - 1)};
    }
    while (clocks.length > 0 && (clocks.at[clocks.length - 1] == '\n' ||
                                 clocks.at[clocks.length - 1] == '\0')) {
        clocks.length--;
    }
    return clocks;
}

/* "uptime" counts hundredths of a second (USER_HZ), whatever the kernel's own tick. */
bool dj_clock_unit(struct dj_str name, struct dj_ring_time *time)
{
    static const struct {
        const char *name;
        uint32_t ns_each; /* 0: it is not told */
    } units[] = {{"uptime", 10000000}, {"counter", 0}, {"x86-tsc", 0}, {"ppc-tb", 0}};
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        if (dj_str_is(name, units[i].name)) {
            time->multiplier = units[i].ns_each;
            time->shift = 0;
            return units[i].ns_each > 0;
        }
    }
    return true;
}
