/* Types and functions that all levels of captures on this machine share. */
#ifndef DEJANK_CAPTURE_LINUX_SESSION_H
#define DEJANK_CAPTURE_LINUX_SESSION_H

#include <pthread.h>

#include "capture/app_watch.h"
#include "capture/capture.h"
#include "capture/linux/page_spool.h"
#include "capture/linux/running.h"

struct dj_linux;

/* The functions of one level. Each level has data of its own in capture->own. */
struct dj_linux_level {
    enum dj_capture_level level;
    size_t own_bytes; /* Size of capture->own, which is zeroed before open(). */
    /* Prepares and starts the capture, and opens the spool. */
    int (*open)(struct dj_linux *capture, struct dj_error *err);
    /* Moves the available data to the spool. */
    int (*drain)(struct dj_linux *capture, struct dj_error *err);
    /* Ends the capture and moves the remaining data to the spool. It is called once,
     * even after errors. */
    int (*close)(struct dj_linux *capture, struct dj_error *err);
    /* Passes everything in the spool to the sink, in order of time. */
    int (*write_events)(struct dj_linux *capture, struct dj_event_sink sink,
                        struct dj_error *err);
    /* Frees the contents of capture->own. It is called even after a failed open(). */
    void (*finish)(struct dj_linux *capture);
};

extern const struct dj_linux_level dj_linux_tracefs, dj_linux_perf, dj_linux_own;

struct dj_linux {
    struct dj_capture base;
    const struct dj_linux_level *level;
    void *own; /* Data of the level. */
    struct dj_spool spool;
    struct dj_records records;
    struct dj_app_watch app;         /* State of the plan's app. */
    int64_t found_ns;                /* Time of the last search for new processes. */
    struct dj_running running;       /* Threads that ran at the start of the capture,
                                      * and those that ran at its end. */
    struct dj_running watched;       /* The watched threads, if only some threads are
                                      * watched. */
    struct dj_capture_result result; /* What is known so far. */
    bool has_counters; /* True if there are counters of the app's threads. They are all
                        * that there is if perf events are refused. */
    int64_t ends_ns;   /* Time at which the capture ends by itself, or INT64_MAX. */
    int64_t kernel_ns; /* CLOCK_MONOTONIC of this process minus the kernel's. */
    bool buffer_bound; /* True if the buffer is smaller than requested, because no
                        * larger one is permitted. */
    pthread_t thread;
    bool started, stopped;
    pthread_mutex_t lock; /* Protects the members that both threads use. */
    bool end_requested;
    pthread_cond_t change;
    struct dj_error broken; /* Why the capture ended early. The code is 0 if it did
                             * not. */
    bool over;
    int64_t bytes;
};

/* Opens the spool with the size of the plan. */
int dj_linux_open_spool(struct dj_linux *capture, size_t page_size, struct dj_error *err);

/* Writes plan->output after the capture has ended. If DJ_E_OUTPUT is returned, the
 * file contains what could be written. */
int dj_linux_write(struct dj_linux *capture, struct dj_error *err);

#endif
