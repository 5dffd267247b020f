/*
 * Reads what a binary kernel trace contains in addition to its events: names, processes,
 * the clock. Readers of this module and captures use it.
 */
#ifndef DEJANK_TRACE_KERNEL_TRACE_H
#define DEJANK_TRACE_KERNEL_TRACE_H

#include "trace/ring.h"

/* Zero it before use. */
struct dj_trace_kernel {
    struct dj_trace_formats formats;
    struct dj_trace_ring_layout layout;
    struct dj_trace_ring_cpu *cpus; /* owned; their sources are not */
    size_t cpu_count;
};

void dj_trace_kernel_finish(struct dj_trace_kernel *kernel);

/* Adds a CPU with this number, zeroed. Returns NULL if there are too many. */
struct dj_trace_ring_cpu *dj_trace_kernel_add_cpu(struct dj_trace_kernel *kernel,
                                                  int32_t cpu);

/* Passes the lines "15 ksoftirqd/0\n…" (saved_cmdlines) to the sink as names of threads.
 */
int dj_trace_kernel_report_names(struct dj_str lines, struct dj_event_sink sink);
/* Passes the lines "16287 16287\n…" (saved_tgids) to the sink: thread and process. */
int dj_trace_kernel_report_processes(struct dj_str lines, struct dj_event_sink sink);

/* Reports the clock to the sink. `clocks` is "local global [boot]" (trace_clock), or one
 * name. `time` says how stamps become nanoseconds. */
int dj_trace_kernel_report_clock(struct dj_str clocks,
                                 const struct dj_trace_ring_time *time,
                                 struct dj_event_sink sink);

/* Returns the selected name of "local [x86-tsc] …" (trace_clock), or of a single name. */
struct dj_str dj_trace_kernel_get_selected_clock(struct dj_str clocks);

/* Sets how stamps of that clock become nanoseconds. Stamps of nanosecond clocks and of
 * unknown clocks stay as they are. Returns false if the clock counts units of a length
 * that its name does not define (kernel/trace/trace.c, trace_clocks[]: in_ns is
 * 0). */
bool dj_trace_kernel_get_clock_unit(struct dj_str name, struct dj_trace_ring_time *time);

#endif
