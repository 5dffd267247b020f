/* Types and functions that all levels of captures on this machine share. */
#ifndef DEJANK_CAPTURE_LINUX_SESSION_H
#define DEJANK_CAPTURE_LINUX_SESSION_H

#include "capture/app_watch.h"
#include "capture/capture.h"
#include "capture/linux/page_spool.h"
#include "capture/linux/running.h"
#include "process/background.h"

struct dj_linux;
struct dj_sampler;

/* The functions of one level. The data that only this level uses is in capture->own. */
struct dj_linux_level {
    enum dj_capture_level level;
    /* Size of capture->own in bytes. It is filled with zeros before open() is called. */
    size_t own_bytes;
    /* Opens the spool and starts the capture. */
    int (*open)(struct dj_linux *capture, struct dj_error *err);
    /* Moves the data in the kernel's buffers to the spool. */
    int (*drain)(struct dj_linux *capture, struct dj_error *err);
    /* Ends the capture and moves the remaining data to the spool. Called once, even after
     * errors. */
    int (*close)(struct dj_linux *capture, struct dj_error *err);
    /* Passes all events in the spool to the sink, in order of time. */
    int (*write_events)(struct dj_linux *capture, struct dj_event_sink sink,
                        struct dj_error *err);
    /* Frees the contents of capture->own. Called even if open() has failed. */
    void (*finish)(struct dj_linux *capture);
};

extern const struct dj_linux_level dj_linux_tracefs, dj_linux_perf, dj_linux_own;

struct dj_linux {
    struct dj_capture base;
    const struct dj_linux_level *level;
    void *own; /* Data that only the level uses. */
    struct dj_spool spool;
    struct dj_records records;
    struct dj_app_watch app; /* Whether the plan's app runs and is recorded. */
    int64_t found_ns;        /* Time of the last search for new processes. */
    /* Threads that ran at the start of the capture, and threads that ran at its end. */
    struct dj_running running;
    /* The watched threads if only some threads are watched. Empty otherwise. */
    struct dj_running watched;
    /* The part of the result that is known so far. */
    struct dj_capture_result result;
    /* True if counters of the app's threads are read. If perf events are not permitted,
     * the trace contains only these counters. */
    bool has_counters;
    /* Sampler of call stacks, or NULL if no stacks are sampled. */
    struct dj_sampler *sampler;
    bool stacks_refused; /* True if some threads could not be sampled. */
    /* Time at which the capture ends by itself, or INT64_MAX if only the caller stops it.
     */
    int64_t ends_ns;
    /* CLOCK_MONOTONIC of this process minus CLOCK_MONOTONIC of the kernel. */
    int64_t kernel_ns;
    /* True if the buffer is smaller than requested, because the kernel permits no larger
     * one. */
    bool buffer_bound;
    struct dj_background background;
    bool stopped;
    /* Error that ended the capture early. The code is 0 if there was none. */
    struct dj_error broken;
    bool over;
    int64_t bytes;
};

/* Opens the spool with the maximum size that the plan requires. */
int dj_linux_open_spool(struct dj_linux *capture, size_t page_size, struct dj_error *err);

/* Starts to sample call stacks, if the plan requests stacks. */
void dj_linux_start_stacks(struct dj_linux *capture);

/* Adds the processes that are captured now to those whose call stacks are sampled. */
void dj_linux_watch_stacks(struct dj_linux *capture);

/* Stops the sampling of call stacks. */
void dj_linux_stop_stacks(struct dj_linux *capture);

/* Passes the stacks to the sink. */
int dj_linux_write_stacks(struct dj_linux *capture, struct dj_event_sink sink,
                          struct dj_error *err);

/* Writes plan->output. Call this function after the capture has ended. After DJ_E_OUTPUT,
 * the file contains everything that could be written. */
int dj_linux_write(struct dj_linux *capture, struct dj_error *err);

#endif
