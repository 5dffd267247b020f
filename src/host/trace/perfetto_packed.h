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

/* Reads the next of them ahead. */
void dj_pf_packed_read_on(struct dj_pf_packed *packed);

static inline int64_t dj_pf_packed_time(const struct dj_pf_packed *packed)
{
    return (int64_t)packed->times[packed->at];
}

/* That time, or that of its next one, if that is earlier. */
static inline int64_t dj_pf_packed_earlier(const struct dj_pf_compact *compact,
                                           int64_t at_ns)
{
    int64_t switch_ns = dj_pf_packed_time(&compact->switches);
    int64_t wake_ns = dj_pf_packed_time(&compact->wakes);
    at_ns = wake_ns < at_ns ? wake_ns : at_ns;
    return switch_ns < at_ns ? switch_ns : at_ns;
}

/* The next switch or wake-up that is at that time as an event, a wake-up before a switch;
 * who was there before, or wakes, is whom the CPU runs. */
static inline void dj_pf_packed_take(struct dj_pf_compact *compact, int64_t clock_ns,
                                     const struct dj_pf_running *running,
                                     struct dj_event *event)
{
    bool wakes = dj_pf_packed_time(&compact->wakes) == clock_ns;
    struct dj_pf_packed *packed = wakes ? &compact->wakes : &compact->switches;
    size_t at = packed->at;
    uint64_t name = packed->names[at];
    event->tid = running->tid;
    event->task = running->name;
    event->other = (int32_t)packed->pids[at];
    event->other_name =
        name < compact->name_count ? compact->names[name] : (struct dj_words){"", 0};
    if (wakes) {
        event->kind = DJ_EVENT_WAKING;
        event->value = (int64_t)packed->third[at];
        event->interrupted = dj_pf_kernel_interrupted(packed->fourth[at]);
    } else {
        event->kind = DJ_EVENT_SWITCH;
        event->state = (uint8_t)dj_task_state_of_bits((int64_t)packed->third[at]);
    }
    if (++packed->at == DJ_PF_AHEAD) {
        dj_pf_packed_read_on(packed);
    }
}

#endif
