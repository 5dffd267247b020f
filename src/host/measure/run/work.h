/* The input and the result of one run. */
#ifndef DEJANK_MEASURE_RUN_WORK_H
#define DEJANK_MEASURE_RUN_WORK_H

#include "measure/app/app.h"
#include "measure/collect.h"
#include "measure/run/conditions.h"
#include "measure/run/outcome.h"

enum { DJ_RUN_TRACE_SAYS = 240 };

/* The input of one run. */
struct dj_run_work {
    /* Connection to the device. The interrupt of the run also interrupts its requests. */
    struct dj_device *device;
    /* Second connection to the same device. It is used for readings while the driver uses
     * `device`. It may equal `device` if the driver does not use the device. */
    struct dj_device *watcher;
    const struct dj_batch_plan *plan;
    const struct dj_flow_plan *flow;
    /* Source of the frames, as in struct dj_collect_options. */
    const char *frame_source;
    struct dj_app *app;
    struct dj_driver *driver;
    struct dj_condition_limits limits;
    const struct dj_interrupt_request *stop; /* Request to stop the run. */
    /* Request to stop the work after the run, for example the restoring of settings. */
    const struct dj_interrupt_request *give_up;
    /* Journal that records the changes that a capture makes, or NULL. */
    struct dj_journal *journal;
    /* Receives the progress of the window, about ten times a second, possibly from
     * another thread. May be NULL. */
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
    /* The collection as the text of a gfxinfo dump. All figures are computed from this
     * text. */
    struct dj_text gfxinfo;
    struct dj_text raw; /* The last dump as the device has printed it. */
    struct dj_text app_output;
    /* The compositor's list of layers, if gfxinfo contains no frames. Otherwise empty. */
    struct dj_text layers;
    /* System trace, if the plan requests a capture. Otherwise empty. */
    struct dj_text trace;
    /* Why the trace is missing or incomplete, or "" if it is complete. */
    char trace_reason[DJ_RUN_TRACE_SAYS];
};

#endif
