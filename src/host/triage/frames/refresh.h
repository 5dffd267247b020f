/*
 * Finds the display's refresh period in a trace, from a counter that changes at each
 * vsync or from the expected frames of FrameTimeline.
 *
 * A trace does not contain vsyncs that no app requested, so the distance of two recorded
 * vsyncs may be several periods. Distances of more than 21 ms (less than 48 Hz) are
 * ignored. A multiple of the period counts as a new rate only if it lasts.
 */
#ifndef DEJANK_TRIAGE_FRAMES_REFRESH_H
#define DEJANK_TRIAGE_FRAMES_REFRESH_H

#include "trace/trace.h"

/* A refresh period, which starts at from_ns. */
struct dj_triage_rate {
    int64_t from_ns, period_ns;
};

struct dj_triage_refresh {
    struct dj_triage_rate *rates; /* Sorted by time. Owned. */
    size_t count;                 /* Number of rates, or 0 if the trace shows none. */
    const char *source; /* Name of the counter (owned by the trace) or "FrameTimeline". */
};

/* Finds the rates. `refresh` has none if the trace shows none. */
void dj_triage_refresh_find(const struct dj_trace *trace,
                            struct dj_triage_refresh *refresh);
/* Returns the refresh period at a time. The first known period also holds for earlier
 * times. Returns 0 if the trace shows no rate. */
int64_t dj_triage_refresh_get_period(const struct dj_triage_refresh *refresh,
                                     int64_t at_ns);
void dj_triage_refresh_finish(struct dj_triage_refresh *refresh);

#endif
