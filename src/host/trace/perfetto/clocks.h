/*
 * Converts between the clocks of a Perfetto trace. Each snapshot contains the values of
 * several clocks at one time. From the last snapshot before a stamp, both clocks advance
 * at the same rate.
 */
#ifndef DEJANK_TRACE_PERFETTO_CLOCKS_H
#define DEJANK_TRACE_PERFETTO_CLOCKS_H

#include "base/map.h"
#include "trace/perfetto/fields.h"

/* The values of two clocks at one time. */
struct dj_perfetto_pair {
    int64_t from_ns, to_ns; /* of this clock, and of the trace's clock */
};

struct dj_perfetto_clock {
    int64_t unit_ns;
    bool incremental;               /* a stamp is the difference to the stamp before it */
    int64_t last_ns;                /* the stamp before it */
    struct dj_perfetto_pair *pairs; /* by from_ns; owned */
    size_t count, hint;
};

/* Zero it and set `main`, the trace's own clock. */
struct dj_perfetto_clocks {
    uint64_t main;
    bool main_told; /* a snapshot named that clock, or contains it */
    struct dj_map places;
    struct dj_perfetto_clock *clocks;
    size_t count;
    uint64_t converted; /* number of stamps that were converted from other clocks */
};

/* Adds a ClockSnapshot of a sequence. Adding it a second time only resets incremental
 * clocks. Ignores invalid parts. */
void dj_perfetto_clocks_add_snapshot(struct dj_perfetto_clocks *clocks, uint64_t sequence,
                                     struct dj_str snapshot);

/* Converts a stamp of a clock (0: the trace's) to ns of the trace's clock. Returns false
 * if no snapshot contains that clock, or if the time is negative. */
bool dj_perfetto_clocks_convert(struct dj_perfetto_clocks *clocks, uint64_t sequence,
                                uint64_t clock, uint64_t stamp, int64_t *at_ns);

/* Returns a clock that does not belong to a sequence; NULL if no snapshot contains it. */
const struct dj_perfetto_clock *
dj_perfetto_clocks_find(const struct dj_perfetto_clocks *clocks, uint64_t clock);

void dj_perfetto_clocks_finish(struct dj_perfetto_clocks *clocks);

#endif
