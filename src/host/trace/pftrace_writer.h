/*
 * Writes events as a trace that Perfetto opens. It writes packets as the events come,
 * and its memory does not grow with them. So a recording of any length can be written
 * while it is made. docs/format/pftrace.md specifies the output.
 */
#ifndef DEJANK_TRACE_PFTRACE_WRITER_H
#define DEJANK_TRACE_PFTRACE_WRITER_H

#include "trace/event.h"

/* Relation of the events' stamps to the device's clocks. All zero: unknown, and stamps
 * are written unchanged. */
struct dj_trace_clock_offsets {
    int64_t to_boot_ns;     /* added to every stamp that is written: Perfetto's clock is
                               CLOCK_BOOTTIME */
    int64_t to_mono_ns;     /* stamp + this is CLOCK_MONOTONIC */
    int64_t to_realtime_ns; /* stamp + this is CLOCK_REALTIME */
    bool mono, realtime;    /* the two offsets above are known */
};

/* Measures the offsets between the clocks of this machine now, for stamps of its
 * CLOCK_MONOTONIC. */
void dj_trace_measure_clocks(struct dj_trace_clock_offsets *clocks);

/* Facts about the trace apart from its events. All zero: unknown. */
struct dj_trace_origin {
    struct dj_trace_clock_offsets clocks;
    const char *kernel; /* release, as uname -r prints it; NULL unknown */
};

struct dj_trace_writer;

/* Starts a trace in `fd`, which belongs to the caller: a file, a pipe or a socket,
 * written from its current position. `name` is the name in error messages. Copies both
 * strings. The sink and dj_trace_writer_end() report write errors. */
struct dj_trace_writer *dj_trace_writer_create(int fd, const char *name,
                                               const struct dj_trace_origin *origin);

/* Returns the sink for events, which may come in any order of time. Events of a CPU (cpu
 * ≥ 0) are written as kernel events, including markers of trace_marker. Sections,
 * counters, instants and async sections without a CPU (cpu −1) are written as TrackEvents
 * of their thread or process. The sink returns DJ_E_OUTPUT after a write error. */
struct dj_event_sink dj_trace_writer_get_sink(struct dj_trace_writer *writer);

/* Sets the full name of a process. Threads get their names from events. */
void dj_trace_writer_name_process(struct dj_trace_writer *writer, int32_t pid,
                                  const char *name);

/* Returns the size of the trace so far in bytes, including bytes that are not written to
 * `fd` yet. */
uint64_t dj_trace_writer_get_bytes(const struct dj_trace_writer *writer);

/* Writes the rest. Returns 0, or DJ_E_OUTPUT with the message of the first write error.
 * Does not sync, and leaves `fd` open. */
int dj_trace_writer_end(struct dj_trace_writer *writer, struct dj_error *err);

/* Can be called without dj_trace_writer_end(); then unwritten bytes are lost. NULL is
 * allowed.
 */
void dj_trace_writer_destroy(struct dj_trace_writer *writer);

#endif
