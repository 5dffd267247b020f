/*
 * Converts between the clocks of a Perfetto trace. A clock snapshot contains the values
 * of several clocks at one time. A time is converted with the last snapshot before it,
 * assuming that both clocks have advanced at the same rate since then.
 */
#ifndef DEJANK_TRACE_PERFETTO_CLOCKS_H
#define DEJANK_TRACE_PERFETTO_CLOCKS_H

#include "base/map.h"
#include "trace/perfetto/fields.h"

/* The values of two clocks at the same time. */
struct dj_perfetto_pair {
    int64_t from_ns, to_ns; /* Values of the other clock and of the trace's clock. */
};

struct dj_perfetto_clock {
    int64_t unit_ns;
    bool incremental; /* Each timestamp is the difference to the timestamp before it. */
    int64_t last_ns;  /* Previous timestamp in ns. Used only if `incremental` is set. */
    struct dj_perfetto_pair *pairs; /* Sorted by from_ns. Owned. */
    size_t count, hint;
};

/* Zero it and set `main` to the id of the trace's own clock. */
struct dj_perfetto_clocks {
    uint64_t main;
    /* A snapshot named the trace's clock as the primary clock, or contained it. */
    bool main_known;
    struct dj_map places;
    struct dj_perfetto_clock *clocks;
    size_t count;
    uint64_t converted; /* Number of times that were converted from other clocks. */
};

/* Adds a ClockSnapshot of a sequence. If it was added before, only resets incremental
 * clocks. Ignores invalid parts. */
void dj_perfetto_clocks_add_snapshot(struct dj_perfetto_clocks *clocks, uint64_t sequence,
                                     struct dj_str snapshot);

/* Converts a timestamp of a clock to ns of the trace's clock. Clock 0 is the trace's
 * clock. Returns false if no snapshot contains the clock or if the result is negative. */
bool dj_perfetto_clocks_convert(struct dj_perfetto_clocks *clocks, uint64_t sequence,
                                uint64_t clock, uint64_t stamp, int64_t *at_ns);

/* Returns a clock, or NULL if no snapshot contains it. `clock` is not a clock of a
 * sequence. */
const struct dj_perfetto_clock *
dj_perfetto_clocks_find(const struct dj_perfetto_clocks *clocks, uint64_t clock);

void dj_perfetto_clocks_finish(struct dj_perfetto_clocks *clocks);

#endif
