/* The kernel's clocks that do not count nanoseconds. Of this room only. */
#ifndef DEJANK_TRACE_CLOCK_UNIT_H
#define DEJANK_TRACE_CLOCK_UNIT_H

#include "trace/ring.h"

/* "local [x86-tsc] …" (trace_clock), or a name alone: the name that is chosen. */
struct dj_str dj_clock_chosen(struct dj_str clocks);

/* How stamps of that clock become nanoseconds; of one that counts those, and of one that
 * is not known, as they are. False: it counts something whose length its name does not
 * tell (kernel/trace/trace.c, trace_clocks[]: in_ns is 0). */
bool dj_clock_unit(struct dj_str name, struct dj_ring_time *time);

#endif
