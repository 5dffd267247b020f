/* Converts records of perf events to trace events. */
#ifndef DEJANK_CAPTURE_LINUX_PERF_EVENTS_H
#define DEJANK_CAPTURE_LINUX_PERF_EVENTS_H

#include "capture/linux/perf_rings.h"
#include "trace/event_format.h"

/* A reader of the spool. Set `spool`, `formats` and `of_all`, and zero the other members.
 */
struct dj_perf_reader {
    const struct dj_spool *spool;
    const struct dj_trace_formats *formats; /* Formats of the tracepoints, or NULL if
                                             * there are none. */
    /* True if all threads of each CPU are watched, and false if only some threads are
     * watched. */
    bool of_all;
    uint64_t events;
};

/* Passes all records of the spool to the sink as events, in order of time. Stops if the
 * sink returns a value other than 0, and returns this value. */
int dj_perf_events_read(struct dj_perf_reader *reader, struct dj_event_sink sink,
                        struct dj_error *err);

#endif
