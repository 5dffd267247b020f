/*
 * drive: acts as a user would, with gestures, selectors and instrumentation tests. It
 * does not decide when a window opens (measure), and runs no scripts (script).
 *
 * This header: the interface of a driver. `measure` opens and closes windows around it
 * and knows nothing else about it.
 */
#ifndef DEJANK_DRIVE_DRIVER_H
#define DEJANK_DRIVE_DRIVER_H

#include "device/device.h"
#include "facts/run_outcome.h"
#include "frame/recovery.h"

/* An interval that a driver reports, on the device's CLOCK_MONOTONIC. Each becomes a
 * window of the run. */
struct dj_driver_window {
    char name[160]; /* "CLASS#METHOD", the name of a flow, or a name from a script */
    struct dj_span span;
};

/* The results of a driver. Zero it. Finish it also after an error. */
struct dj_drive_log {
    enum dj_run_outcome outcome;
    char reason[240]; /* why the outcome is not OK, for the user; "": it is */
    struct dj_driver_window *windows;
    size_t window_count;    /* 0: the whole run is one window */
    int64_t uncertainty_ns; /* largest error of the ends of a window; 0: exact */
    struct dj_text
        stream; /* what the driver sent and received; stored with the run as evidence */
    /* May be set by the caller. A driver calls it when something has ended (a test) and
     * its frames should be read before the app may be stopped. NULL: not needed. */
    void (*ended)(void *user);
    void *user;
};

/* Returns false if memory ran out. */
bool dj_drive_log_add_window(struct dj_drive_log *log, const char *name,
                             struct dj_span span);
void dj_drive_log_finish(struct dj_drive_log *log);

/*
 * A driver. Both functions run on the thread that uses the device, and stop at its
 * interrupt. NULL functions do nothing.
 */
struct dj_driver {
    const char *kind; /* "idle", "gesture", "instrument", "script" */
    void *self;
    /* Called before the window opens, for work that may wait for an idle screen, such as
     * finding views. A failure is an error, and the outcome of the run is
     * DJ_RUN_DRIVE_FAILED. */
    int (*prepare)(void *self, struct dj_device *device, struct dj_error *err);
    /* Called within the window. Its result is log->outcome. It returns an error only for
     * the device or memory. If it returns before the end of the run, the window ends only
     * if `ends_window` is set. */
    int (*drive)(void *self, struct dj_device *device, struct dj_drive_log *log,
                 struct dj_error *err);
    bool ends_window; /* the run ends with the driver (otherwise --for) */
    bool starts_app;  /* it starts the app (tests, launches), and the run only stops it */
};

#endif
