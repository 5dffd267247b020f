/*
 * Writes events to a trace file that Perfetto opens. Each packet is written as soon as
 * its events are known, so the memory use does not grow with the number of events.
 * Therefore a recording of any length can be written while it is being made.
 * docs/format/pftrace.md specifies the output.
 */
#ifndef DEJANK_TRACE_PFTRACE_WRITER_H
#define DEJANK_TRACE_PFTRACE_WRITER_H

#include "trace/event.h"

/* The relation between the events' times and the device's clocks. If all members are 0,
 * the relation is unknown, and times are written unchanged. */
struct dj_trace_clock_offsets {
    /* Added to each time that is written, because Perfetto uses CLOCK_BOOTTIME. */
    int64_t to_boot_ns;
    int64_t to_mono_ns;     /* An event's time plus to_mono_ns is CLOCK_MONOTONIC. */
    int64_t to_realtime_ns; /* An event's time plus to_realtime_ns is CLOCK_REALTIME. */
    bool mono, realtime;    /* to_mono_ns is known, and to_realtime_ns is known. */
};

/* Measures the current offsets between the clocks of this machine, for events with
 * times of CLOCK_MONOTONIC. */
void dj_trace_measure_clocks(struct dj_trace_clock_offsets *clocks);

/* Properties of the trace as a whole. A zeroed struct means that they are unknown. */
struct dj_trace_origin {
    struct dj_trace_clock_offsets clocks;
    const char *kernel; /* Release as printed by uname -r, or NULL if unknown. */
};

struct dj_trace_writer;

/* Starts a trace in `fd`, which may be a file, a pipe or a socket. Writing starts at
 * the current position. The caller owns `fd`. `name` is used in error messages. Copies
 * both strings. Write errors are reported later, by the sink and by
 * dj_trace_writer_end(). */
struct dj_trace_writer *dj_trace_writer_create(int fd, const char *name,
                                               const struct dj_trace_origin *origin);

/* Returns a sink for the events of the trace. Events may have any order of time. An
 * event with a CPU (cpu ≥ 0) is written as a kernel event, also if it is a marker of an
 * app. Sections, counters, instants and async sections without a CPU (cpu −1) are
 * written as TrackEvents of their thread or process. The sink returns DJ_E_OUTPUT after
 * a write error. */
struct dj_event_sink dj_trace_writer_get_sink(struct dj_trace_writer *writer);

/* Sets the full name of a process. The names of threads come from events. */
void dj_trace_writer_name_process(struct dj_trace_writer *writer, int32_t pid,
                                  const char *name);

/* Returns the current size of the trace in bytes. This includes bytes that are not
 * written to `fd` yet. */
uint64_t dj_trace_writer_get_bytes(const struct dj_trace_writer *writer);

/* Writes the remaining bytes. Returns 0, or DJ_E_OUTPUT with the message of the first
 * write error. Does not sync the file, and does not close `fd`. */
int dj_trace_writer_end(struct dj_trace_writer *writer, struct dj_error *err);

/* Frees the writer. Without an earlier call of dj_trace_writer_end(), unwritten bytes
 * are lost. Does nothing if `writer` is NULL. */
void dj_trace_writer_destroy(struct dj_trace_writer *writer);

#endif
