/* One run: the app anew, its window, what was driven in it, and how it came out. */
#ifndef DEJANK_MEASURE_RUN_H
#define DEJANK_MEASURE_RUN_H

#include "measure/app.h"
#include "measure/collect.h"
#include "measure/conditions.h"
#include "measure/outcome.h"

enum { DJ_RUN_TRACE_SAYS = 240 };

/* What a run is made with. */
struct dj_run_work {
    struct dj_device *device;  /* its interrupt is the run's */
    struct dj_device *watcher; /* the same device, for readings while a driver uses the
                                  first; may be `device` where the driver is idle */
    const struct dj_batch_plan *plan;
    const struct dj_flow_plan *flow;
    struct dj_app *app;
    struct dj_driver *driver;
    struct dj_condition_limits limits;
    const struct dj_interrupt *stop;    /* ends the run */
    const struct dj_interrupt *give_up; /* ends what is to be done after it */
    struct dj_journal *journal; /* of what its capture changes; NULL: none is kept */
    /* Some ten times a second, maybe from another thread. NULL: nobody looks. */
    void (*progress)(void *user, const struct dj_collect_progress *progress);
    void *user;
};

/* What it gave. Zero it; finish it also after an error. */
struct dj_run {
    struct dj_run_verdict verdict;
    struct dj_drive_log log;
    struct dj_collection collection;
    struct dj_app_end end;
    struct dj_conditions before, after;
    bool has_before, has_after;
    int64_t started_unix_ms, duration_ns;
    struct dj_text gfxinfo; /* the collection as text: all figures come from it */
    struct dj_text raw;     /* the device's own last dump, as it printed it */
    struct dj_text words;   /* the app's */
    struct dj_text layers;  /* what the compositor draws, where gfxinfo knows nothing */
    struct dj_text trace;   /* of the system, where the plan asks for it */
    char trace_says[DJ_RUN_TRACE_SAYS]; /* why there is none, or not all of it; "" */
};

void dj_run_finish(struct dj_run *run);

/* Makes one run; run->before is there already. 0 for every outcome; DJ_E_NO_MEMORY.
 * After a stop the app is ended all the same. */
int dj_run_play(const struct dj_run_work *work, struct dj_run *run, struct dj_error *err);

/*
 * Of SurfaceFlinger's layers (`dumpsys SurfaceFlinger --list`), one of `package` that
 * apps draw past gfxinfo: a SurfaceView's. False: none is there.
 */
bool dj_layer_find(const char *list, const char *package, char *layer, size_t size);

#endif
