/*
 * drive: acts as a user does, with gestures, selectors of views, and instrumentation
 * tests. The module script runs scripts.
 *
 * This header defines the interface of a driver, which acts during a run. The module
 * measure uses only this interface. It opens a window, runs the driver, and closes the
 * window. A window is an interval for which dejank computes figures.
 */
#ifndef DEJANK_DRIVE_DRIVER_H
#define DEJANK_DRIVE_DRIVER_H

#include "device/device.h"
#include "facts/run_outcome.h"
#include "frame/recovery.h"

/* An interval that a driver reports, on the device's CLOCK_MONOTONIC. Each interval
 * becomes a window of the run. */
struct dj_driver_window {
    /* Name of the window: "CLASS#METHOD" of a test, the name of a flow, or a name from a
     * script. */
    char name[160];
    struct dj_span span;
};

/* The results of a driver. Zero the struct before use. Finish it after use, also after an
 * error. */
struct dj_drive_log {
    enum dj_run_outcome outcome;
    /* Why the outcome is not DJ_RUN_OK, for the user. "" if the outcome is DJ_RUN_OK. */
    char reason[240];
    struct dj_driver_window *windows;
    size_t window_count; /* Number of windows. If it is 0, the whole run is one window. */
    /* Largest error of the start or end of a window, or 0 if both are exact. */
    int64_t uncertainty_ns;
    /* What the driver sent and received. Stored with the run as evidence. */
    struct dj_text stream;
    /* A function of the caller, or NULL. A driver calls it at the end of each step, such
     * as a test. The app may be stopped after a step, so the function reads the frames
     * before that. */
    void (*ended)(void *user);
    void *user;
};

/* Copies the window to the log. Returns false if memory ran out. */
bool dj_drive_log_add_window(struct dj_drive_log *log, const char *name,
                             struct dj_span span);
void dj_drive_log_finish(struct dj_drive_log *log);

/*
 * A driver. Both functions run on the thread that uses the device. They stop when
 * device->interrupt requests it. A function that is NULL does nothing.
 */
struct dj_driver {
    /* Kind of the driver: "idle", "gesture", "instrument" or "script". */
    const char *kind;
    void *self;
    /* Called before the window opens. Does work that may wait for a still screen, such as
     * finding views. After an error, the outcome of the run is DJ_RUN_DRIVE_FAILED. */
    int (*prepare)(void *self, struct dj_device *device, struct dj_error *err);
    /* Called after the window was opened. Sets log->outcome. Returns an error only if the
     * device or the allocation of memory failed. If this function returns before the end
     * of the run, the window ends early only if `ends_window` is set. */
    int (*drive)(void *self, struct dj_device *device, struct dj_drive_log *log,
                 struct dj_error *err);
    /* True if the run ends when the driver ends. Otherwise the run ends after the time of
     * --for. */
    bool ends_window;
    /* True if the driver starts the app (tests, launches), so that the run must not start
     * the app. */
    bool starts_app;
};

#endif
