/* What a binary trace of the kernel says beside its events, and reading them. For
 * readers of this room, and captures. */
#ifndef DEJANK_TRACE_KERNEL_H
#define DEJANK_TRACE_KERNEL_H

#include "trace/ring.h"

/* Zero it before use. */
struct dj_kernel {
    struct dj_formats formats;
    struct dj_ring_layout layout;
    struct dj_ring_cpu *cpus; /* owned; their sources are not */
    size_t cpu_count;
};

void dj_kernel_finish(struct dj_kernel *kernel);

/* One more CPU, zeroed, with its number. NULL: there are too many. */
struct dj_ring_cpu *dj_kernel_add_cpu(struct dj_kernel *kernel, int32_t cpu);

/* "15 ksoftirqd/0\n…" (saved_cmdlines), as renames at the trace's beginning. */
int dj_kernel_tell_names(struct dj_str lines, struct dj_event_sink sink);
/* "16287 16287\n…" (saved_tgids): thread and process. */
int dj_kernel_tell_processes(struct dj_str lines, struct dj_event_sink sink);

/* "local global [boot]" (trace_clock), or one name alone: which clock the stamps are of,
 * and how they become nanoseconds. */
int dj_kernel_tell_clock(struct dj_str clocks, const struct dj_ring_time *time,
                         struct dj_event_sink sink);

/* "local [x86-tsc] …" (trace_clock), or a name alone: the name that is chosen. */
struct dj_str dj_clock_chosen(struct dj_str clocks);

/* How stamps of that clock become nanoseconds; of one that counts those, and of one that
 * is not known, as they are. False: it counts something whose length its name does not
 * tell (kernel/trace/trace.c, trace_clocks[]: in_ns is 0). */
bool dj_clock_unit(struct dj_str name, struct dj_ring_time *time);

#endif
