/* What the options of a trace.dat say of its stamps. Of this room only. */
#ifndef DEJANK_TRACE_TRACE_DAT_CLOCK_H
#define DEJANK_TRACE_TRACE_DAT_CLOCK_H

#include "trace/ring.h"

/* All zero: nothing was said. */
struct dj_dat_clock {
    char clocks[256]; /* as the kernel lists them, or the one alone */
    struct dj_ring_time tsc;
    bool told_behind; /* version 6: they are listed behind the CPUs */
    int64_t moved_ns; /* what the user had added to all stamps */
};

/* Takes an option in, if it is one of these. */
void dj_dat_clock_option(struct dj_dat_clock *clock, uint64_t id, struct dj_str data);
/* What a buffer says of itself goes before. */
void dj_dat_clock_of_buffer(struct dj_dat_clock *clock, struct dj_str name);

/* How stamps become nanoseconds; and which clock they are of is told to the sink. */
int dj_dat_clock_end(const struct dj_dat_clock *clock, struct dj_ring_time *time,
                     struct dj_event_sink sink);

#endif
