/*
 * The clocks of a Perfetto trace, and how they stand to each other: each snapshot says
 * what several clocks showed at one time. From the newest snapshot before a stamp on,
 * both clocks go on at the same pace. Of this room only.
 */
#ifndef DEJANK_TRACE_PERFETTO_CLOCKS_H
#define DEJANK_TRACE_PERFETTO_CLOCKS_H

#include "base/map.h"
#include "trace/perfetto_wire.h"

/* Two clocks at one time. */
struct dj_pf_pair {
    int64_t from_ns, to_ns; /* of this clock, and of the trace's */
};

struct dj_pf_clock {
    int64_t unit_ns;
    bool incremental;         /* a stamp counts from the one before it */
    int64_t last_ns;          /* the one before it */
    struct dj_pf_pair *pairs; /* by from_ns; owned */
    size_t count, hint;
};

/* Zero it but for `main`, the trace's own clock. */
struct dj_pf_clocks {
    uint64_t main;
    bool main_told; /* a snapshot named it, or shows it */
    struct dj_map places;
    struct dj_pf_clock *clocks;
    size_t count;
    uint64_t converted; /* stamps that were, from other clocks */
};

/* Takes a ClockSnapshot of a sequence in; a second time it is no news, but where counting
 * begins. What makes no sense is passed over. */
void dj_pf_clocks_take(struct dj_pf_clocks *clocks, uint64_t sequence,
                       struct dj_str snapshot);

/* A stamp of a clock (0: the trace's), in ns of the trace's clock. False: no snapshot
 * says how that clock stands, or the time is before 0. */
bool dj_pf_clocks_convert(struct dj_pf_clocks *clocks, uint64_t sequence, uint64_t clock,
                          uint64_t stamp, int64_t *at_ns);

/* A clock that is no sequence's own; NULL: no snapshot has it. */
const struct dj_pf_clock *dj_pf_clocks_find(const struct dj_pf_clocks *clocks,
                                            uint64_t clock);

void dj_pf_clocks_finish(struct dj_pf_clocks *clocks);

#endif
