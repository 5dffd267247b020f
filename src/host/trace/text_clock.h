/* Which clock the kernel's text is of. Of this room only. */
#ifndef DEJANK_TRACE_TEXT_CLOCK_H
#define DEJANK_TRACE_TEXT_CLOCK_H

#include "trace/event.h"

/* Zero it. */
struct dj_text_clock {
    bool of_kernel; /* "# tracer:" was seen: the kernel wrote it itself */
    bool told;
};

/* Takes a comment in, if it tells of the clock ("# clock_type=", "# clock: "): true, and
 * *code is what the sink answered to its DJ_EVENT_CLOCK. */
bool dj_text_clock_line(struct dj_text_clock *clock, struct dj_str line,
                        struct dj_event_sink sink, int *code);

/* A stamp is a whole number: the kernel writes seconds of clocks that count nanoseconds,
 * and of others their ticks, but never which clock it is. What the sink answered. */
int dj_text_clock_counted(struct dj_text_clock *clock, struct dj_event_sink sink);

#endif
