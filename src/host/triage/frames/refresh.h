/*
 * Finds the refresh period of the display in a trace. The source is a counter that
 * changes at each vsync, or the expected frames of FrameTimeline.
 *
 * If no app requests a vsync, the trace does not contain this vsync. So the time between
 * two recorded vsyncs may be several periods. Times of more than 21 ms (less than 48 Hz)
 * are ignored. If the time between vsyncs changes to a multiple of the period, this is
 * treated as a new refresh rate only if it lasts.
 */
#ifndef DEJANK_TRIAGE_FRAMES_REFRESH_H
#define DEJANK_TRIAGE_FRAMES_REFRESH_H

#include "trace/trace.h"

/* A refresh period that is valid from from_ns on. */
struct dj_triage_rate {
    int64_t from_ns, period_ns;
};

struct dj_triage_refresh {
    /* Refresh periods, sorted by time. Owned by this struct. */
    struct dj_triage_rate *rates;
    size_t count; /* Number of refresh periods, or 0 if the trace does not show any. */
    /* Source: the name of a counter (owned by the trace), or "FrameTimeline". */
    const char *source;
};

/* Finds the refresh periods. If the trace shows none, refresh->count is 0. */
void dj_triage_refresh_find(const struct dj_trace *trace,
                            struct dj_triage_refresh *refresh);
/* Returns the refresh period at the time `at_ns`. Before the first known period, returns
 * this period. Returns 0 if the trace shows no period. */
int64_t dj_triage_refresh_get_period(const struct dj_triage_refresh *refresh,
                                     int64_t at_ns);
void dj_triage_refresh_finish(struct dj_triage_refresh *refresh);

#endif
