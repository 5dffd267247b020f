/*
 * drive: doing what a person would — gestures, selectors, instrumentation tests. Not
 * when a window opens (measure), nor scripts (script).
 *
 * This header: what every driver is to measure, which opens and closes windows around it
 * and knows no more of it.
 */
#ifndef DEJANK_DRIVE_DRIVER_H
#define DEJANK_DRIVE_DRIVER_H

#include "device/device.h"
#include "facts/run_outcome.h"
#include "frame/recovery.h"

/* One of the intervals a driver tells, on the device's CLOCK_MONOTONIC: each becomes a
 * window of the run. */
struct dj_driver_window {
    char name[160]; /* "CLASS#METHOD", a flow's name, a script's word for it */
    struct dj_span span;
};

/* What a driver leaves behind. Zero it; finish it also after an error. */
struct dj_drive_log {
    enum dj_run_outcome outcome;
    char reason[240]; /* why it is not OK, for a person; "" */
    struct dj_driver_window *windows;
    size_t window_count;    /* 0: the run's whole time is its one window */
    int64_t uncertainty_ns; /* how far an end of a window may lie off; 0: it is exact */
    struct dj_text
        stream; /* what the driver said and heard: evidence, kept with the run */
    /* Whoever measures may set this; a driver calls it where something has just ended (a
     * test) whose frames should be read soon, before the app may be stopped. NULL: nobody
     * wants to know. */
    void (*ended)(void *user);
    void *user;
};

/* True where memory sufficed. */
bool dj_drive_log_window(struct dj_drive_log *log, const char *name, struct dj_span span);
void dj_drive_log_finish(struct dj_drive_log *log);

/*
 * A driver. Both functions run on the thread that uses the device, and end by the
 * device's interrupt. NULL functions do nothing.
 */
struct dj_driver {
    const char *kind; /* "idle", "gesture", "instrument", "script" */
    void *self;
    /* Before the window opens: what may wait for an idle screen, such as finding views. A
     * failure is an error, and the run's outcome DJ_RUN_DRIVE_FAILED. */
    int (*prepare)(void *self, struct dj_device *device, struct dj_error *err);
    /* Within it. How it came out is log->outcome; an error only where the device or
     * memory gave out. Returning earlier than the run's duration ends the window only
     * where `ends_window`. */
    int (*drive)(void *self, struct dj_device *device, struct dj_drive_log *log,
                 struct dj_error *err);
    bool ends_window; /* the run lasts as long as the driving (else --for) */
    bool starts_app; /* it starts the app itself (tests, launches): a run only stops it */
};

#endif
