#include "trace/model/clock_offset.h"

#include <string.h>

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void add_pair(struct dj_clock_offset *clock, int64_t low_ns, int64_t high_ns)
{
    bool first = clock->pairs++ == 0;
    clock->lowest_ns = first ? low_ns : least(clock->lowest_ns, low_ns);
    clock->highest_low_ns = first ? low_ns : most(clock->highest_low_ns, low_ns);
    clock->lowest_high_ns = first ? high_ns : least(clock->lowest_high_ns, high_ns);
    clock->highest_ns = first ? high_ns : most(clock->highest_ns, high_ns);
}

void dj_clock_offset_add_event(struct dj_clock_offset *clock,
                               const struct dj_event *event)
{
    int64_t difference_ns, low_ns, high_ns;
    struct dj_str name = event->other_name;
    clock->ticks |= event->state != 0;
    if (name.length > 0 && name.length < sizeof(clock->name)) {
        memcpy(clock->name, name.at, name.length);
        clock->name[name.length] = '\0';
    }
    if (dj_str_is(event->name, "mono") && event->value_2 >= 0 &&
        !__builtin_sub_overflow(event->value, event->at_ns, &difference_ns) &&
        !__builtin_sub_overflow(difference_ns, event->value_2, &low_ns) &&
        !__builtin_add_overflow(difference_ns, event->value_2, &high_ns)) {
        add_pair(clock, low_ns, high_ns);
    }
}

struct dj_trace_clock dj_clock_offset_estimate(const struct dj_clock_offset *clock)
{
    struct dj_trace_clock result = {.known = clock->pairs > 0 && !clock->ticks,
                                    .ticks = clock->ticks};
    bool agree = clock->highest_low_ns <= clock->lowest_high_ns;
    int64_t low_ns = agree ? clock->highest_low_ns : clock->lowest_ns;
    int64_t high_ns = agree ? clock->lowest_high_ns : clock->highest_ns;
    /* The difference of the bounds is unsigned, because it may exceed INT64_MAX. If it is
     * odd, the remainder of the division by 2 is added to the error. */
    uint64_t between = (uint64_t)high_ns - (uint64_t)low_ns;
    memcpy(result.name, clock->name, sizeof(result.name));
    if (result.known) {
        result.to_mono_ns = (int64_t)((uint64_t)low_ns + between / 2);
        result.error_ns = (int64_t)(between - between / 2);
    }
    return result;
}
