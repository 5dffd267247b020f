/* The input and the result of one run. */
#ifndef DEJANK_MEASURE_RUN_WORK_H
#define DEJANK_MEASURE_RUN_WORK_H

#include "measure/app/app.h"
#include "measure/collect.h"
#include "measure/run/conditions.h"
#include "measure/run/outcome.h"

enum { DJ_RUN_TRACE_SAYS = 240 };

/* The input of a run. */
struct dj_run_work {
    struct dj_device *device; /* Uses the interrupt of the run. */
    /* Another connection to the same device, for readings while a driver uses the first
     * connection. May equal `device` if the driver is idle. */
    struct dj_device *watcher;
    const struct dj_batch_plan *plan;
    const struct dj_flow_plan *flow;
    struct dj_app *app;
    struct dj_driver *driver;
    struct dj_condition_limits limits;
    const struct dj_interrupt_request *stop;    /* Ends the run. */
    const struct dj_interrupt_request *give_up; /* Ends the work after the run. */
    struct dj_journal *journal; /* Journal for changes that a capture makes, or NULL. */
    /* Called about ten times a second, possibly from another thread. May be NULL. */
    void (*progress)(void *user, const struct dj_collect_progress *progress);
    void *user;
};

/* The result of a run. Initialize it with zero. Finish it even after an error. */
struct dj_run {
    struct dj_run_verdict verdict;
    struct dj_drive_log log;
    struct dj_collection collection;
    struct dj_app_end end;
    struct dj_conditions before, after;
    bool has_before, has_after;
    int64_t started_unix_ms, duration_ns;
    /* The collection as text. All figures are computed from this text. */
    struct dj_text gfxinfo;
    struct dj_text raw;        /* The device's own last dump, unchanged. */
    struct dj_text app_output; /* Output of the app. */
    struct dj_text layers;     /* The compositor's layers, if gfxinfo has no frames. */
    struct dj_text trace;      /* System trace, if the plan contains a capture. */
    /* Why the trace is missing or incomplete, or "" if it is complete. */
    char trace_reason[DJ_RUN_TRACE_SAYS];
};

#endif
