/* The display's refresh period in a trace, found from a counter that changes at each
 * vsync or from FrameTimeline's expected frames of the display.
 *
 * A vsync that no app requested is not in the trace, so an interval may be several
 * periods. Intervals of more than 21 ms (less than 48 Hz) are ignored. A multiple of the
 * period is a new rate only if it lasts. */
#ifndef DEJANK_TRIAGE_FRAMES_REFRESH_H
#define DEJANK_TRIAGE_FRAMES_REFRESH_H

#include "trace/trace.h"

/* From `from_ns` on the display's period is `period_ns`. */
struct dj_triage_rate {
    int64_t from_ns, period_ns;
};

struct dj_triage_refresh {
    struct dj_triage_rate *rates; /* by time; owned */
    size_t count;                 /* 0: the trace does not show a rate */
    const char
        *source; /* the counter's name, or "FrameTimeline"; the trace's, or static */
};

/* Leaves it empty if the trace shows no rate. */
void dj_triage_refresh_find(const struct dj_trace *trace,
                            struct dj_triage_refresh *refresh);
/* The first rate also holds for earlier times; 0: none is known. */
int64_t dj_triage_refresh_get_period(const struct dj_triage_refresh *refresh,
                                     int64_t at_ns);
void dj_triage_refresh_finish(struct dj_triage_refresh *refresh);

#endif
