/* One run: what it is made with, and what it gave. */
#ifndef DEJANK_MEASURE_RUN_WORK_H
#define DEJANK_MEASURE_RUN_WORK_H

#include "measure/app/app.h"
#include "measure/collect.h"
#include "measure/run/conditions.h"
#include "measure/run/outcome.h"

enum { DJ_RUN_TRACE_SAYS = 240 };

/* The input of a run. */
struct dj_run_work {
    struct dj_device *device;  /* uses the run's interrupt */
    struct dj_device *watcher; /* the same device, for readings while a driver uses the
                                * first connection; may equal `device` if the driver is
                                * idle */
    const struct dj_batch_plan *plan;
    const struct dj_flow_plan *flow;
    struct dj_app *app;
    struct dj_driver *driver;
    struct dj_condition_limits limits;
    const struct dj_interrupt_request *stop;    /* ends the run */
    const struct dj_interrupt_request *give_up; /* ends the work after the run */
    struct dj_journal *journal; /* notes the changes that a capture makes; NULL: nothing
                                 * is noted */
    /* Called about ten times a second, maybe from another thread. May be NULL. */
    void (*progress)(void *user, const struct dj_collect_progress *progress);
    void *user;
};

/* The result of a run. Initialize it with zero. Finish it also after an error. */
struct dj_run {
    struct dj_run_verdict verdict;
    struct dj_drive_log log;
    struct dj_collection collection;
    struct dj_app_end end;
    struct dj_conditions before, after;
    bool has_before, has_after;
    int64_t started_unix_ms, duration_ns;
    struct dj_text gfxinfo; /* the collection as text; all figures are computed from it */
    struct dj_text raw;     /* the device's own last dump, unchanged */
    struct dj_text app_output; /* output of the app */
    struct dj_text layers;     /* the compositor's layers, if gfxinfo has no frames */
    struct dj_text trace;      /* system trace, if the plan asks for one */
    char trace_reason[DJ_RUN_TRACE_SAYS]; /* why there is no trace or only part of it; "":
                                           * complete */
};

#endif
