/*
 * Converts times between the clocks of a Perfetto trace. A clock snapshot contains the
 * values of several clocks at the same moment. To convert a time, the last snapshot
 * before this time is used. Both clocks are assumed to run at the same rate after the
 * snapshot.
 */
#ifndef DEJANK_TRACE_PERFETTO_CLOCKS_H
#define DEJANK_TRACE_PERFETTO_CLOCKS_H

#include "base/map.h"
#include "trace/perfetto/fields.h"

/* The values of two clocks at the same moment. */
struct dj_perfetto_pair {
    /* Value of the other clock, and value of the trace's clock. */
    int64_t from_ns, to_ns;
};

struct dj_perfetto_clock {
    int64_t unit_ns;
    /* True if each timestamp of this clock is the difference to the previous timestamp.
     */
    bool incremental;
    int64_t last_ns; /* Previous timestamp in ns. Used only if `incremental` is set. */
    struct dj_perfetto_pair *pairs; /* Pairs, sorted by from_ns. Owned by this struct. */
    size_t count, hint;
};

/* All clocks of a trace. Zero the struct and set `main` to the id of the trace's own
 * clock. */
struct dj_perfetto_clocks {
    uint64_t main;
    /* True if a snapshot contained the trace's clock, or named it as the primary clock.
     */
    bool main_known;
    struct dj_map places;
    struct dj_perfetto_clock *clocks;
    size_t count;
    uint64_t converted; /* Number of times that were converted from other clocks. */
};

/* Adds a ClockSnapshot. Ignores its invalid parts. If this snapshot was already added,
 * only resets its incremental clocks. */
void dj_perfetto_clocks_add_snapshot(struct dj_perfetto_clocks *clocks, uint64_t sequence,
                                     struct dj_str snapshot);

/* Converts a timestamp of a clock to ns of the trace's clock. Clock 0 is the trace's
 * clock. Returns false if no snapshot contains the clock, or if the result would be
 * negative. */
bool dj_perfetto_clocks_convert(struct dj_perfetto_clocks *clocks, uint64_t sequence,
                                uint64_t clock, uint64_t stamp, int64_t *at_ns);

/* Returns a clock, or NULL if no snapshot contains it. Clocks that belong to a sequence
 * cannot be found. */
const struct dj_perfetto_clock *
dj_perfetto_clocks_find(const struct dj_perfetto_clocks *clocks, uint64_t clock);

void dj_perfetto_clocks_finish(struct dj_perfetto_clocks *clocks);

#endif
