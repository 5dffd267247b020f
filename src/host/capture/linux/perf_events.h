/* Converts records of perf events to trace events. */
#ifndef DEJANK_CAPTURE_LINUX_PERF_EVENTS_H
#define DEJANK_CAPTURE_LINUX_PERF_EVENTS_H

#include "capture/linux/perf_rings.h"
#include "trace/event_format.h"

/* Zero it, except for the first members. */
struct dj_perf_reader {
    const struct dj_spool *spool;
    const struct dj_trace_formats *formats; /* of tracepoints; NULL: none */
    bool of_all;                            /* whole CPUs are watched, not threads */
    uint64_t events;
};

/* Writes all records of the spool to the sink, in order of time. A sink's result other
 * than 0 ends it. */
int dj_perf_events_read(struct dj_perf_reader *reader, struct dj_event_sink sink,
                        struct dj_error *err);

#endif
