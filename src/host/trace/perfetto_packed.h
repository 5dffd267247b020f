/* Switches and wake-ups of a bundle, packed side by side (CompactSched). For
 * perfetto_bundle.c alone. */
#ifndef DEJANK_TRACE_PERFETTO_PACKED_H
#define DEJANK_TRACE_PERFETTO_PACKED_H

#include "trace/perfetto_bundle.h"

/* Opens both in what is zeroed; *damaged counts what makes no sense. False: out of
 * memory. */
bool dj_pf_packed_open(struct dj_pf_compact *compact, struct dj_words bytes,
                       uint64_t *damaged);
void dj_pf_packed_close(struct dj_pf_compact *compact); /* frees it; NULL is fine */

/* Goes on to the next one's time, or to none. */
void dj_pf_packed_next(struct dj_pf_packed *packed);

/* That time, or that of its next one, if that is earlier. */
static inline int64_t dj_pf_packed_earlier(const struct dj_pf_compact *compact,
                                           int64_t at_ns)
{
    at_ns = compact->wakes.next_ns < at_ns ? compact->wakes.next_ns : at_ns;
    return compact->switches.next_ns < at_ns ? compact->switches.next_ns : at_ns;
}

/* The one that is at that time as an event, a wake-up before a switch; who was there
 * before is whom the CPU runs. */
void dj_pf_packed_take(struct dj_pf_compact *compact, int64_t clock_ns,
                       const struct dj_pf_running *running, struct dj_event *event);

#endif
