/* Records of perf events become events of a trace. Of this room only. */
#ifndef DEJANK_CAPTURE_PERF_EVENTS_H
#define DEJANK_CAPTURE_PERF_EVENTS_H

#include "capture/perf_rings.h"
#include "trace/format.h"

/* Zero it but for the first ones. */
struct dj_perf_reader {
    const struct dj_spool *spool;
    const struct dj_formats *formats; /* of tracepoints; NULL: there are none */
    bool of_all;                      /* whole CPUs were watched, not threads */
    uint64_t events;
};

/* Hands out all that is in the spool, by time. What the sink answers ends it. */
int dj_perf_read(struct dj_perf_reader *reader, struct dj_event_sink sink,
                 struct dj_error *err);

#endif
