/* Switches and wake-ups of a bundle, packed side by side (CompactSched). For
 * perfetto_bundle.c alone. */
#ifndef DEJANK_TRACE_PERFETTO_PACKED_H
#define DEJANK_TRACE_PERFETTO_PACKED_H

#include "trace/perfetto_bundle.h"

/* Opens both; *damaged counts what makes no sense. */
struct dj_pf_compact *dj_pf_packed_open(struct dj_str bytes, uint64_t *damaged);
void dj_pf_packed_close(struct dj_pf_compact *compact); /* frees it; NULL is fine */

/* Reads the first of them ahead, once. */
void dj_pf_packed_begin(struct dj_pf_compact *compact);
/* Reads the next of them ahead, all those before having been taken. */
void dj_pf_packed_read_on(struct dj_pf_packed *packed);

/* The first of packed times; INT64_MAX: there is none. */
int64_t dj_pf_packed_first(struct dj_proto_message times);

/* That time, or that of its next one, if that is earlier. */
static inline int64_t dj_pf_packed_earlier(const struct dj_pf_compact *compact,
                                           int64_t at_ns)
{
    at_ns = compact->wakes.next_ns < at_ns ? compact->wakes.next_ns : at_ns;
    return compact->switches.next_ns < at_ns ? compact->switches.next_ns : at_ns;
}

/* The next switch or wake-up that is at that time as an event, a wake-up before a switch;
 * who was there before, or wakes, is whom the CPU runs. */
static inline void dj_pf_packed_take(struct dj_pf_compact *compact, int64_t clock_ns,
                                     const struct dj_pf_running *running,
                                     struct dj_event *event)
{
    bool wakes = compact->wakes.next_ns == clock_ns;
    struct dj_pf_packed *packed = wakes ? &compact->wakes : &compact->switches;
    struct dj_pf_ahead *ahead = packed->ahead;
    size_t at = ahead->at++;
    uint64_t name = ahead->names[at];
    event->tid = running->tid;
    event->task = running->name;
    event->other = (int32_t)ahead->pids[at];
    event->other_name =
        name < compact->name_count ? compact->names[name] : (struct dj_str){"", 0};
    if (wakes) {
        event->kind = DJ_EVENT_WAKING;
        event->value = (int64_t)ahead->third[at];
        event->interrupted = dj_pf_kernel_interrupted(ahead->fourth[at]);
    } else {
        event->kind = DJ_EVENT_SWITCH;
        event->state = (uint8_t)dj_task_state_of_bits((int64_t)ahead->third[at]);
    }
    packed->next_ns = (int64_t)ahead->times[at + 1];
    if (at + 1 == DJ_PF_AHEAD) {
        dj_pf_packed_read_on(packed);
    }
}

#endif
