/* Decodes a kernel event in the form of Perfetto's message FtraceEvent. */
#ifndef DEJANK_TRACE_PERFETTO_FTRACE_EVENT_H
#define DEJANK_TRACE_PERFETTO_FTRACE_EVENT_H

#include "trace/kernel/tracepoints.h"
#include "trace/perfetto/sequence.h"

enum { DJ_PF_KERNEL_EVENTS = 640, DJ_PF_KERNEL_FIELDS = 16 };

/* Tables of kernel events. The first index is the number of the event in FtraceEvent. The
 * second index of `slots` is the number of a field in the event's message. */
struct dj_perfetto_event_table {
    const struct dj_tracepoint *tracepoints[DJ_PF_KERNEL_EVENTS];
    /* Values of enum dj_event_slot. */
    uint8_t slots[DJ_PF_KERNEL_EVENTS][DJ_PF_KERNEL_FIELDS];
};

void dj_perfetto_event_table_init(struct dj_perfetto_event_table *kernel);

/* Decodes a FtraceEvent. Sets all members of *event except at_ns, cpu and `task`.
 * `symbols` contains names of kernel functions. It is NULL if they are unknown. Returns
 * false if the message is invalid. */
bool dj_perfetto_ftrace_event_read(const struct dj_perfetto_event_table *kernel,
                                   struct dj_str bytes,
                                   const struct dj_perfetto_texts *symbols,
                                   struct dj_event *event);

/* Returns true if the flags say that the event happened in an interrupt. */
static inline bool dj_perfetto_ftrace_event_is_interrupted(uint64_t flags)
{
    enum { HARD_IRQ = 0x08, SOFT_IRQ = 0x10 };
    return (flags & (HARD_IRQ | SOFT_IRQ)) != 0;
}

#endif
