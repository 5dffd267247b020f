/*
 * Reads data that a binary kernel trace contains in addition to its events: names of
 * threads, processes of threads, and the clock. The readers of this module and the
 * capture module use it.
 */
#ifndef DEJANK_TRACE_KERNEL_TRACE_H
#define DEJANK_TRACE_KERNEL_TRACE_H

#include "trace/ring.h"

/* Zero it before use. */
struct dj_trace_kernel {
    struct dj_trace_formats formats;
    struct dj_trace_ring_layout layout;
    /* Owned. The sources of the CPUs belong to the caller. */
    struct dj_trace_ring_cpu *cpus;
    size_t cpu_count;
};

void dj_trace_kernel_finish(struct dj_trace_kernel *kernel);

/* Adds a CPU with the number `cpu`. All other members are 0. Returns NULL if there are
 * too many CPUs. */
struct dj_trace_ring_cpu *dj_trace_kernel_add_cpu(struct dj_trace_kernel *kernel,
                                                  int32_t cpu);

/* Parses the kernel's file saved_cmdlines, which has lines like "15 ksoftirqd/0", and
 * passes the names of threads to the sink. Returns the sink's code. */
int dj_trace_kernel_report_names(struct dj_str lines, struct dj_event_sink sink);
/* Parses the kernel's file saved_tgids, which has lines like "16287 16280", and passes
 * the process of each thread to the sink. Returns the sink's code. */
int dj_trace_kernel_report_processes(struct dj_str lines, struct dj_event_sink sink);

/* Reports the trace's clock to the sink. `clocks` is the content of the kernel's file
 * trace_clock ("local global [boot]"), or a single name. `time` is the conversion from
 * times in the trace to nanoseconds. Returns the sink's code. */
int dj_trace_kernel_report_clock(struct dj_str clocks,
                                 const struct dj_trace_ring_time *time,
                                 struct dj_event_sink sink);

/* Returns the name in brackets of a list such as "local [x86-tsc]" (the kernel's file
 * trace_clock). If the text contains no brackets, returns the whole text. */
struct dj_str dj_trace_kernel_get_selected_clock(struct dj_str clocks);

/* Sets the conversion from times of the clock `name` to nanoseconds. Does not change
 * *time if the clock counts nanoseconds or is unknown. Returns false if the clock
 * counts units of unknown length. Source: trace_clocks[] in kernel/trace/trace.c, where
 * in_ns is 0 for such clocks. */
bool dj_trace_kernel_get_clock_unit(struct dj_str name, struct dj_trace_ring_time *time);

#endif
