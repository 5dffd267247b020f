/* Captures the system trace of a run's window. A failed capture does not end the run. */
#ifndef DEJANK_MEASURE_RUN_TRACE_H
#define DEJANK_MEASURE_RUN_TRACE_H

#include "capture/capture.h"
#include "measure/run/work.h"

/* Initialize it with zero. */
struct dj_run_trace {
    struct dj_capture *capture; /* NULL: no capture is running */
    struct dj_capture_plan plan;
    struct dj_device *device; /* a connection of its own; NULL: this machine */
    char path[512];           /* temporary file of the trace */
    char *reason;             /* DJ_RUN_TRACE_SAYS bytes: why there is no trace or only
                               * part of it */
};

/* Starts the capture if the plan asks for one. */
void dj_run_trace_begin(struct dj_run_trace *trace, const struct dj_run_work *work,
                        struct dj_run *run);

/* Call this repeatedly during the capture, from one thread. */
void dj_run_trace_poll(struct dj_run_trace *trace);

/* Ends the capture and moves the trace to run->trace. */
void dj_run_trace_end(struct dj_run_trace *trace, struct dj_run *run);

#endif
