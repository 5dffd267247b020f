/* A run's trace of the system, captured over its window. Whatever goes wrong with it, the
 * run goes on. */
#ifndef DEJANK_MEASURE_RUN_TRACE_H
#define DEJANK_MEASURE_RUN_TRACE_H

#include "capture/capture.h"
#include "measure/run.h"

/* Zero it. */
struct dj_run_trace {
    struct dj_capture *capture; /* NULL: none goes on */
    struct dj_capture_plan plan;
    struct dj_device *device; /* of its own, beside the run's; NULL: this machine */
    char path[512];           /* where it is written, until it is evidence */
    char *says;               /* DJ_RUN_TRACE_SAYS bytes: why there is none, or not all */
};

/* Begins it where the plan asks for it. */
void dj_run_trace_begin(struct dj_run_trace *trace, const struct dj_run_work *work,
                        struct dj_run *run);

/* To be called while it goes on, by one thread. */
void dj_run_trace_poll(struct dj_run_trace *trace);

/* Ends it; what was captured is in run->trace. */
void dj_run_trace_end(struct dj_run_trace *trace, struct dj_run *run);

#endif
