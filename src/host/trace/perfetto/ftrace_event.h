/* Reads one kernel event in Perfetto's form. */
#ifndef DEJANK_TRACE_PERFETTO_FTRACE_EVENT_H
#define DEJANK_TRACE_PERFETTO_FTRACE_EVENT_H

#include "trace/kernel/tracepoints.h"
#include "trace/perfetto/sequence.h"

enum { DJ_PF_KERNEL_EVENTS = 640, DJ_PF_KERNEL_FIELDS = 16 };

/* The table of kernel events, indexed by number: events, and the fields of each. */
struct dj_perfetto_event_table {
    const struct dj_tracepoint *shapes[DJ_PF_KERNEL_EVENTS];
    uint8_t slots[DJ_PF_KERNEL_EVENTS][DJ_PF_KERNEL_FIELDS]; /* enum dj_event_slot */
};

void dj_perfetto_event_table_init(struct dj_perfetto_event_table *kernel);

/* Fills all of *event from a FtraceEvent, except at_ns, cpu and the name in `task`.
 * Returns false if it is invalid. `symbols` has the names of kernel functions; NULL:
 * unknown. */
bool dj_perfetto_ftrace_event_read(const struct dj_perfetto_event_table *kernel,
                                   struct dj_str bytes,
                                   const struct dj_perfetto_texts *symbols,
                                   struct dj_event *event);

/* Returns true if the flags of an event show that it happened in an interrupt. */
static inline bool dj_perfetto_ftrace_event_is_interrupted(uint64_t flags)
{
    enum { HARD_IRQ = 0x08, SOFT_IRQ = 0x10 };
    return (flags & (HARD_IRQ | SOFT_IRQ)) != 0;
}

#endif
