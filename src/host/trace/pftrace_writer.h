/*
 * Writes events to a trace file that Perfetto can open. Each packet is written as soon as
 * its events are known, so the memory use does not grow with the number of events. A
 * recording of any length can therefore be written while it is being made.
 * docs/format/pftrace.md specifies the output.
 */
#ifndef DEJANK_TRACE_PFTRACE_WRITER_H
#define DEJANK_TRACE_PFTRACE_WRITER_H

#include "trace/event.h"

/* The relation of the events' times to the clocks of the device. If all members are 0,
 * the relation is unknown, and times are written unchanged. */
struct dj_trace_clock_offsets {
    /* Offset that is added to each time that is written, because Perfetto uses
     * CLOCK_BOOTTIME. */
    int64_t to_boot_ns;
    /* Offset to add to an event's time to get CLOCK_MONOTONIC. Valid if `mono` is set. */
    int64_t to_mono_ns;
    /* Offset to add to an event's time to get CLOCK_REALTIME. Valid if `realtime` is set.
     */
    int64_t to_realtime_ns;
    /* True if to_mono_ns is known, and true if to_realtime_ns is known. */
    bool mono, realtime;
};

/* Measures the current offsets between the clocks of this machine. Use them for events
 * whose times are in CLOCK_MONOTONIC. */
void dj_trace_measure_clocks(struct dj_trace_clock_offsets *clocks);

/* Where a trace comes from. In a zeroed struct, everything is unknown. */
struct dj_trace_origin {
    struct dj_trace_clock_offsets clocks;
    /* Release of the kernel as `uname -r` prints it, or NULL if unknown. */
    const char *kernel;
};

struct dj_trace_writer;

/* Creates a writer for the file `fd`, which may be a file, a pipe or a socket. Writing
 * starts at the current position of `fd`. The caller owns `fd`. `name` is the name of the
 * file for error messages. The writer copies `name` and origin->kernel. Write errors are
 * reported later, by the sink and by dj_trace_writer_end(). */
struct dj_trace_writer *dj_trace_writer_create(int fd, const char *name,
                                               const struct dj_trace_origin *origin);

/* Returns a sink for the events of the trace. The events need not be in order of time. An
 * event with a CPU (cpu is 0 or more) is written as a kernel event, even if it is a
 * marker of an app. Sections, counters, instants and async sections without a CPU (cpu is
 * −1) are written as TrackEvents of their thread or process. The sink returns DJ_E_OUTPUT
 * after a write error. */
struct dj_event_sink dj_trace_writer_get_sink(struct dj_trace_writer *writer);

/* Sets the full name of a process. The names of threads come from events. */
void dj_trace_writer_name_process(struct dj_trace_writer *writer, int32_t pid,
                                  const char *name);

/* Returns the current size of the trace in bytes, including bytes that were not written
 * to `fd` yet. */
uint64_t dj_trace_writer_get_bytes(const struct dj_trace_writer *writer);

/* Writes the remaining bytes. Does not sync the file and does not close `fd`. Returns 0,
 * or DJ_E_OUTPUT with the message of the first write error. */
int dj_trace_writer_end(struct dj_trace_writer *writer, struct dj_error *err);

/* Frees the writer. Call dj_trace_writer_end() before, because bytes that were not
 * written yet are lost. Does nothing if `writer` is NULL. */
void dj_trace_writer_destroy(struct dj_trace_writer *writer);

#endif
