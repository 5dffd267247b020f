/* Captures the system trace of a run's window. If the capture fails, the run continues.
 */
#ifndef DEJANK_MEASURE_RUN_TRACE_H
#define DEJANK_MEASURE_RUN_TRACE_H

#include "capture/capture.h"
#include "measure/run/work.h"

/* The capture of one run. Initialize it with zero. */
struct dj_run_trace {
    struct dj_capture *capture; /* Running capture, or NULL if no capture is running. */
    struct dj_capture_plan plan;
    /* Separate connection to the device, or NULL for this machine. */
    struct dj_device *device;
    char path[512]; /* Path of a temporary file that receives the trace. */
    /* Reason why the trace is missing or incomplete. A buffer of DJ_RUN_TRACE_SAYS bytes
     * that belongs to the run. */
    char *reason;
};

/* Starts the capture if the plan requests one. */
void dj_run_trace_begin(struct dj_run_trace *trace, const struct dj_run_work *work,
                        struct dj_run *run);

/* Does the periodic work of the capture. Call this function repeatedly, always from the
 * same thread. */
void dj_run_trace_poll(struct dj_run_trace *trace);

/* Ends the capture and moves the contents of the trace to run->trace. */
void dj_run_trace_end(struct dj_run_trace *trace, struct dj_run *run);

#endif
