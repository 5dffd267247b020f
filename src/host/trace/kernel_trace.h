/*
 * Reads the data that a binary kernel trace contains in addition to its events: the names
 * and the processes of threads, and the clock. Both the trace readers and the capture
 * module use it.
 */
#ifndef DEJANK_TRACE_KERNEL_TRACE_H
#define DEJANK_TRACE_KERNEL_TRACE_H

#include "trace/ring.h"

/* The CPUs of a kernel trace, and the formats of its events. Zero the struct before
 * use. */
struct dj_trace_kernel {
    struct dj_trace_formats formats;
    struct dj_trace_ring_layout layout;
    /* CPUs with their ring buffers. Owned by this struct, except for the sources of the
     * CPUs, which the caller owns. */
    struct dj_trace_ring_cpu *cpus;
    size_t cpu_count;
};

void dj_trace_kernel_finish(struct dj_trace_kernel *kernel);

/* Adds the CPU with the number `cpu` and returns it. The other members of the CPU are
 * zero. Returns NULL if there are too many CPUs. */
struct dj_trace_ring_cpu *dj_trace_kernel_add_cpu(struct dj_trace_kernel *kernel,
                                                  int32_t cpu);

/* Parses the kernel's file saved_cmdlines, whose lines look like "15 ksoftirqd/0". Passes
 * the name of each thread to the sink. Returns the sink's result. */
int dj_trace_kernel_report_names(struct dj_str lines, struct dj_event_sink sink);
/* Parses the kernel's file saved_tgids, whose lines look like "16287 16280". Passes the
 * process of each thread to the sink. Returns the sink's result. */
int dj_trace_kernel_report_processes(struct dj_str lines, struct dj_event_sink sink);

/* Reports the trace's clock to the sink. `clocks` is the content of the kernel's file
 * trace_clock, for example "local global [boot]", or only the name of the clock. `time`
 * is the conversion from times in the trace to nanoseconds. Returns the sink's result. */
int dj_trace_kernel_report_clock(struct dj_str clocks,
                                 const struct dj_trace_ring_time *time,
                                 struct dj_event_sink sink);

/* Returns the name in brackets in a list of clocks such as "local [x86-tsc]". The
 * kernel's file trace_clock contains such a list. If the text contains no brackets,
 * returns the whole text. */
struct dj_str dj_trace_kernel_get_selected_clock(struct dj_str clocks);

/* Sets *time to the conversion from the clock `name` to nanoseconds. If the clock counts
 * nanoseconds or is unknown, does not change *time. Returns false if the clock counts
 * units of unknown length. Source: trace_clocks[] in the kernel's file
 * kernel/trace/trace.c. in_ns is 0 there for clocks that do not count nanoseconds. */
bool dj_trace_kernel_get_clock_unit(struct dj_str name, struct dj_trace_ring_time *time);

#endif
