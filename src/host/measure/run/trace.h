/* Captures the system trace of a run's window. A failed capture does not end the run. */
#ifndef DEJANK_MEASURE_RUN_TRACE_H
#define DEJANK_MEASURE_RUN_TRACE_H

#include "capture/capture.h"
#include "measure/run/work.h"

/* Initialize it with zero. */
struct dj_run_trace {
    struct dj_capture *capture; /* NULL if no capture is running. */
    struct dj_capture_plan plan;
    /* A separate connection to the device, or NULL for this machine. */
    struct dj_device *device;
    char path[512]; /* Temporary file of the trace. */
    /* Buffer of DJ_RUN_TRACE_SAYS bytes for the reason why the trace is missing or
     * incomplete. */
    char *reason;
};

/* Starts the capture if the plan contains one. */
void dj_run_trace_begin(struct dj_run_trace *trace, const struct dj_run_work *work,
                        struct dj_run *run);

/* Call this function repeatedly during the capture, from one thread. */
void dj_run_trace_poll(struct dj_run_trace *trace);

/* Ends the capture and moves the trace to run->trace. */
void dj_run_trace_end(struct dj_run_trace *trace, struct dj_run *run);

#endif
