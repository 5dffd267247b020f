#include "trace/trace_dat_parts.h"

#include <string.h>

#include "trace/cursor.h"
#include "trace/kernel.h"
#include "trace/numbers.h"

enum option { OPTION_TRACECLOCK = 4, OPTION_OFFSET = 7, OPTION_TSC2NSEC = 14 };

/* The option has a multiplier, a shift, and the counter's start value. */
static void take_tsc(struct dj_dat_clock *clock, struct dj_str data)
{
    struct dj_cursor at = {(const uint8_t *)data.at, data.length, 0, false};
    uint32_t multiplier = (uint32_t)dj_cursor_number(&at, 4);
    uint32_t shift = (uint32_t)dj_cursor_number(&at, 4);
    if (!at.failed) {
        clock->tsc.multiplier = multiplier;
        clock->tsc.shift = shift;
    }
}

void dj_dat_clock_of_buffer(struct dj_dat_clock *clock, struct dj_str name)
{
    if (name.length > 0 && name.length < sizeof(clock->clocks)) {
        memcpy(clock->clocks, name.at, name.length);
        clock->clocks[name.length] = '\0';
    }
}

void dj_dat_clock_option(struct dj_dat_clock *clock, uint64_t id, struct dj_str data)
{
    switch (id) {
    case OPTION_TRACECLOCK:
        clock->told_behind = true;
        dj_dat_clock_of_buffer(clock, data);
        break;
    case OPTION_OFFSET:
        /* "-12345" or "0x1f", usually with a NUL after it. */
        data.length = data.length > 0 ? strnlen(data.at, data.length) : 0;
        dj_number_int(data, &clock->moved_ns);
        break;
    case OPTION_TSC2NSEC:
        take_tsc(clock, data);
        break;
    default:
        break;
    }
}

int dj_dat_clock_end(const struct dj_dat_clock *clock, struct dj_ring_time *time,
                     struct dj_event_sink sink)
{
    struct dj_str clocks = {clock->clocks, strlen(clock->clocks)};
    struct dj_str name = dj_clock_chosen(clocks);
    *time = dj_str_is(name, "x86-tsc") ? clock->tsc : (struct dj_ring_time){0};
    if (time->multiplier == 0) {
        dj_clock_unit(name, time);
    }
    time->moved_ns = clock->moved_ns;
    return dj_kernel_tell_clock(clocks, time, sink);
}
