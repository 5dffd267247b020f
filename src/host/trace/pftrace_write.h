/*
 * Events become a trace that Perfetto opens: packets are written as the events come, in
 * memory that does not grow with them, so that a recording of any length can be written
 * while it is made. What is written how is in docs/format/pftrace.md.
 */
#ifndef DEJANK_TRACE_PFTRACE_WRITE_H
#define DEJANK_TRACE_PFTRACE_WRITE_H

#include "trace/event.h"

/* How the events' stamps stand to the machine's clocks. All zero: nothing is known of
 * them, and they are written as they are. */
struct dj_trace_clocks {
    int64_t to_boot_ns;     /* added to every stamp that is written: Perfetto's clock is
                               CLOCK_BOOTTIME */
    int64_t to_mono_ns;     /* stamp + this is CLOCK_MONOTONIC */
    int64_t to_realtime_ns; /* stamp + this is CLOCK_REALTIME */
    bool mono, realtime;    /* those two are known */
};

/* Of stamps of this machine's CLOCK_MONOTONIC, as its clocks stand now. */
void dj_trace_clocks_here(struct dj_trace_clocks *clocks);

/* What a trace says of itself beside its events. All zero: nothing is known. */
struct dj_trace_origin {
    struct dj_trace_clocks clocks;
    const char *kernel; /* its release, as uname -r says it; NULL: not known */
};

struct dj_pftrace;

/*
 * Begins a trace in `fd`, which stays the caller's: a file, a pipe or a socket, written
 * from where it stands. `name` is what errors call it; both strings are copied. What
 * cannot be written is told by the sink and by dj_pftrace_end().
 */
struct dj_pftrace *dj_pftrace_create(int fd, const char *name,
                                     const struct dj_trace_origin *origin);

/*
 * Where events go; they need not be in order of time. Events of a CPU (cpu ≥ 0) are
 * written as the kernel's own, markers of trace_marker among them; sections, counters,
 * instants and async sections without one (cpu −1) as TrackEvents of their thread or
 * process. The sink answers DJ_E_OUTPUT once something could not be written.
 */
struct dj_event_sink dj_pftrace_sink(struct dj_pftrace *writer);

/* A process's whole name, where that is known: threads have their names by events. */
void dj_pftrace_name_process(struct dj_pftrace *writer, int32_t pid, const char *name);

/* Bytes of the trace up to now, those included that are not handed to `fd` yet. */
uint64_t dj_pftrace_bytes(const struct dj_pftrace *writer);

/* Writes what is left. 0, or DJ_E_OUTPUT with what the first write that failed said. Does
 * not sync, and leaves `fd` open. */
int dj_pftrace_end(struct dj_pftrace *writer, struct dj_error *err);

/* Also without end: what is not written yet is gone then. NULL is fine. */
void dj_pftrace_destroy(struct dj_pftrace *writer);

#endif
