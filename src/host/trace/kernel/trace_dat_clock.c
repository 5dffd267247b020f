#include "trace/kernel/trace_dat_private.h"

#include <string.h>

#include "trace/kernel/byte_cursor.h"
#include "trace/kernel_trace.h"
#include "trace/text/numbers.h"

enum option { OPTION_TRACECLOCK = 4, OPTION_OFFSET = 7, OPTION_TSC2NSEC = 14 };

/* Reads the conversion from TSC ticks to nanoseconds. The option contains a multiplier, a
 * shift and the start value of the counter. The start value is not needed. */
static void read_tsc(struct dj_trace_dat_clock *clock, struct dj_str data)
{
    struct dj_byte_cursor at = {(const uint8_t *)data.at, data.length, 0, false};
    uint32_t multiplier = (uint32_t)dj_byte_cursor_read_number(&at, 4);
    uint32_t shift = (uint32_t)dj_byte_cursor_read_number(&at, 4);
    if (!at.failed) {
        clock->tsc.multiplier = multiplier;
        clock->tsc.shift = shift;
    }
}

void dj_trace_dat_clock_set_names(struct dj_trace_dat_clock *clock, struct dj_str name)
{
    if (name.length > 0 && name.length < sizeof(clock->clocks)) {
        memcpy(clock->clocks, name.at, name.length);
        clock->clocks[name.length] = '\0';
    }
}

void dj_trace_dat_clock_read_option(struct dj_trace_dat_clock *clock, uint64_t id,
                                    struct dj_str data)
{
    switch (id) {
    case OPTION_TRACECLOCK:
        clock->listed_after_cpus = true;
        dj_trace_dat_clock_set_names(clock, data);
        break;
    case OPTION_OFFSET:
        /* The option is a string such as "-12345" or "0x1f". Usually a NUL follows the
         * string. */
        data.length = data.length > 0 ? strnlen(data.at, data.length) : 0;
        dj_number_parse_int(data, &clock->moved_ns);
        break;
    case OPTION_TSC2NSEC:
        read_tsc(clock, data);
        break;
    default:
        break;
    }
}

int dj_trace_dat_clock_report(const struct dj_trace_dat_clock *clock,
                              struct dj_trace_ring_time *time, struct dj_event_sink sink)
{
    struct dj_str clocks = {clock->clocks, strlen(clock->clocks)};
    struct dj_str name = dj_trace_kernel_get_selected_clock(clocks);
    *time = dj_str_is(name, "x86-tsc") ? clock->tsc : (struct dj_trace_ring_time){0};
    if (time->multiplier == 0) {
        dj_trace_kernel_get_clock_unit(name, time);
    }
    time->moved_ns = clock->moved_ns;
    return dj_trace_kernel_report_clock(clocks, time, sink);
}
